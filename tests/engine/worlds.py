"""Two worlds side by side: games in which nothing but secrets differs, and what each seat heard of them.

Whoever is called answers at the instant at which his call would end if nobody held it: when a holder answers is
chance, that he exists is the secret.
"""

from __future__ import annotations

from typing import Any

from engine import (
    Answer,
    Command,
    Event,
    Game,
    Refused,
    Selection,
    Setup,
    Tick,
    choices,
    decide,
    due_at,
    evolve,
    hears,
    replay,
    start,
    view_for,
)
from engine import events as e
from engine.dice import between
from engine.game import Step
from engine.options import thaw
from engine.prompts import ability_of
from engine.steps.wave import called
from tests.engine.simulation import NOON, seed


class World:
    """One game of a book; what has happened in it so far."""

    def __init__(self, book: str, number: int = 1, **setup: Any) -> None:
        self.events = list(start(Setup(book=book, **setup), seed(number), NOON))
        self.game: Game = replay(self.events)
        self.now = NOON

    def give(self, command: Command) -> None:
        """Have a command carried out."""
        happened = decide(self.game, command, self.now)
        assert not isinstance(happened, Refused), (command, happened)
        for event in happened:
            self.game = evolve(self.game, event)
        self.events += happened

    def say(self, action: str, *answer: int | str, seats: tuple[int, ...] = ()) -> None:
        """Everybody for whom it is legal, or these of them, answers so."""
        for prompt in choices(self.game):
            if prompt.action == action and (not seats or prompt.seat in seats) and prompt.allows(answer):
                self.give(Answer(prompt.seat, action, answer, prompt.serial))

    def wait(self) -> None:
        """Until the next instant at which something is due."""
        self.now = due_at(self.game) or self.now
        self.give(Tick())

    def until(self, phase: str, day: int) -> None:
        """Deadlines pass."""
        while (self.game.phase, self.game.day) != (phase, day):
            assert self.game.over is None
            self.wait()

    def night(self, **answers: Selection) -> None:
        """Let a night pass. answers: by action, its last `_` for the dot; who is not named declines."""
        while self.game.phase == "night" and not self.game.over:
            self._wave({".".join(name.rsplit("_", 1)): answer for name, answer in answers.items()})

    def _wave(self, answers: dict[str, Selection]) -> None:
        step = self.game.agenda[0]
        for at, call in sorted((self._end_of(step, call), call) for call in called(self.game, step)):
            self.now = at
            self._answer(step.serial, call, answers)
            while (due := due_at(self.game)) and due <= self.now:
                self.give(Tick())
        assert self.game.agenda[0].serial != step.serial, "everybody has answered"

    def _answer(self, serial: int, call: str, answers: dict[str, Selection]) -> None:
        for prompt in choices(self.game):
            if prompt.serial == serial and ability_of(prompt.action).call == call:
                answer = answers.get(prompt.action, ())
                self.give(Answer(prompt.seat, prompt.action, answer if prompt.allows(answer) else (), serial))

    def _end_of(self, step: Step, call: str) -> float:
        options = thaw(self.game.options)
        seconds = options.witch_s if called(self.game, step) == ("witch",) else options.night_s
        low, high = options.absent_call_s
        lasts = between(low, high, self.game.seed, self.game.day, f"absent.{call}")
        return step.deadline - seconds + min(lasts, seconds)

    def happened(self, *kinds: type[Event]) -> list[Event]:
        """What of these kinds has happened so far."""
        return [event for event in self.events if isinstance(event, kinds)]

    def heard(self, seat: int | None) -> list[Event]:
        """All that the seat, or for None the group, has heard; the hash of the deal apart."""
        return [event for event in self.events if hears(event.audience, seat) and not isinstance(event, e.Started)]


def tell_apart(one: World, other: World, *seats: int | None) -> None:
    """Fail if one of these seats, or for None the group, can tell the worlds apart."""
    assert one.now == other.now
    for seat in seats:
        assert one.heard(seat) == other.heard(seat), seat
        assert view_for(one.game, seat) == view_for(other.game, seat), seat
