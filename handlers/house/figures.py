"""Figures of many games: how often each camp wins, and how long a game is. Whole numbers, so no order matters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt

Z_95 = 1.959963984540054
"""The quantile of the normal distribution for an interval of 95 %."""


@dataclass(frozen=True)
class Outcome:
    """How one game ended.

    seats: how many played. camp: who won, or `draw`. seconds: of the game's own clock.
    roles, won: how many seats played each role at the end, and how many of them won.
    """

    seats: int
    camp: str
    days: int
    commands: int
    seconds: int
    roles: Counter[str]
    won: Counter[str]


@dataclass
class Tally:
    """The games of one number of seats."""

    seats: int
    games: int = 0
    camps: Counter[str] = field(default_factory=Counter)
    days: Counter[int] = field(default_factory=Counter)
    commands: Counter[int] = field(default_factory=Counter)
    seconds: int = 0
    roles: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        """Count a game."""
        self.games += 1
        self.camps[outcome.camp] += 1
        self.days[outcome.days] += 1
        self.commands[outcome.commands] += 1
        self.seconds += outcome.seconds
        self.roles += outcome.roles
        self.won += outcome.won


def wilson(successes: int, trials: int, z: float = Z_95) -> tuple[float, float]:
    """The score interval of a share (E. B. Wilson, 1927), from 0 to 1; everything where nothing was tried."""
    if not trials:
        return 0.0, 1.0
    share = successes / trials
    squared = z * z
    middle = (share + squared / (2 * trials)) / (1 + squared / trials)
    half = z / (1 + squared / trials) * sqrt(share * (1 - share) / trials + squared / (4 * trials * trials))
    return max(0.0, middle - half), min(1.0, middle + half)


def mean(counted: Counter[int]) -> float:
    """The mean of a distribution."""
    return sum(value * times for value, times in counted.items()) / max(1, counted.total())


def median(counted: Counter[int]) -> int:
    """The smallest value that half of a distribution does not exceed."""
    seen = 0
    for value, times in sorted(counted.items()):
        seen += times
        if 2 * seen >= counted.total():
            return value
    return 0


def tallies(outcomes: Iterable[Outcome]) -> list[Tally]:
    """The figures of games, by number of seats."""
    by_seats: dict[int, Tally] = {}
    for outcome in outcomes:
        by_seats.setdefault(outcome.seats, Tally(outcome.seats)).add(outcome)
    return [by_seats[seats] for seats in sorted(by_seats)]
