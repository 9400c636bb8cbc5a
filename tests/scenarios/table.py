"""One game, driven through the engine's door: commands in, events out, a clock that somebody else moves."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from engine import (
    Answer,
    Command,
    Event,
    Option,
    Prompt,
    Refused,
    Selection,
    Setup,
    Tick,
    View,
    choices,
    decide,
    due_at,
    dump,
    evolve,
    load,
    start,
    view_for,
)
from tests.scenarios.language import PHASES

T = TypeVar("T")

BEGIN = 1_000_000.0
MOST_DEADLINES = 200


class Failed(Exception):
    """What was expected and what was seen."""


def shown(thing: object, name: str) -> Any:
    """What the engine shows under a name; not all that the language can ask for is shown by every engine."""
    try:
        return getattr(thing, name)
    except AttributeError:
        raise Failed(f"the engine shows no `{name}` in {type(thing).__name__}") from None


def setup_of(given: Mapping[str, Any], kind: Callable[..., Setup] = Setup) -> Setup:
    """What the scenario lays down, as the engine takes it."""
    for name in given:
        if name not in inspect.signature(kind).parameters:
            raise Failed(f"the engine's Setup takes no `{name}`")
    return kind(**given)


def living(view: View, by_house: bool) -> frozenset[Option]:
    """Who lives as everybody knows it: seats, or characters by their house."""
    if not by_house:
        return frozenset(seat.number for seat in view.seats if seat.alive)
    return frozenset(house.name for seat in view.seats for house in shown(seat, "houses") if house.alive)


class Table:
    """A running game.

    died: whose death was made public since somebody last emptied the set.
    reached: the furthest place of the book's calendar so far, as (day, index of the phase).
    """

    def __init__(self, given: Mapping[str, Any], by_house: bool, seed: bytes) -> None:
        self.by_house = by_house
        self.phases = PHASES[given["book"]]
        self.now = BEGIN
        self.died: set[Option] = set()
        self.reached = (0, 0)
        events = start(setup_of(given), seed, self.now)
        self.game = evolve(None, events[0])
        self._happen(events[1:])

    @property
    def view(self) -> View:
        """What everybody sees."""
        return view_for(self.game, None)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """All that is open."""
        return choices(self.game)

    def prompt(self, seat: int, action: str) -> Prompt | None:
        """A seat's open prompt of that action."""
        return next((p for p in self.prompts if p.seat == seat and p.action == action), None)

    def _happen(self, events: tuple[Event, ...]) -> None:
        before = self.view
        for event in events:
            self.game = evolve(self.game, event)
            after = self.view
            self.died |= living(before, self.by_house) - living(after, self.by_house)
            if after.phase in self.phases:
                self.reached = max(self.reached, (after.day, self.phases.index(after.phase)))
            before = after

    # Commands ---------------------------------------------------------------------------------------------

    def obey(self, command: Command) -> None:
        """Have a command carried out. Raises Failed if it is refused."""
        outcome = decide(self.game, command, self.now)
        if isinstance(outcome, Refused):
            raise Failed(f"expected to be accepted, seen refused: {outcome.code}")
        self._happen(outcome)

    def refuse(self, command: Command) -> None:
        """Have a command refused. Raises Failed if it is not, or changes anything."""
        before = dump(self.game)
        outcome = decide(self.game, command, self.now)
        if not isinstance(outcome, Refused):
            raise Failed("expected to be refused, seen accepted")
        if dump(self.game) != before:
            raise Failed("expected a refusal that changes nothing, seen another state")

    def say(self, seat: int, action: str, answer: Selection) -> None:
        """Have a seat answer its prompt, as soon as it has it."""
        prompt = self.wait_for(f"{seat} {action} to be asked", lambda: self.prompt(seat, action))
        self.obey(Answer(seat, action, answer, prompt.serial))

    def all_say(self, action: str, answer: Selection) -> None:
        """Have every seat with that prompt answer alike, as soon as it is legal for one of them."""

        def asked() -> tuple[Prompt, ...] | None:
            prompts = [p for p in self.prompts if p.action == action]
            return tuple(sorted(prompts, key=lambda p: p.seat)) if any(p.allows(answer) for p in prompts) else None

        what = f"{action} {' '.join(map(str, answer)) or 'pass'} to be legal for somebody"
        for prompt in self.wait_for(what, asked):
            now = self.prompt(prompt.seat, action)
            if now and now.serial == prompt.serial and now.allows(answer):
                self.obey(Answer(prompt.seat, action, answer, prompt.serial))

    # The clock --------------------------------------------------------------------------------------------

    def pass_time(self) -> bool:
        """Move the clock to the next instant with something due and let it happen; was it a step's deadline?"""
        due, step = due_at(self.game), self.view.step
        if due is None or step is None:
            raise Failed("expected something to be due, seen nothing")
        self.now = max(self.now, due)
        while due is not None and due <= self.now:
            outcome = decide(self.game, Tick(), self.now)
            if isinstance(outcome, Refused) or not outcome:
                raise Failed(f"expected something to happen when it is due, seen {outcome}")
            self._happen(outcome)
            due = due_at(self.game)
        return self.now >= step.deadline

    def wait(self) -> None:
        """Let time pass until a deadline, or until phase or open prompts change."""
        before = self._standing()
        while not self.pass_time() and self._standing() == before:
            pass

    def _standing(self) -> tuple[int, str, tuple[Prompt, ...]]:
        view = self.view
        return view.day, view.phase, self.prompts

    def wait_for(self, what: str, ready: Callable[[], T | None]) -> T:
        """Let deadlines pass until there is what is waited for; not into the same phase of the next day."""
        day, phase = self.reached
        round_again = (2, 0) if self.view.phase == "setup" else (day + 1, phase)
        deadlines = 0
        while (found := ready()) is None:
            if self.view.result is not None:
                raise Failed(f"expected {what}, seen the end of the game")
            deadlines += self.pass_time()
            if self.reached >= round_again:
                raise Failed(f"expected {what}, seen {self.view.phase} {self.view.day} come round")
            if deadlines > MOST_DEADLINES:
                raise Failed(f"expected {what}, seen {MOST_DEADLINES} deadlines pass")
        return found

    def go_to(self, phase: str, day: int) -> None:
        """Let deadlines pass until the game stands at the phase of the day, or has passed it; `over`: ended."""
        where = phase if phase == "over" else f"{phase} {day}"
        deadlines = 0
        while not self._has_come_to(phase, day):
            if self.view.result is not None:
                raise Failed(f"expected {where}, seen the end of the game on day {self.view.day}")
            deadlines += self.pass_time()
            if deadlines > MOST_DEADLINES:
                raise Failed(f"expected {where}, seen {MOST_DEADLINES} deadlines pass")

    def _has_come_to(self, phase: str, day: int) -> bool:
        over = self.view.result is not None
        if phase == "over":
            return over
        if phase == "day":
            # The dead are public as dawn begins; in the book without a dawn, with the swap or the end (B-25).
            if "dawn" in self.phases:
                phase = "dawn"
            elif over:
                return self.view.day >= day
            else:
                phase = "swap"
        return self.reached >= (day, self.phases.index(phase))

    def check_storage(self) -> None:
        """The game comes back from its bytes as it was. Raises Failed."""
        stored = dump(self.game)
        if dump(load(stored)) != stored:
            raise Failed("expected the stored game to come back the same, seen another")
