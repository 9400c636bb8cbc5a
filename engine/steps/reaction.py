"""What a dead seat is still asked: the scapegoat's voters, the hunter's shot, the sheriff's badge."""

from __future__ import annotations

from engine import deaths, dice
from engine.events import CardShown, Denied, HeldFire, ReactionOpened
from engine.game import Answer, Ask, Call, Intent, Rank, Step, seats_in
from engine.play import Play
from engine.powers import has_power, may_shoot
from engine.prompts import ability_of
from engine.steps.kind import StepKind, answer_for_the_silent, bare, begin, end, prompt_privately


def _open(play: Play, step: Step) -> None:
    ability = ability_of(step.name)
    if ability.rank == Rank.SHOT:
        _open_shot(play, step)
        return
    opened = begin(play, step, ability.seconds(play.options), tuple(Ask(seat, step.name) for seat in step.seats))
    play.emit(ReactionOpened("everybody", opened.serial, step.name, step.seats, opened.deadline))
    prompt_privately(play, opened)


def _open_shot(play: Play, step: Step) -> None:
    """With hidden cards nobody learns from the pause whether a hunter is among the dead (G31).

    Nor whether he has lost his power: the call is made, and only he is told (ruling 3, N17).
    """
    game = play.game
    hunters = tuple(seat for seat in step.seats if _shoots(play, seat))
    asks = tuple(Ask(seat, step.name) for seat in hunters if has_power(game, seat))
    for seat in hunters:
        if not has_power(game, seat):
            play.emit(Denied((seat,), seat, step.name))
    low, high = play.options.absent_call_s
    lasts = dice.between(low, high, game.seed, game.day, f"absent.{step.name}", step.seats[0])
    call = Call(step.name, play.now + min(lasts, play.options.shot_s), held=bool(asks))
    opened = begin(play, step, play.options.shot_s, asks, (call,))
    known = hunters if _is_known(play, hunters) else ()
    play.emit(ReactionOpened("everybody", opened.serial, step.name, known, opened.deadline))
    prompt_privately(play, opened)


def _shoots(play: Play, seat: int) -> bool:
    dead = play.game.seat(seat)
    return may_shoot(play.game, seat, dead.character.cause) and not dead.gone


def _is_known(play: Play, hunters: tuple[int, ...]) -> bool:
    return any(play.game.seat(seat).character.shown for seat in hunters)


def _close(play: Play, step: Step) -> None:
    answer_for_the_silent(play, step)
    answers = {ask.seat: ask.answer or () for ask in play.game.agenda[0].asks}
    end(play)
    ability = ability_of(step.name)
    if ability.rank == Rank.SHOT:
        _shoot(play, step.seats, answers)
    elif ability.settle:
        ability.settle(play, tuple(Intent(seat, step.name, answers.get(seat, ())) for seat in step.seats))


def _shoot(play: Play, seats: tuple[int, ...], answers: dict[int, Answer]) -> None:
    shots = [(seat, target) for seat, answer in answers.items() for target in seats_in(answer)]
    for hunter, target in shots:
        _show(play, hunter)
        deaths.strike(play, [(target, "shot")], "shot", by=hunter)
    if not shots:
        hunters = tuple(seat for seat in seats if _shoots(play, seat))
        play.emit(HeldFire("everybody", hunters[0] if _is_known(play, hunters) else 0))


def _show(play: Play, hunter: int) -> None:
    """Who shoots shows his card, if those of the dead are shown and his was not (H25)."""
    card = play.game.seat(hunter).character
    if play.options.reveal_on_death and not card.shown:
        play.emit(CardShown("everybody", hunter, card.role))


REACTION = StepKind(_open, _close, bare)
