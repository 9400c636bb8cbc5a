"""What befalls a game: kinds of faults, and how likely each is. Chance comes from the game's seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random


@dataclass(frozen=True)
class Weather:
    """How likely each fault is, at each occasion.

    ends_alike: the end is that of the same seed undisturbed. reads_alike: so is every message, but for reminders.
    kill: before or after a write, after a call. duplicate, delay: of a trigger, the latter up to `longest`
    seconds. timer_lost, timer_late: of a wake-up. race: another function runs between a read and its write.
    refuses, forgets, times_out: of the store – nothing is done; it is done and the library repeats it; it is done
    and nobody hears of it. too_many: 429; bad: 400; forbidden: 403; broken: 5xx; lost, unheard: time-outs, before
    and after the message was sent. crowd: everybody presses at the same moment. short: steps last as long as the
    book has it, else an hour. loose: players also do what hangs on who is first.
    """

    ends_alike: bool = True
    reads_alike: bool = True
    kill: float = 0.0
    duplicate: float = 0.0
    delay: float = 0.0
    longest: float = 60.0
    timer_lost: float = 0.0
    timer_late: float = 0.0
    race: float = 0.0
    refuses: float = 0.0
    forgets: float = 0.0
    times_out: float = 0.0
    too_many: float = 0.0
    bad: float = 0.0
    forbidden: float = 0.0
    broken: float = 0.0
    lost: float = 0.0
    unheard: float = 0.0
    migrates: bool = False
    deploys: bool = False
    crowd: bool = False
    short: bool = False
    loose: bool = False


CALM = Weather()
KINDS: dict[str, Weather] = {
    "kills": Weather(kill=0.02),
    "triggers": Weather(duplicate=0.4, delay=0.3),
    "timers": Weather(ends_alike=False, reads_alike=False, timer_lost=0.5, timer_late=0.3, short=True),
    "conflicts": Weather(race=0.5, crowd=True),
    "store": Weather(refuses=0.02, forgets=0.1, times_out=0.03),
    "later": Weather(too_many=0.05),
    "refused": Weather(reads_alike=False, bad=0.04, forbidden=0.04),
    "network": Weather(broken=0.03, lost=0.02, unheard=0.03),
    "migration": Weather(migrates=True),
    "deployment": Weather(deploys=True, delay=0.2, race=0.2),
    "storm": Weather(
        reads_alike=False, kill=0.01, duplicate=0.2, delay=0.1, race=0.2, refuses=0.01, forgets=0.05,
        times_out=0.01, too_many=0.02, bad=0.01, forbidden=0.01, broken=0.01, lost=0.01, unheard=0.02,
        migrates=True, deploys=True,
    ),
    "chaos": Weather(
        ends_alike=False, reads_alike=False, kill=0.01, duplicate=0.2, delay=0.1, timer_lost=0.3, timer_late=0.2,
        race=0.2, refuses=0.01, forgets=0.05, times_out=0.01, too_many=0.02, bad=0.01, forbidden=0.01,
        broken=0.01, lost=0.01, unheard=0.02, migrates=True, deploys=True, short=True, loose=True,
    ),
}  # fmt: skip
"""By name; `timers` and `chaos` are the ones whose end may be another."""


@dataclass(frozen=True)
class Case:
    """One game: where it is played, how it is drawn, what befalls it."""

    book: str
    seats: int
    seed: int
    kind: str = "calm"

    @property
    def weather(self) -> Weather:
        return CALM if self.kind == "calm" else KINDS[self.kind]

    @property
    def undisturbed(self) -> Case:
        """The same game in calm weather."""
        return replace(self, kind="calm")

    def chance(self, *names: object) -> Random:
        """Chance by name: the same in every weather, whatever happens in which order."""
        return Random(f"{self.book}.{self.seats}.{self.seed}.{'.'.join(map(str, names))}")

    def __str__(self) -> str:
        return f"{self.book}.{self.seats}.{self.seed}.{self.kind}"


def read(text: str) -> Case:
    """The case that `str` wrote."""
    book, seats, seed, kind = text.split(".")
    return Case(book, int(seats), int(seed), kind)
