"""What happens around a chat: the bot comes and goes, a group becomes a supergroup."""

from __future__ import annotations

from telegram import ChatMemberUpdated, Message
from telegram.constants import ChatType

from handlers.telegram.desk import OK, Answer, Desk


async def bot_status(desk: Desk, change: ChatMemberUpdated) -> Answer:
    """The bot was added, removed, promoted; in private: started or blocked."""
    if change.chat.type == ChatType.PRIVATE:
        desk.chats.met(change.from_user.id, reachable=change.new_chat_member.status != "kicked")
    return OK


def is_service(message: Message) -> bool:
    """Say whether a message is Telegram's own word about the chat."""
    return message.migrate_to_chat_id is not None or message.migrate_from_chat_id is not None


async def service(desk: Desk, message: Message) -> Answer:
    """Both messages of a migration say the same, in any order, and one may not come: either is enough."""
    if message.migrate_to_chat_id is not None:
        desk.chats.move(message.chat.id, message.migrate_to_chat_id)
    if message.migrate_from_chat_id is not None:
        desk.chats.move(message.migrate_from_chat_id, message.chat.id)
    return OK
