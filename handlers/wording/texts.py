"""Longer texts: who plays, the rules, the roles, help."""

from __future__ import annotations

from engine import RULE_BOOKS, View
from handlers.record import Table
from handlers.wording.keys import COMMANDS
from handlers.wording.scribe import EMOJI, Scribe

IN_PRIVATE = ("card", "leave", "rules", "roles", "language", "privacy", "help")


def players(scribe: Scribe, table: Table, view: View | None) -> str:
    """Everybody at the table as everybody may see him."""
    if view is None:
        return "\n".join(scribe.seat(seat) for seat in range(1, len(table.people) + 1)) or scribe.say(
            "lobby.empty"
        )
    lines = []
    for seat in view.seats:
        marks = ("🎖" if view.sheriff == seat.number else "") + ("🤐" if "unvoiced" in seat.marks else "")
        cards = " ".join(scribe.role(card) for card in seat.cards)
        state = "" if seat.alive else f" 💀 {cards}".rstrip()
        warned = f" ⚠️{seat.warnings}" if seat.warnings else ""
        lines.append(f"{scribe.seat(seat.number)} {marks}{state}{warned}".rstrip())
    return "\n".join(lines)


def rules(scribe: Scribe, book: str) -> str:
    """The rules of a book in short."""
    return "\n".join((scribe.say(f"about.{book}"), scribe.say(f"rules.{book}")))


def roles(scribe: Scribe, table: Table | None) -> str:
    """What each role can do: those of the running game, or all of the book."""
    book = RULE_BOOKS[table.book if table else "classic"]
    deck = None
    if table is not None and table.phase == "playing":
        deck = dict.fromkeys(table.play().deck, 1)
    shown = [role for role in EMOJI if role in book.roles and (deck is None or role in deck)]
    return "\n".join(f"{scribe.role(role)} — {scribe.help(role, book.name)}" for role in shown)


def help_text(scribe: Scribe, private: bool) -> str:
    """What can be typed."""
    names = IN_PRIVATE if private else COMMANDS
    lines = [scribe.say("help.intro")]
    lines += [f"/{name} — {scribe.say(f'command.{name}')}" for name in names]
    return "\n".join(lines)
