"""Longer texts: who plays, help."""

from __future__ import annotations

from engine import View
from handlers.record import Table
from handlers.wording import houses
from handlers.wording.keys import COMMANDS
from handlers.wording.scribe import Scribe

IN_PRIVATE = ("card", "leave", "rules", "roles", "glossary", "language", "privacy", "help")


def players(scribe: Scribe, table: Table, view: View | None) -> str:
    """Everybody at the table as everybody may see him."""
    if view is None:
        return "\n".join(scribe.seat(seat) for seat in range(1, len(table.people) + 1)) or scribe.say(
            "lobby.empty"
        )
    lines = []
    for seat in view.seats:
        offices = (("🎖", view.sheriff), ("🪦", view.welcome), ("📜", view.sage))
        marks = "".join(sign for sign, holder in offices if holder == seat.number)
        marks += "🤐" if "unvoiced" in seat.marks else ""
        cards = " ".join(scribe.role(card) for card in seat.cards)
        state = "" if seat.alive else f" 💀 {cards}".rstrip()
        if seat.houses:
            state = " " + " ".join(f"{'🏠' if house.alive else '💀'}{house.name}" for house in seat.houses)
        warned = f" ⚠️{seat.warnings}" if seat.warnings else ""
        lines.append(f"{scribe.seat(seat.number)} {marks}{state}{warned}".rstrip())
    if view.town:
        lines.append(houses.board(scribe, view.town))
    return "\n".join(lines)


def help_text(scribe: Scribe, private: bool) -> str:
    """What can be typed."""
    names = IN_PRIVATE if private else COMMANDS
    lines = [scribe.say("help.intro")]
    lines += [f"/{name} — {scribe.say(f'command.{name}')}" for name in names]
    return "\n".join(lines)
