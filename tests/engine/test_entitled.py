"""Law 6 in every book: two worlds that a seat is not entitled to tell apart give it the same transcript."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine import test_entitlement as plants
from tests.engine.entitled import BOOKS, entitled_by
from tests.engine.entitled.course import check
from tests.engine.entitled.ledger import Entitled, Table
from tests.engine.entitlement import PUBLIC
from tests.engine.test_entitlement import Plant
from tests.engine.words import spoken


@pytest.mark.parametrize("book", BOOKS)
def test_every_book_says_who_may_know_what(book: str) -> None:
    assert entitled_by(book).tables


def _tables() -> list[Any]:
    found: list[Any] = []
    for book in BOOKS:
        try:
            entitled = entitled_by(book)
        except LookupError:
            continue
        found += [pytest.param(book, table, entitled, id=f"{book}, {table.name}") for table in entitled.tables]
    return found


@pytest.mark.parametrize(("book", "table", "entitled"), _tables())
def test_a_seat_is_shown_what_it_is_entitled_to_and_no_more(book: str, table: Table, entitled: Entitled) -> None:
    verdict = check(book, table, entitled, spoken)
    assert not verdict.leaks, verdict.leaks[0]
    assert not verdict.withheld, verdict.withheld[0]
    # Nothing is proved where every deal is told from every other.
    assert min(verdict.mixed[seat] for seat in range(PUBLIC, table.seats + 1)) >= 3
    assert verdict.told >= table.occurs


# Leaks, planted ----------------------------------------------------------------------------------------


def table_of(book: str, name: str) -> Table:
    """A table of a book by its name."""
    return next(table for table in entitled_by(book).tables if table.name == name)


@pytest.mark.parametrize(
    ("plant", "book", "name"),
    [
        (plants.waiting_list, "classic", "witch and seer"),
        (plants.early_night, "new_moon", "piper"),
        (plants.cause_in_the_view, "new_moon", "piper"),
        (plants.cause_by_cause, "classic", "witch and seer"),
        (plants.order_of_killing, "new_moon", "piper"),
        (plants.prompts_for_all, "lupus", "mythomaniac"),
        (plants.prompts_for_all, "lupusburg", "four seats"),
        (plants.pause_for_the_hunter, "handbook", "hunter and scapegoat"),
        (plants.empty_pause, "handbook", "hunter and scapegoat"),
    ],
)
def test_a_leak_is_found(plant: Plant, book: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the leak each of these tables is clean: that is the test above."""
    plant(monkeypatch)
    assert check(book, table_of(book, name), entitled_by(book)).leaks
