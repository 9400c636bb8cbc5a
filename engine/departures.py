"""What becomes of the questions when a seat dies or leaves: its own go, those that named it come back."""

from __future__ import annotations

from msgspec.structs import replace

from engine import houses
from engine.events import AsksDropped, OfficePassed, Voided
from engine.game import Call, Step
from engine.play import Play
from engine.prompts import ability_of, is_open


def leave_office(play: Play, seat: int) -> None:
    """A mayor who leaves is followed by the next seat (B-13)."""
    if play.game.offices.get(houses.MAYOR) == seat and (heir := houses.next_mayor(play.game, seat)):
        play.emit(OfficePassed("everybody", houses.MAYOR, heir))


def leave_questions(play: Play, seats: tuple[int, ...]) -> None:
    """Ask these seats nothing any more, and void the answers that named them where they can be given anew (G2)."""
    names = {*seats, *(card.house for seat in seats for card in play.game.seat(seat).characters)}
    for step in play.game.agenda:
        if any(ask.seat in seats for ask in step.asks):
            play.emit(AsksDropped("nobody", seats, step.serial, _calls_left(play, step, seats)))
        if step.kind == "verdict":  # without one of its suspects it is not gone on with: all vote anew (L12)
            continue
        for ask in step.asks:
            if ask.seat not in seats and not ask.done and ask.answer and any(o in names for o in ask.answer):
                play.emit(Voided((ask.seat,), ask.seat, ask.action, step.serial))


def _calls_left(play: Play, step: Step, seats: tuple[int, ...]) -> tuple[Call, ...]:
    """The step's calls without these seats.

    A call that loses its last holder is over where everybody has seen the card (G3). Where cards stay hidden it
    goes on as if nobody had held it: its end must not show who that was.
    """
    shown = all(play.game.seat(seat).character.shown for seat in seats)
    held = {
        name
        for ask in step.asks
        if ask.seat not in seats and (ask.done or is_open(play.game, step, ask))
        for name in (ability_of(ask.action).call, ask.action)
    }
    instant = play.now if step.paused is None else step.paused
    calls = []
    for call in step.open_calls:
        if not call.held or call.name in held:
            calls.append(call)
        elif not shown and call.ends > instant:
            calls.append(replace(call, held=False))
    return tuple(calls)
