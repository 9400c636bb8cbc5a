"""A decision under way: the game so far, and what has happened to it. It lives for one command only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from engine import dice
from engine.events import Event, Planned, Told
from engine.game import Fact, Game, Option, Step
from engine.history import evolve
from engine.options import Options, thaw

T = TypeVar("T")


class Play:
    """What steps and roles are handed: they read `game`, and change it by saying what happened."""

    __slots__ = ("events", "game", "now")

    def __init__(self, game: Game, now: float) -> None:
        self.game = game
        self.now = now
        self.events: list[Event] = []

    @property
    def options(self) -> Options:
        """The game's options."""
        return thaw(self.game.options)

    def emit(self, event: Event) -> None:
        """Let it have happened."""
        self.events.append(event)
        self.game = evolve(self.game, event)

    def plan(self, *steps: Step) -> None:
        """Put steps in front of whatever the agenda holds."""
        self.emit(Planned("nobody", steps, self.now))

    def tell(self, seat: int, occasion: str, *facts: tuple[Option, str]) -> None:
        """Tell a seat, and it alone, something about somebody."""
        day = self.game.day
        told = tuple(Fact(seat, about, what, day, occasion) for about, what in facts)
        self.emit(Told((seat,), seat, occasion, told))

    def pick(self, items: Sequence[T], purpose: str, seat: int = 0) -> T:
        """One of the items, by the game's chance."""
        return dice.pick(items, self.game.seed, self.game.day, purpose, seat)
