"""What seats die of. Of several causes in one moment the strictest counts (ruling 7, G21)."""

from __future__ import annotations

from collections.abc import Iterable

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


def strictest(causes: Iterable[tuple[int, str]]) -> dict[int, str]:
    """The cause that counts for each seat, in the order of the seats."""
    counts: dict[int, str] = {}
    for seat, cause in sorted(causes, key=lambda death: STRICTEST_FIRST.index(death[1])):
        counts.setdefault(seat, cause)
    return dict(sorted(counts.items()))
