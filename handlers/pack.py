"""What the pack says to each other at night, through the bot. It is in no event and outlives no delivery."""

from __future__ import annotations

from msgspec.structs import replace

from engine import view_for
from handlers import moves, upkeep
from handlers.post import Post
from handlers.record import Reply, Table, Whisper

LONGEST = 300
EVERY_S = 2.0
"""Seconds between two texts of one person."""

UNHEARD = "unheard"


def talk(table: Table, user: int, text: str, now: float) -> tuple[Table, Reply | None]:
    """Somebody has written to the bot: his pack hears it, or nobody does.

    Whoever has nobody to hear him is told so in the same words, whatever he is and whenever he writes.
    """
    if table.phase == "playing":
        table, _ = moves.catch_up(table, table.play(), now)
    table = upkeep.heard(table, user, now)
    seat = table.seat_of(user)
    if table.phase != "playing" or not seat:
        return table, Reply(UNHEARD)
    mine = view_for(table.play(), seat).mine
    if mine is None or not mine.hears:
        return table, Reply(UNHEARD)
    if len(text) > LONGEST:
        return table, Reply("too_long", number=LONGEST)
    if now - table.talked.get(seat, 0.0) < EVERY_S:
        return table, Reply("too_fast")
    post = Post(replace(table, talked={**table.talked, seat: now}))
    for fellow in mine.hears:
        post.add(Whisper, seat=fellow, by=seat, text=text)
    return post.table, None
