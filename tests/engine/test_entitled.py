"""Law 6: every book says who may know what, and a leak that is planted is found.

That there is none without it say `test_entitled_*.py`, in several files which workers share out among them.
"""

from __future__ import annotations

import pytest

from tests.engine.entitled import BOOKS, PARTS, entitled_by, plants
from tests.engine.entitled.course import check
from tests.engine.entitled.ledger import Table
from tests.engine.entitled.plants import Plant
from tests.engine.words import spoken


def test_every_book_is_in_one_of_the_files() -> None:
    assert sorted(book for part in PARTS for book in part) == sorted(BOOKS)


@pytest.mark.parametrize("book", BOOKS)
def test_every_book_says_who_may_know_what(book: str) -> None:
    assert entitled_by(book).tables


# Leaks, planted ----------------------------------------------------------------------------------------


def table_of(book: str, name: str) -> Table:
    """A table of a book by its name."""
    return next(table for table in entitled_by(book).tables if table.name == name)


@pytest.mark.parametrize(
    ("plant", "book", "name"),
    [
        (plants.waiting_list, "classic", "witch and seer"),
        (plants.early_night, "classic", "witch and seer"),
        (plants.early_night, "classic", "thief and two wolves"),
        (plants.early_night, "new_moon", "piper"),
        (plants.cause_in_the_view, "classic", "witch and seer"),
        (plants.cause_in_the_view, "new_moon", "piper"),
        (plants.cause_by_cause, "classic", "witch and seer"),
        (plants.running_stream, "classic", "speeches in turn"),
        (plants.refusal_by_role, "classic", "witch and seer"),
        (plants.refusal_by_role, "elder", "two wolves in hidden lynchings"),
        (plants.refusal_by_target, "classic", "witch and seer"),
        (plants.refusal_by_target, "lupus", "medium, possessed, bodyguard"),
        (plants.order_of_killing, "classic", "witch and seer"),
        (plants.order_of_killing, "new_moon", "piper"),
        (plants.prompts_for_all, "classic", "little girl, never noticed"),
        (plants.prompts_for_all, "lupus", "mythomaniac"),
        (plants.prompts_for_all, "lupusburg", "four seats"),
        (plants.pause_for_the_hunter, "classic", "hidden cards, hunter, guard"),
        (plants.pause_for_the_hunter, "handbook", "hunter and scapegoat"),
        (plants.no_pause_for_the_poisoned, "classic", "hidden cards, hunter, guard"),
        (plants.empty_pause, "classic", "hidden cards, hunter, guard"),
        (plants.empty_pause, "handbook", "hunter and scapegoat"),
    ],
)
def test_a_leak_is_found(plant: Plant, book: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the leak each of these tables is clean: that is the test above."""
    plant(monkeypatch)
    assert check(book, table_of(book, name), entitled_by(book), first_leak_only=True).leaks


def test_a_leak_in_the_words_is_found() -> None:
    table = table_of("classic", "thief and two wolves")
    assert check("classic", table, entitled_by("classic"), plants.numbered(), first_leak_only=True).leaks


def test_a_leak_in_a_sentence_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plants.number_in_a_sentence(monkeypatch)
    table = table_of("classic", "thief and two wolves")
    assert check("classic", table, entitled_by("classic"), spoken, first_leak_only=True).leaks
