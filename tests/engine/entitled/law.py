"""Law 6 for a table: a seat is shown what it may know, no more and no less; and the worlds tried are worth it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tests.engine.entitled import entitled_by
from tests.engine.entitled.course import check
from tests.engine.entitled.ledger import Table
from tests.engine.entitled.transcripts import PUBLIC
from tests.engine.words import remembered


def tables_of(books: Iterable[str]) -> list[Any]:
    """The tables of these books, as parameters of a test."""
    return [
        pytest.param(book, table, id=f"{book}, {table.name}")
        for book in books
        for table in entitled_by(book).tables
    ]


def is_kept(book: str, table: Table) -> None:
    """Fail with the first two worlds that break it."""
    verdict = check(book, table, entitled_by(book), remembered)
    assert not verdict.leaks, verdict.leaks[0]
    assert not verdict.withheld, verdict.withheld[0]
    # Nothing is proved where every deal is told from every other.
    assert min(verdict.mixed[seat] for seat in range(PUBLIC, table.seats + 1)) >= 3, verdict.mixed
    missing = (table.occurs | {str(disturbance) for disturbance in table.disturbed}) - verdict.told
    assert not missing, missing
