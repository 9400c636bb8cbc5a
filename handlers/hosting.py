"""What is done to a table by those who may: leave it, close it, hurry it, warn and expel. Judgements are pure.

Who may – the host, a group admin – has been proved before; the group is told who used it.
"""

from __future__ import annotations

from msgspec.structs import replace

from engine import Command, Draw, Expel, Extend, Leave, Refused, Skip, Warn, view_for
from handlers import lobby, upkeep
from handlers.moves import advance, catch_up
from handlers.post import Post
from handlers.record import Notice, Reply, Table

KINDS = ("oath", "outside")
"""Kinds of offence that a warning may name."""

SENTENCE = "sentence"
"""The kind of expulsion for a Cupid who has named his lovers."""


def leave(table: Table, user: int, now: float) -> tuple[Table, Reply]:
    """Somebody goes: out of the lobby, or out of the game for good."""
    if table.phase == "lobby":
        return lobby.leave(table, user)
    seat = table.seat_of(user)
    if table.phase == "over" or not seat:
        return table, Reply("no_seat")
    table, game = catch_up(table, table.play(), now)
    advanced = advance(table, game, Leave(seat), now)
    if isinstance(advanced, Refused):
        return table, Reply("gone_already" if advanced.code == "dead" else advanced.code)
    after, game = advanced
    if user == table.opener and after.phase == "playing":
        living = {after.person(s.number).user for s in view_for(game, None).seats if s.alive} - {user}
        place = after.joined.index(user)
        heirs = [heir for heir in (*after.joined[place:], *after.joined[:place]) if heir in living]
        after = replace(after, opener=heirs[0] if heirs else user)
    return after, Reply("left_game")


def cancel(table: Table, by: str) -> tuple[Table, Reply | None]:
    """Close a lobby, or a game without a winner."""
    if table.phase == "over":
        return table, Reply("over")
    post = Post(upkeep.close(table))
    post.add(Notice, code="cancelled", by=by)
    return post.table, None


def sage(table: Table) -> int:
    """The seat that alone keeps the time where there is no moderator at the table; 0 where there is none (L26)."""
    return view_for(table.play(), None).sage if table.phase == "playing" else 0


def skip(table: Table, by: str, now: float, keeper: int = 0) -> tuple[Table, Reply | None]:
    """Let the present step end. keeper: the seat that asks for it, 0 for the table's authority."""
    return _carry_out(table, Skip(keeper or "host"), Notice(seq=0, code="skipped", by=by), now)


def extend(table: Table, by: str, seconds: int, now: float, keeper: int = 0) -> tuple[Table, Reply | None]:
    """Give the present step more time. keeper: as for `skip`."""
    return _carry_out(table, Extend(keeper or "host", seconds), Notice(seq=0, code="extended", by=by), now)


def warn(table: Table, by: str, seat: int, kind: str, now: float) -> tuple[Table, Reply | None]:
    """Warn a seat; the second warning expels it."""
    return _carry_out(table, Warn("host", seat, kind), Notice(seq=0, code="warned", about=seat, by=by), now)


def expel(table: Table, by: str, seat: int, now: float, kind: str = "") -> tuple[Table, Reply | None]:
    """Put a seat out of the game; for a `sentence` only a Cupid who must not name his lovers."""
    return _carry_out(table, Expel("host", seat, kind), Notice(seq=0, code="expelled", about=seat, by=by), now)


def draw(table: Table, by: str, now: float) -> tuple[Table, Reply | None]:
    """Take the draw that was offered."""
    return _carry_out(table, Draw("host"), Notice(seq=0, code="drawn", by=by), now)


def _carry_out(table: Table, command: Command, told: Notice, now: float) -> tuple[Table, Reply | None]:
    """Carry out a command of the table's authority, and tell the group whose it was."""
    if table.phase != "playing":
        return table, Reply("over" if table.phase == "over" else "not_started")
    table, game = catch_up(table, table.play(), now)
    if table.phase == "over":
        return table, Reply("over")
    post = Post(table)
    post.add(Notice, code=told.code, about=told.about, by=told.by)
    advanced = advance(post.table, game, command, now)
    if isinstance(advanced, Refused):
        return table, Reply("seat_number" if advanced.code == "no_seat" else advanced.code)
    return advanced[0], None
