"""Chance, drawn by name: from the seed, the day, a purpose and a seat, never from a running stream.

So a secret draw – a card taken from the centre, a call that nobody answers – cannot shift a public one
(law 6), and the same seed and commands give the same game.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


def number(seed: str, day: int, purpose: str, seat: int = 0) -> int:
    """A number of 64 bits. `seed`: 32 bytes in hex."""
    name = f"{day}/{purpose}/{seat}".encode()
    return int.from_bytes(blake2b(name, key=bytes.fromhex(seed), digest_size=8).digest(), "big")


def fraction(seed: str, day: int, purpose: str, seat: int = 0) -> float:
    """A number from 0 up to, but not including, 1."""
    return (number(seed, day, purpose, seat) >> 11) / 2**53


def between(low: float, high: float, seed: str, day: int, purpose: str, seat: int = 0) -> float:
    """A number of seconds between two, to the millisecond."""
    return round(low + (high - low) * fraction(seed, day, purpose, seat), 3)


def pick(items: Sequence[T], seed: str, day: int, purpose: str, seat: int = 0) -> T:
    """One of the items."""
    return items[number(seed, day, purpose, seat) % len(items)]


def pick_several(
    items: Sequence[T], count: int, seed: str, day: int, purpose: str, seat: int = 0
) -> tuple[T, ...]:
    """So many of the items, in their order."""
    chosen = set(shuffle(range(len(items)), seed, day, purpose, seat)[:count])
    return tuple(item for index, item in enumerate(items) if index in chosen)


def shuffle(items: Sequence[T], seed: str, day: int, purpose: str, seat: int = 0) -> list[T]:
    """All the items in another order."""
    draws = [(number(seed, day, f"{purpose}.{index}", seat), index) for index in range(len(items))]
    return [items[index] for _, index in sorted(draws)]
