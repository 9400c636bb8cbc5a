"""What a kind of step is: how it opens and how it closes. Between the two it only waits for answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from engine.events import Answered, Closed, Opened, Prompted
from engine.game import Ask, Call, Step
from engine.play import Play
from engine.prompts import ability_of, drawn, is_open, prompt, standing


@dataclass(frozen=True, slots=True)
class StepKind:
    """open: begins the step, or does all there is to do and closes it. close: ends it, answered or not."""

    open: Callable[[Play, Step], None]
    close: Callable[[Play, Step], None]


def begin(
    play: Play, step: Step, seconds: float, asks: tuple[Ask, ...], open_calls: tuple[Call, ...] = ()
) -> Step:
    """Open the first step of the agenda for so many seconds, with these questions; return it.

    A question that stands beside those of the steps, and belongs to this one, is put now.
    """
    opened = replace(
        step, serial=play.game.serial + 1, deadline=play.now + seconds, asks=asks, open_calls=open_calls
    )
    play.emit(Opened("nobody", opened))
    for ask in standing(play.game):
        if prompt(play.game, opened, ask).serial == opened.serial:
            play.emit(Prompted((ask.seat,), ask.seat, (ask.action,), opened.serial))
    return opened


def end(play: Play) -> None:
    """Take the first step off the agenda."""
    play.emit(Closed("nobody", play.game.agenda[0].serial))


def prompt_privately(play: Play, step: Step) -> None:
    """Let each seat that is asked something know, and nobody else."""
    actions: dict[int, tuple[str, ...]] = {}
    for ask in step.asks:
        actions[ask.seat] = (*actions.get(ask.seat, ()), ask.action)
    for seat, asked in sorted(actions.items()):
        play.emit(Prompted((seat,), seat, asked, step.serial))


def answer_for_the_silent(play: Play, step: Step) -> None:
    """Who had to choose and did not has chosen what the question says itself, or what chance draws (ruling 4)."""
    for ask in step.asks:
        if ask.answer is None and is_open(play.game, step, ask):
            question = prompt(play.game, step, ask)
            if question.optional:
                continue
            default = ability_of(ask.action).default
            answer = default(play.game, ask.seat) if default else drawn(play.game, question)
            by_chance = default is None
            play.emit(Answered((ask.seat,), ask.seat, ask.action, answer, final=True, by_chance=by_chance))


def answers(step: Step, action: str) -> dict[int, Ask]:
    """The questions of that action by seat."""
    return {ask.seat: ask for ask in step.asks if ask.action == action}
