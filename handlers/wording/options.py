"""The options of a lobby in words: what they are called, what they are set to, why one would change them."""

from __future__ import annotations

from typing import Any

from engine import RULE_BOOKS
from handlers import cards, settings
from handlers.record import Table
from handlers.wording import popups
from handlers.wording.keys import KEYS
from handlers.wording.scribe import Scribe

_MINUTE, _HOUR = 60, 3600


def card(scribe: Scribe, table: Table, page: int) -> str:
    """A page of the settings: options, the deck, the books, or that they are closed."""
    if page == cards.CLOSED:
        return scribe.say("settings.closed")
    if page == cards.BOOKS:
        return _books(scribe, table)
    return _deck(scribe, table) if page == cards.DECK else _options(scribe, table, page)


def _options(scribe: Scribe, table: Table, page: int) -> str:
    book = scribe.say(f"book.{table.book}")
    lines = [scribe.paper.bold(scribe.say("settings.title", book=book))]
    for name in settings.on_page(table, page):
        mark = "🔸" if settings.is_changed(table, name) else "▫️"
        lines.append(f"\n{mark} {scribe.paper.bold(turned(scribe, table, name))}\n{scribe.say(f'why.{name}')}")
    lines.append("\n" + scribe.say("settings.hint"))
    return "\n".join(lines)


def _books(scribe: Scribe, table: Table) -> str:
    lines = [scribe.paper.bold(scribe.say("books.title"))]
    for name, book in RULE_BOOKS.items():
        mark = "🔸" if name == table.book else "▫️"
        title = scribe.paper.bold(scribe.say(f"book.{name}"))
        seats = scribe.say("books.seats", fewest=book.fewest, most=book.most)
        lines.append(f"\n{mark} {title} {seats}\n{scribe.say(f'about.{name}')}")
    return "\n".join(lines)


def _deck(scribe: Scribe, table: Table) -> str:
    deck, seats = settings.deck(table), settings.seats_of(table)
    lines = [scribe.paper.bold(scribe.say("lobby.deck", count=seats, deck=scribe.deck(deck)))]
    lines += [
        scribe.say("deck.role", role=scribe.role(role), number=deck[role], help=scribe.help(role, table.book))
        for role in RULE_BOOKS[table.book].roles
        if deck.get(role, 0) > 0
    ]
    lines += lottery(scribe, table)
    lines += problem(scribe, table)
    kind = "recommended" if table.specials is None else "chosen"
    lines.append("\n" + scribe.say(f"deck.{kind}" if RULE_BOOKS[table.book].choosable else "deck.only"))
    return "\n".join(lines)


def lottery(scribe: Scribe, table: Table) -> list[str]:
    """The line that says what is left to the lot, if anything is."""
    roles, number = settings.lottery(table)
    return [scribe.say("lobby.lottery", roles=scribe.roles(roles), number=number)] if roles else []


def problem(scribe: Scribe, table: Table) -> list[str]:
    """The line that says what speaks against dealing, if anything does."""
    refused = settings.problem(table)
    return ["⚠️ " + scribe.paper.escape(popups.reply(scribe, refused))] if refused else []


def differing(scribe: Scribe, table: Table) -> str:
    """The options that differ from the book, in one line; empty if none does."""
    names = [name for name in settings.changed(table) if name not in settings.HOUSE]
    return scribe.say("gap").join(turned(scribe, table, name) for name in names)


def house(scribe: Scribe, table: Table) -> str:
    """The rules of the house, in one line."""
    return scribe.say("gap").join(turned(scribe, table, name) for name in settings.HOUSE)


def turned(scribe: Scribe, table: Table, name: str) -> str:
    """An option and what it is set to."""
    now = value(scribe, name, settings.value(table, name))
    return scribe.say("turned", option=scribe.say(f"option.{name}"), value=now)


def value(scribe: Scribe, name: str, value: Any) -> str:
    """What an option is set to."""
    if isinstance(value, bool):
        return scribe.say("value.yes" if value else "value.no")
    if isinstance(value, str):
        return scribe.say(f"value.{name}.{value}")
    if isinstance(value, tuple):
        return _several(scribe, value)
    if name.endswith("_s"):
        return _seconds(scribe, value)
    if name == "girl_noticed":
        return f"{value:.0%}"
    if name in ("guard_min_seats", "max_days") and not value:
        return scribe.say("value.unlimited")
    return scribe.say(f"value.{name}", number=f"{value:g}")


def _several(scribe: Scribe, value: tuple[Any, ...]) -> str:
    """Causes of death, roles, or the ends of a range."""
    if not value:
        return scribe.say("value.nothing")
    if isinstance(value[0], str):
        words = (scribe.say(f"fate.{word}") if f"fate.{word}" in KEYS else scribe.role(word) for word in value)
        return scribe.say("list.and").join(words)
    low, high = value
    return scribe.say("value.range", low=f"{low:g}", high=f"{high:g}")


def _seconds(scribe: Scribe, seconds: int) -> str:
    if seconds % _HOUR == 0:
        return scribe.say("value.hours", number=seconds // _HOUR)
    if seconds % _MINUTE == 0 and seconds > _MINUTE:
        return scribe.say("value.minutes", number=seconds // _MINUTE)
    return scribe.say("seconds", seconds=seconds)
