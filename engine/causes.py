"""What seats die of. Of several causes in one moment the strictest counts (ruling 7, G21)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from engine.game import Option, place

STRICTEST_FIRST = (
    "left",
    "expelled",
    "explode",
    "poison",
    "banish",
    "shot",
    "seen",
    "death",
    "guard_and_heal",
    "wolves",
    "lynch",
    "tie",
    "heartbreak",
    "curse",
)
"""A seat explodes, is voted out, loses its heart or is cursed only while it lives: these never meet another."""


Dying = TypeVar("Dying", bound=Option)


def strictest(causes: Iterable[tuple[Dying, str]]) -> dict[Dying, str]:
    """The cause that counts for each seat, or house, in their order."""
    counts: dict[Dying, str] = {}
    for whom, cause in sorted(causes, key=lambda death: STRICTEST_FIRST.index(death[1])):
        counts.setdefault(whom, cause)
    return dict(sorted(counts.items(), key=lambda death: place(death[0])))
