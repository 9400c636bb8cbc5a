"""What happens around a chat: the bot and people come and go, a group becomes a supergroup, somebody talks."""

from __future__ import annotations

from msgspec.structs import replace
from telegram import ChatMemberUpdated, Message
from telegram.constants import ChatType

from engine import view_for
from handlers import hosting, languages, upkeep
from handlers.record import Reply, Table
from handlers.telegram.desk import OK, Answer, Desk, come_back

_GONE = ("left", "kicked")


async def bot_status(desk: Desk, change: ChatMemberUpdated) -> Answer:
    """The bot was added, removed, promoted; in private: started or blocked."""
    status = change.new_chat_member.status
    if change.chat.type == ChatType.PRIVATE:
        desk.chats.met(change.from_user.id, reachable=status not in _GONE)
        return OK
    if status in _GONE:
        return await _removed(desk, change)
    if change.old_chat_member.status in _GONE:
        row = desk.chats.chat(change.chat.id, None)
        language = row.language or languages.of_code(change.from_user.language_code)
        await desk.client.send(change.chat.id, desk.scribe(None, language).say("group.hello"))
    return OK


async def _removed(desk: Desk, change: ChatMemberUpdated) -> Answer:
    """Where the bot is not any more, no game can go on; nobody there can be told."""

    def judge(current: Table, _now: float) -> tuple[Table, Reply | None]:
        return (current if current.phase == "over" else upkeep.close(current)), None

    trigger = f"k{change.chat.id}.{int(change.date.timestamp())}"
    waits = []
    for table in desk.chats.tables_of(change.chat.id):
        outcome = await desk.tables.run(table.id, trigger, judge)
        waits += [] if outcome.come_back is None else [outcome.come_back]
    return come_back(max(waits)) if waits else OK


def is_service(message: Message) -> bool:
    """Say whether a message is Telegram's own word about the chat."""
    moved = message.migrate_to_chat_id is not None or message.migrate_from_chat_id is not None
    return moved or message.left_chat_member is not None or bool(message.new_chat_members)


async def service(desk: Desk, message: Message) -> Answer:
    """Both messages of a migration say the same, in any order, and one may not come: either is enough."""
    if message.migrate_to_chat_id is not None:
        return await _moved(desk, message, message.chat.id, message.migrate_to_chat_id)
    if message.migrate_from_chat_id is not None:
        return await _moved(desk, message, message.migrate_from_chat_id, message.chat.id)
    if message.left_chat_member is not None and not message.left_chat_member.is_bot:
        return await _left(desk, message, message.left_chat_member.id)
    return OK


async def _moved(desk: Desk, message: Message, old: int, new: int) -> Answer:
    """The group's table goes on in the supergroup it has become."""
    desk.chats.move(old, new)
    table = desk.chats.table_of(old, None)
    if table is None or table.chat != old:
        return OK
    trigger = f"m{message.chat.id}.{message.message_id}"
    outcome = await desk.tables.run(table.id, trigger, lambda current, _now: (replace(current, chat=new), None))
    return OK if outcome.come_back is None else come_back(outcome.come_back)


async def _left(desk: Desk, message: Message, user: int) -> Answer:
    """Who leaves the group leaves its table."""
    table = desk.tables.load(desk.chats.player(user).claim)
    if table is None or table.phase == "over" or table.chat != message.chat.id or not table.seat_of(user):
        return OK
    trigger = f"m{message.chat.id}.{message.message_id}"
    outcome = await desk.tables.run(table.id, trigger, lambda current, now: hosting.leave(current, user, now))
    return OK if outcome.come_back is None else come_back(outcome.come_back)


async def discipline(desk: Desk, message: Message) -> Answer:
    """Delete what the dead, or a seat out of turn, writes – where the group wants it and the bot may.

    A bot that is no admin does not see what people say, and a deletion that is refused is no matter.
    """
    sender, topic = message.from_user, message.message_thread_id if message.is_topic_message else None
    table = desk.chats.table_of(message.chat.id, topic)
    if table is None or table.phase != "playing" or table.discipline != "delete" or sender is None:
        return OK
    seat = table.seat_of(sender.id)
    if seat and not _may_talk(table, seat):
        await desk.client.delete(message.chat.id, message.message_id)
    return OK


def _may_talk(table: Table, seat: int) -> bool:
    view = view_for(table.play(), None)
    if view.step is not None and view.step.kind == "speech":
        return view.step.speaker == seat
    return view.seats[seat - 1].alive and view.phase != "night"
