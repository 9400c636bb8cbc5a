"""A wave of the night: the calls that are open together. Absent roles are called all the same (ruling 3)."""

from __future__ import annotations

from engine import dice
from engine.events import Gathered, PowerGone, WaveOpened
from engine.game import Ask, Call, Game, Intent, Step
from engine.options import Options
from engine.play import Play
from engine.powers import has_power
from engine.prompts import ability_of
from engine.roles import CALLS, HOLDERS
from engine.steps.kind import StepKind, StepView, answer_for_the_silent, begin, end, head, prompt_privately


def _open(play: Play, step: Step) -> None:
    calls = called(play.game, step)
    if not calls:
        end(play)
        return
    counted = play.options.sage
    seconds = play.options.count_s if counted else _seconds(play.options, calls)
    asks: list[Ask] = []
    open_calls: list[Call] = []
    for call in calls:
        asked = _questions(play, call)
        asks.extend(asked)
        low, high = play.options.absent_call_s
        lasts = dice.between(low, high, play.game.seed, play.game.day, f"absent.{call}")
        # A call that is counted lasts to its end, answered or not: like one that nobody holds.
        lasts = seconds if counted else min(lasts, seconds)
        open_calls.append(Call(call, play.now + lasts, held=bool(asked) and not counted))
    opened = begin(play, step, seconds, tuple(asks), tuple(open_calls))
    play.emit(WaveOpened("everybody", opened.serial, calls, opened.deadline, counted))
    prompt_privately(play, opened)


def _seconds(options: Options, calls: tuple[str, ...]) -> int:
    """A call that is made alone has a time of its own."""
    return CALLS[calls[0]][0].seconds(options) if len(calls) == 1 else options.night_s


def called(game: Game, step: Step) -> tuple[str, ...]:
    """The calls of a wave tonight. The public deck decides, not who drew the card (G17)."""
    return tuple(
        call
        for call in step.calls
        if any(
            game.deck.get(role)
            for ability in CALLS[call]
            if ability.nights(game)
            for role in HOLDERS[ability.action]
        )
    )


def _questions(play: Play, call: str) -> list[Ask]:
    """What the living holders are asked under a call; what they must know before is told them first.

    Who has lost his power is told so instead.
    """
    asks = []
    powerless: set[int] = set()
    for ability in CALLS[call]:
        if not ability.nights(play.game):
            continue
        for seat in play.game.holders(HOLDERS[ability.action]):
            if not has_power(play.game, seat):
                powerless.add(seat)
                continue
            if ability.brief:
                ability.brief(play, seat)
            if ability.asked(play.game, seat):
                asks.append(Ask(seat, ability.action))
    for seat in sorted(powerless):
        play.emit(PowerGone((seat,), seat, call))
    return asks


def _close(play: Play, step: Step) -> None:
    answer_for_the_silent(play, step)
    step = play.game.agenda[0]
    intents = tuple(
        Intent(ask.seat, ask.action, ask.answer)
        for ask in step.asks
        if ask.answer is not None and ability_of(ask.action).open(play.game, step, ask)
    )
    play.emit(Gathered("nobody", intents))
    end(play)
    for call in step.calls:
        for ability in CALLS[call]:
            if ability.settle:
                ability.settle(play, intents)


def _view(game: Game, step: Step) -> StepView:
    return StepView(*head(step), calls=called(game, step))


WAVE = StepKind(_open, _close, _view)
