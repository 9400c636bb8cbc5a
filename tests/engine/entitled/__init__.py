"""Who is entitled to know what, book by book: what is said here is taken from the rule books and the rulings.

`ledger.py` says what is the same in all books, a module per book what it adds; `course.py` plays worlds and keeps
what each seat is shown. None of them looks at an audience or at a view to find out what may be known.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from engine import RULE_BOOKS
from tests.engine.entitled.ledger import Entitled


def entitled_by(book: str) -> Entitled:
    """What the book's module says. Raises LookupError where nobody has written one."""
    name = f"{__name__}.{book}"
    if find_spec(name) is None:
        raise LookupError(f"tests/engine/entitled/{book}.py says who may know what in {book}")
    found: Entitled = import_module(name).ENTITLED
    return found


BOOKS = tuple(RULE_BOOKS)

PARTS = (("classic",), ("new_moon", "elder", "handbook"), ("lupus", "lupusburg"))
"""The books of each file of tests: workers share the files out."""
