"""Law 6 in the books with suspects and verdicts: worlds that a seat cannot tell apart look the same to it."""

from __future__ import annotations

import pytest

from tests.engine.entitled import PARTS
from tests.engine.entitled.law import is_kept, tables_of
from tests.engine.entitled.ledger import Table


@pytest.mark.parametrize(("book", "table"), tables_of(PARTS[2]))
def test_a_seat_is_shown_what_it_is_entitled_to_and_no_more(book: str, table: Table) -> None:
    is_kept(book, table)
