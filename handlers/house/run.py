"""Many games, on as many cores as there are. Seed, seats and number name a game, whichever process plays it."""

from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from typing import Any

from engine import RULE_BOOKS, Setup, check_setup
from handlers.house.figures import Outcome
from handlers.house.players.at_random import Random
from handlers.house.players.sensible import Player, Sensible
from handlers.house.table import Course, Table

BATCH = 20
"""So many games a process plays before it tells of them."""


@dataclass(frozen=True)
class Order:
    """What is to be played.

    seats: every number of seats. games: so many of each. random: do the players choose by chance alone.
    deck: how many cards of a role there are, where that differs from what the book recommends.
    """

    book: str
    seats: tuple[int, ...]
    games: int
    seed: int
    random: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    deck: Mapping[str, int] = field(default_factory=dict)

    def setup(self, seats: int) -> Setup:
        """What a table of so many seats agrees on. Villagers make room for the deck's other cards."""
        if not self.deck:
            return Setup(book=self.book, seats=seats, options=self.options)
        deck = {**RULE_BOOKS[self.book].deck_for(seats), **self.deck}
        if "villager" not in self.deck:
            deck["villager"] = seats - sum(count for role, count in deck.items() if role != "villager")
        deck = {role: count for role, count in deck.items() if count}
        return Setup(book=self.book, seats=seats, options=self.options, deck=deck)

    def check(self) -> None:
        """Raise OptionRefused or DeckRefused where a table cannot be dealt."""
        for seats in self.seats:
            check_setup(self.setup(seats))


def play(order: Order, seats: int, number: int) -> Course:
    """The game of that number."""
    chance = random.Random(f"{order.seed}/{order.book}/{seats}/{number}")  # noqa: S311 - it has to be repeatable
    kind = Random if order.random else Sensible
    players: list[Player] = [kind(random.Random(chance.random())) for _ in range(seats)]  # noqa: S311
    return Table(order.setup(seats), chance.randbytes(32), players, chance).play()


def outcomes(order: Order, processes: int) -> Iterator[Outcome]:
    """How the games end, in any order."""
    work = [
        (seats, range(first, min(first + BATCH, order.games)))
        for seats in order.seats
        for first in range(0, order.games, BATCH)
    ]
    if processes == 1:
        for batch in work:
            yield from _batch(order, batch)
        return
    with get_context("spawn").Pool(processes, _leave_interrupts_to_the_parent) as pool:
        for done in pool.imap_unordered(partial(_batch, order), work):
            yield from done


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _batch(order: Order, work: tuple[int, range]) -> list[Outcome]:
    seats, numbers = work
    return [_outcome(seats, play(order, seats, number)) for number in numbers]


def _outcome(seats: int, course: Course) -> Outcome:
    result = course.result
    roles = Counter(role for fate in result.fates for role in fate.roles)
    won = Counter(role for fate in result.fates if fate.won for role in fate.roles)
    return Outcome(seats, result.camp, course.days, course.commands, round(course.seconds), roles, won)
