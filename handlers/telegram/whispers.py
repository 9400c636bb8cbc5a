"""Private texts that are no commands: the pack talks to each other, everybody else talks to the wall."""

from __future__ import annotations

from telegram import Message
from telegram.constants import ChatType

from handlers import pack
from handlers.record import Reply, Table
from handlers.telegram.desk import OK, Answer, Desk, come_back


async def whisper(desk: Desk, message: Message) -> Answer:
    """Deal with a text, if it is one in somebody's own chat with the bot, and no command."""
    user, text = message.from_user, message.text or ""
    private = message.chat.type == ChatType.PRIVATE
    if not private or user is None or user.is_bot or not text or text.startswith("/"):
        return OK

    def judge(table: Table, now: float) -> tuple[Table, Reply | None]:
        return pack.talk(table, user.id, text, now)

    reply: Reply | None = Reply(pack.UNHEARD)
    claim = desk.chats.player(user.id).claim
    if claim and desk.tables.load(claim) is not None:
        outcome = await desk.tables.run(claim, f"m{user.id}.{message.message_id}", judge)
        if outcome.come_back is not None:
            return come_back(outcome.come_back)
        reply = outcome.reply
    if reply is not None:
        scribe = desk.scribe(None, desk.language_of(user))
        await desk.client.send(message.chat.id, scribe.say(f"private.{reply.code}", number=reply.number))
    return OK
