"""The rule books that can be played, by name."""

from __future__ import annotations

from engine.rulebooks import classic, elder, handbook, lupus, lupusburg, new_moon
from engine.rulebooks.book import RuleBook

RULE_BOOKS: dict[str, RuleBook] = {
    book.BOOK.name: book.BOOK for book in (classic, new_moon, elder, handbook, lupus, lupusburg)
}
