"""The lobby's message."""

from __future__ import annotations

from engine import RULE_BOOKS
from handlers import names, settings
from handlers.record import Table
from handlers.wording import options
from handlers.wording.scribe import Scribe


def lobby(scribe: Scribe, table: Table) -> str:
    """Who is here, how many are missing, the deck that would be dealt, and what differs from the book."""
    book = RULE_BOOKS[table.book]
    count = len(table.people)
    host = table.seat_of(table.opener)
    name = scribe.name(host) if host else names.clean(table.opener_name)
    host_name = scribe.paper.escape(name or "–")
    title = scribe.say("lobby.title", book=scribe.say(f"book.{table.book}"), host=host_name)
    lines = [scribe.paper.bold(title)]
    lines.append(
        scribe.say("gap").join(scribe.seat(seat) for seat in range(1, count + 1)) or scribe.say("lobby.empty")
    )
    if table.phase == "over" and not table.game:
        lines.append(scribe.say("lobby.closed"))
    elif table.phase != "lobby":
        lines.append(scribe.say("lobby.started", count=count))
    elif count < book.fewest:
        lines.append(scribe.say("lobby.missing", missing=book.fewest - count, fewest=book.fewest, most=book.most))
    else:
        lines.append(scribe.say("lobby.enough", count=count, fewest=book.fewest, most=book.most))
    deck = scribe.deck(settings.deck(table))
    lines.append(scribe.say("lobby.deck", count=settings.seats_of(table), deck=deck))
    lines += options.lottery(scribe, table)
    if different := options.differing(scribe, table):
        lines.append(scribe.say("lobby.differs", options=different))
    lines.append(scribe.say("lobby.house", options=options.house(scribe, table)))
    if table.phase == "lobby":
        lines += options.problem(scribe, table)
    return "\n".join(lines)
