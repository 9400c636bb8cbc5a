"""The buttons under a finished game: the same again, or another; both open the group's next lobby."""

from __future__ import annotations

from telegram import CallbackQuery
from telegram.constants import ChatType

from handlers import buttons, lobby
from handlers.record import LobbyCard, Reply, Table
from handlers.telegram import serving
from handlers.telegram.desk import Desk


def next_table(desk: Desk, query: CallbackQuery, data: buttons.Data, language: str) -> Table | Reply | None:
    """The group's open or running table; a new one if its last is over. None where no game has ended.

    A reply where no new table may be opened.

    The presser is the host of the table he opens. Of two who press at once one opens it, and both find it.
    """
    message, last = query.message, desk.tables.load(data.table)
    if message is None or message.chat.type == ChatType.PRIVATE or last is None or last.phase != "over":
        return None
    chat = message.chat.id
    now = desk.chats.table_of(chat, last.topic)
    if now is not None and (now.phase != "over" or now.receipt(f"c{query.id}") is not None):
        return now
    refused = serving.no_new_table(desk)
    if refused:
        return Reply(refused, alert=True)
    title = message.chat.title or last.title
    afresh = data.code == buttons.ANOTHER
    return desk.chats.open(chat, last.topic, language, desk.person(query.from_user), title, afresh)


def opened(table: Table, _now: float) -> tuple[Table, Reply]:
    """Post the new lobby, unless whoever was faster has; a running game is named."""
    if table.phase != "lobby":
        return table, Reply("running" if table.phase == "playing" else "over")
    if "lobby" in table.messages or any(isinstance(effect, LobbyCard) for effect in table.outbox):
        return table, Reply("opened_already", strip=True)
    return lobby.open_again(table)[0], Reply("opened", strip=True)
