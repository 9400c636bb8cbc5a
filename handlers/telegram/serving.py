"""Whom the bot serves: all groups or some, and so many tables at once."""

from __future__ import annotations

from collections.abc import Mapping

from telegram import Update
from telegram.constants import ChatType

from handlers import languages, operators
from handlers.telegram.desk import OK, Answer, Desk, Served


def read(environ: Mapping[str, str]) -> Served:
    """Read ALLOWED_CHATS, ids separated by commas, and MAX_TABLES; ValueError for what is no number."""
    chats = [word.strip() for word in environ.get("ALLOWED_CHATS", "").split(",")]
    return Served(frozenset(int(word) for word in chats if word), int(environ.get("MAX_TABLES", "").strip() or 0))


def is_served(desk: Desk, update: Update) -> bool:
    """Say whether an update is from where the bot serves. That it is out of a group, it always hears of."""
    chat, allowed = update.effective_chat, desk.served.chats
    if not allowed or chat is None or chat.type == ChatType.PRIVATE or chat.id in allowed:
        return True
    if update.my_chat_member is not None and update.my_chat_member.new_chat_member.status in ("left", "kicked"):
        return True
    message = update.message
    if message is not None and (message.migrate_from_chat_id in allowed or message.left_chat_member is not None):
        return True
    # A group that became a supergroup has another id than the one it was allowed by.
    return desk.chats.chat(chat.id, None).moved_from in allowed


async def turn_away(desk: Desk, update: Update) -> Answer:
    """Tell a group that it is not served, and leave it. It is told once: nothing comes from there any more.

    That the bot was added comes in two updates at the same time: only one of them is answered.
    """
    chat, user, message = update.effective_chat, update.effective_user, update.message
    if chat is not None and (message is None or (message.text or "").startswith("/")):
        language = languages.of_code(user.language_code if user else None)
        text = desk.scribe(None, language).say("group.unserved")
        if update.callback_query is not None:
            await desk.client.answer(update.callback_query.id, text)
        await desk.client.send(chat.id, text)
        await desk.client.leave(chat.id)
    return OK


def no_new_table(desk: Desk) -> str:
    """Why no new table may be opened, as the code of a reply; empty if it may."""
    if operators.is_draining(desk.tables.store):
        return "draining"
    most = desk.served.tables
    return "all_taken" if most and operators.open_tables(desk.tables.store, most) >= most else ""
