"""What anybody may ask about a table: who plays, his own card, the check of the deal; and help."""

from __future__ import annotations

from engine import view_for
from handlers import buttons
from handlers.record import Reply
from handlers.table import KEPT_S
from handlers.telegram import keyboards
from handlers.telegram.desk import OK, Answer, Desk
from handlers.telegram.said import Said, is_private, open_table, say, scribe, tell
from handlers.wording import ending, texts


async def players(desk: Desk, said: Said) -> Answer:
    """`/players`: everybody at the table as everybody may see him."""
    table = open_table(desk, said)
    if table is None:
        return await tell(desk, said, Reply("no_table"))
    view = view_for(table.play(), None) if table.phase == "playing" else None
    return await say(desk, said, texts.players(desk.scribe(table, table.language), table, view))


async def card(desk: Desk, said: Said) -> Answer:
    """In the group only the way to one's card; in private the card itself."""
    table = open_table(desk, said)
    if table is None or table.phase != "playing":
        return await tell(desk, said, Reply("no_table" if table is None else "not_started"), table)
    writer = desk.scribe(table, table.language)
    keyboard = keyboards.markup([keyboards.card(writer, table.id)])
    await desk.client.send(said.chat, writer.say("card.here"), keyboard, said.topic)
    return OK


async def my_card(desk: Desk, said: Said) -> Answer:
    """One's card and what is asked of one, for who has lost the messages they were in."""
    user = said.sender
    table = desk.tables.load(desk.chats.player(user.id).claim) if user else None
    seat = table.seat_of(user.id) if table and user else 0
    if table is None or not table.game or table.phase != "playing" or not seat:
        return await tell(desk, said, Reply("no_seat_anywhere"))
    language = table.person(seat).language
    text = desk.escaped(Reply("card", seat=seat), table, language)
    view = view_for(table.play(), seat)
    prompts = [p for p in (view.mine.prompts if view.mine else ()) if p.action not in buttons.PUBLIC_ACTIONS]
    keyboard = keyboards.private(desk.scribe(table, language), table.id, prompts)
    await desk.client.send(said.chat, text, keyboard, protect=True)
    return OK


async def verify(desk: Desk, said: Said) -> Answer:
    """`/verify`: how the deal is checked."""
    table = desk.chats.table_of(said.chat, said.topic)
    if table is None:
        return await tell(desk, said, Reply("no_table"))
    return await say(desk, said, ending.check_text(desk.scribe(table, table.language), table))


async def help_(desk: Desk, said: Said) -> Answer:
    """`/help`: what can be typed."""
    return await say(desk, said, texts.help_text(scribe(desk, said), is_private(said)))


async def privacy(desk: Desk, said: Said) -> Answer:
    """`/privacy`: what is stored, and for how long."""
    days = round(KEPT_S / 86400)
    return await say(desk, said, scribe(desk, said).say("privacy", days=days))


async def group_only(desk: Desk, said: Said) -> Answer:
    """A command of the groups, typed in private."""
    return await say(desk, said, scribe(desk, said).say("group.only"))
