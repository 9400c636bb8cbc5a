"""The commands of the host and the admins. Telegram is asked who is one; the group is told who used it."""

from __future__ import annotations

from collections.abc import Callable

from handlers import hosting
from handlers.record import Reply, Table
from handlers.settings import open_at
from handlers.table import Judge
from handlers.telegram import keyboards
from handlers.telegram.desk import OK, Answer, Desk
from handlers.telegram.said import Said, may_host, number, open_table, run, say, scribe, tell
from handlers.wording import options

USUAL_EXTENSION = 60
"""Seconds that `/extend` gives where no number is typed."""


async def _hosted(desk: Desk, said: Said, judge: Callable[[str], Judge]) -> Answer:
    """A command of the host and the admins; an anonymous admin has an admin's rights, but no name."""
    table = open_table(desk, said)
    if table is None:
        return await tell(desk, said, Reply("no_table"))
    if not await may_host(desk, said, table):
        return await tell(desk, said, Reply("host_only"), table)
    sender = said.sender
    by = sender.full_name if sender else said.message.author_signature or "admin"
    return await run(desk, said, table, judge(by))


async def cancel(desk: Desk, said: Said) -> Answer:
    """`/cancel`: close the table without a winner."""
    return await _hosted(desk, said, lambda by: lambda table, _now: hosting.cancel(table, by))


Timed = Callable[[str, int], Judge]
"""A judgement about the time, by the name of who asks for it and the seat that keeps it (0: the authority)."""


async def _timed(desk: Desk, said: Said, judge: Timed) -> Answer:
    """A command about the time: with the sage it is hers alone, else the host's and the admins'."""
    table = open_table(desk, said)
    keeper = hosting.sage(table) if table is not None else 0
    if table is None or not keeper:
        return await _hosted(desk, said, lambda by: judge(by, 0))
    sender = said.sender
    if sender is None or table.seat_of(sender.id) != keeper:
        return await tell(desk, said, Reply("sage_only", seat=keeper), table)
    return await run(desk, said, table, judge(sender.full_name, keeper))


async def skip(desk: Desk, said: Said) -> Answer:
    """`/skip`: let the open step end."""
    return await _timed(desk, said, lambda by, keeper: lambda table, now: hosting.skip(table, by, now, keeper))


async def extend(desk: Desk, said: Said) -> Answer:
    """`/extend [seconds]`: give the open step more time."""
    seconds = number(said.argument) if said.argument else USUAL_EXTENSION
    if seconds is None:
        return await tell(desk, said, Reply("seconds"), open_table(desk, said))
    return await _timed(
        desk, said, lambda by, keeper: lambda table, now: hosting.extend(table, by, seconds, now, keeper)
    )


async def warn(desk: Desk, said: Said) -> Answer:
    """`/warn N [kind]`: the second warning expels."""
    word, _, rest = said.argument.partition(" ")
    seat, kind = number(word), rest.strip().lower()
    if seat is None or (kind and kind not in hosting.KINDS):
        return await tell(desk, said, Reply("seat_number"), open_table(desk, said))
    return await _hosted(desk, said, lambda by: lambda table, now: hosting.warn(table, by, seat, kind, now))


async def expel(desk: Desk, said: Said) -> Answer:
    """Out of the game: only by a second press, for which the right is asked again."""
    word, _, kind = said.argument.partition(" ")
    table, seat = open_table(desk, said), number(word)
    if table is None or table.phase != "playing":
        return await tell(desk, said, Reply("no_table" if table is None else "not_started"), table)
    if not await may_host(desk, said, table):
        return await tell(desk, said, Reply("host_only"), table)
    sentence = kind.strip().lower() == hosting.SENTENCE
    if seat is None or not 1 <= seat <= len(table.people):
        return await tell(desk, said, Reply("seat_number"), table)
    writer = desk.scribe(table, table.language)
    text = writer.say("expel.sure", seat=writer.seat(seat))
    await desk.client.send(said.chat, text, keyboards.expel(writer, table.id, seat, sentence), said.topic)
    return OK


async def draw(desk: Desk, said: Said) -> Answer:
    """`/draw`: take the draw that was offered."""
    return await _hosted(desk, said, lambda by: lambda table, now: hosting.draw(table, by, now))


async def settings(desk: Desk, said: Said) -> Answer:
    """The lobby's options; in a running game they can only be read."""
    table = open_table(desk, said)
    if table is None:
        return await tell(desk, said, Reply("no_table"))
    if table.phase != "lobby":
        writer = desk.scribe(table, table.language)
        lines = [writer.say("lobby.differs", options=options.differing(writer, table) or "–")]
        return await say(
            desk, said, "\n".join([*lines, writer.say("lobby.house", options=options.house(writer, table))])
        )
    if not await may_host(desk, said, table):
        return await tell(desk, said, Reply("settings_host_only"), table)
    return await run(desk, said, table, lambda current, _now: _open_settings(current))


def _open_settings(table: Table) -> tuple[Table, Reply | None]:
    if table.phase != "lobby":
        return table, Reply("already_started")
    return open_at(table, 0)[0], None


async def choose_language(desk: Desk, said: Said) -> Answer:
    """`/language`: in a group for the group, in private for oneself; who may is asked when it is pressed."""
    text = scribe(desk, said).say("language.which")
    await desk.client.send(said.chat, text, keyboards.languages(), said.topic)
    return OK
