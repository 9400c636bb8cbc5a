"""What seats of many worlds were shown, beside what they may know: the comparison that law 6 is.

Two worlds in which a seat is entitled to know the same must show it the same, byte for byte; and two worlds that
show it the same must not differ in what it is entitled to.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

import engine
from engine import events

Note = tuple[Any, ...]
"""One thing that somebody is entitled to know."""
Render = Callable[[Sequence[engine.Event], engine.View], list[str]]
"""The words made of what somebody hears; the view's `mine` tells who it is, None stands for the group."""

BEGAN = 1_800_000_000.0
PUBLIC = 0
"""Stands for somebody without a seat, who knows what everybody knows."""


class Shown(NamedTuple):
    """One thing that was shown to somebody, and when."""

    at: float
    what: str

    def __str__(self) -> str:
        return f"+{self.at - BEGAN:.3f} {self.what}"


class Known(NamedTuple):
    """What a seat may know by some moment, and what it has been shown by then."""

    entitled: tuple[Note, ...]
    shown: tuple[Shown, ...]


class Run(NamedTuple):
    """A world as it was played: its deal, and what each seat knows, moment by moment."""

    world: Any
    deal: Any
    known: dict[int, tuple[Known, ...]]


def is_dawn(event: engine.Event) -> bool:
    """Say whether this names the night's dead."""
    return isinstance(event, events.Fell) and event.occasion == "night"


def encoded(thing: engine.Event | engine.View) -> bytes:
    """The bytes of an event or a view."""
    return msgspec.json.encode(thing)


def masked(event: engine.Event) -> engine.Event:
    """The event without the hash of the deal, which differs between deals, and without the open result."""
    if isinstance(event, events.Started):
        return msgspec.structs.replace(event, fingerprint="")
    if isinstance(event, events.Ended):
        return msgspec.structs.replace(event, result=engine.Result(event.result.camp, (), ()), seed="", line="")
    return event


class Verdict(NamedTuple):
    """What came out of comparing the worlds of a table.

    leaks: where a seat was shown a difference it is not entitled to. withheld: where it was shown none
    though it is entitled to one.
    mixed: how many groups of worlds that a seat cannot tell apart have different deals, by seat.
    told: what sort of things anybody was entitled to know.
    """

    leaks: list[str]
    withheld: list[str]
    mixed: Counter[int]
    told: set[str]


def compare(runs: Iterable[Run], *, first_leak_only: bool = False) -> Verdict:
    """Group the worlds by what each seat may know at a moment, and look whether each group is shown the same."""
    verdict = Verdict([], [], Counter(), set())
    by_notes: dict[tuple[int, int, tuple[Note, ...]], tuple[Any, Known]] = {}
    by_lines: dict[tuple[int, int, tuple[Shown, ...]], tuple[Any, Known]] = {}
    hands: dict[tuple[int, int, tuple[Note, ...]], set[Any]] = defaultdict(set)
    for run in runs:
        for seat, moments in run.known.items():
            verdict.told.update(note[0] for note in moments[-1].entitled)
            for moment, known in enumerate(moments):
                this, notes, lines = (
                    (run.world, known),
                    (seat, moment, known.entitled),
                    (seat, moment, known.shown),
                )
                hands[notes].add(run.deal)
                other = by_notes.setdefault(notes, this)
                if other[1].shown != known.shown:
                    verdict.leaks.append(_report(seat, other, this, *_first(other[1].shown, known.shown)))
                other = by_lines.setdefault(lines, this)
                if other[1].entitled != known.entitled:
                    verdict.withheld.append(_report(seat, other, this, *_first(other[1].entitled, known.entitled)))
        if first_leak_only and verdict.leaks:
            break
    verdict.mixed.update(seat for (seat, _, _), dealt in hands.items() if len(dealt) > 1)
    return verdict


def _first(one: Iterable[object], other: Iterable[object]) -> tuple[str, str]:
    """The first line in which they differ, cut to where it does."""
    first, second = next((str(a), str(b)) for a, b in itertools.zip_longest(one, other) if a != b)
    same = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    begin = max(0, same - 80)

    def cut(line: str) -> str:
        return f"{line[:30]} … {line[begin : same + 120]}" if begin > 30 else line[:240]

    return cut(first), cut(second)


def _report(seat: int, one: tuple[Any, Known], other: tuple[Any, Known], first: str, second: str) -> str:
    return "\n".join(
        (
            f"seat {seat} ({PUBLIC}: everybody), entitled to {one[1].entitled}, in two worlds:",
            f"  {one[0]}",
            f"  {other[0]}",
            f"  {first}",
            f"  {second}",
        )
    )
