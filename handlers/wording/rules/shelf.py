"""A rule book as a reader has it before him: as it is printed, or as a table plays it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from engine import RULE_BOOKS, RuleBook
from handlers import settings
from handlers.record import Table
from handlers.wording.scribe import BOOKS


class Copy(Struct, frozen=True):
    """A book to read.

    roles: all it has. deck: what this table deals, None where there is no table. seats: at the table.
    waves: the calls of a night, those that are open together in one tuple. changed: options not as printed.
    house: the rules of the house, empty where there is no table.
    """

    name: str
    fewest: int
    most: int
    roles: tuple[str, ...]
    waves: tuple[tuple[str, ...], ...]
    first_night: frozenset[str]
    option_names: tuple[str, ...]
    options: Mapping[str, Any]
    deck: Mapping[str, int] | None = None
    seats: int = 0
    changed: tuple[str, ...] = ()
    house: Mapping[str, str] = {}

    def deals(self, role: str) -> bool:
        """Say whether the role is in the deck; where there is no table, whether it can be."""
        return role in self.roles if self.deck is None else self.deck.get(role, 0) > 0

    def title_of(self, role: str) -> str:
        """What a role is called here: at a large table the owl-man is Death."""
        return "death" if role == "owl_man" and self.seats > self.options.get("death_above", 20) else role


def printed(name: str) -> Copy:
    """A book as it is printed. Raises KeyError for one there is not."""
    book = RULE_BOOKS[name]
    waves, first_night = _night(book, book.usual)
    return Copy(
        name=name,
        fewest=book.fewest,
        most=book.most,
        roles=book.roles,
        waves=waves,
        first_night=first_night,
        option_names=book.option_names,
        options=asdict(book.options({})),
    )


def played(table: Table) -> Copy:
    """The book of a table, with its options and its deck: the one that is dealt, or that would be."""
    book = RULE_BOOKS[table.book]
    waves, first_night = _night(book, book.freeze(table.options))
    playing = table.phase != "lobby" and table.game
    return Copy(
        name=book.name,
        fewest=book.fewest,
        most=book.most,
        roles=book.roles,
        waves=waves,
        first_night=first_night,
        option_names=book.option_names,
        options=asdict(book.options(table.options)),
        deck=table.play().deck if playing else settings.deck(table),
        seats=len(table.people),
        changed=tuple(name for name in settings.changed(table) if name not in settings.HOUSE),
        house={name: settings.value(table, name) for name in settings.HOUSE},
    )


def _night(book: RuleBook, frozen: str) -> tuple[tuple[tuple[str, ...], ...], frozenset[str]]:
    """The calls of a book's nights in their order, and those that only the first one has."""
    first, second, third = (book.night_of(number, frozen) for number in (1, 2, 3))
    later = {call for calls in (*second, *third) for call in calls}
    only_first = frozenset(call for calls in first for call in calls if call not in later)
    opening = tuple(calls for calls in first if set(calls) <= only_first)
    return (*opening, *max(second, third, key=len)), only_first


def offered() -> list[str]:
    """The books that can be played, in the order they are offered in."""
    return [name for name in BOOKS if name in RULE_BOOKS]
