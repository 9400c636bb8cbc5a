"""A command as it was typed: who, where, in which language it is answered, and where."""

from __future__ import annotations

from msgspec import Struct
from telegram import Message, User
from telegram.constants import ChatType

from handlers import languages, upkeep
from handlers.record import Reply, Table
from handlers.table import Judge
from handlers.telegram.desk import OK, Answer, Desk, come_back
from handlers.wording.scribe import Scribe


class Said(Struct, frozen=True):
    """A command as it was typed. to_us: it names the bot. topic: of a forum, else None."""

    message: Message
    name: str
    argument: str
    to_us: bool
    topic: int | None

    @property
    def chat(self) -> int:
        """Where it was typed."""
        return self.message.chat.id

    @property
    def trigger(self) -> str:
        """What it is known by when it is delivered again."""
        return f"m{self.chat}.{self.message.message_id}"

    @property
    def sender(self) -> User | None:
        """The person who typed it; None for an anonymous admin, a channel, a bot."""
        user = self.message.from_user
        if self.message.sender_chat is not None or user is None or user.is_bot:
            return None
        return user


def open_table(desk: Desk, said: Said) -> Table | None:
    """The table of the place, as long as it is open; the closed one too for the command that has closed it."""
    table = desk.chats.table_of(said.chat, said.topic)
    if table is None or (table.phase == "over" and table.receipt(said.trigger) is None):
        return None
    return table


async def may_host(desk: Desk, said: Said, table: Table) -> bool:
    """Say whether who typed this has the table's authority: its host, or an admin of the group."""
    anonymous = said.message.sender_chat
    if anonymous is not None:
        return anonymous.id == said.chat
    sender = said.sender
    return sender is not None and (sender.id == table.opener or await desk.is_admin(said.chat, sender.id))


async def run(desk: Desk, said: Said, table: Table, judge: Judge) -> Answer:
    """Let a command happen once, and answer it where it was typed. Who types keeps his table alive."""
    sender = said.sender

    def alive(current: Table, now: float) -> tuple[Table, Reply | None]:
        judged, reply = judge(current, now)
        return (upkeep.heard(judged, sender.id, now) if sender else judged), reply

    outcome = await desk.tables.run(table.id, said.trigger, alive)
    if outcome.come_back is not None:
        return come_back(outcome.come_back)
    return await tell(desk, said, outcome.reply, outcome.table) if outcome.reply else OK


async def tell(desk: Desk, said: Said, reply: Reply, table: Table | None = None) -> Answer:
    """Answer a command where it was typed."""
    return await say(desk, said, desk.escaped(reply, table, language(desk, said)))


async def say(desk: Desk, said: Said, text: str) -> Answer:
    """Send a text to where the command was typed."""
    await desk.client.send(said.chat, text, topic=said.topic)
    return OK


def scribe(desk: Desk, said: Said) -> Scribe:
    """Somebody who writes in the language of the answer, about nobody."""
    return desk.scribe(None, language(desk, said))


def language(desk: Desk, said: Said) -> str:
    """In private the person's language; in a group the group's, else the one of who asks."""
    sender = said.message.from_user
    if is_private(said) and sender is not None:
        return desk.language_of(sender)
    row = desk.chats.chat(said.chat, said.topic)
    table = desk.tables.load(row.table) if row.table and not row.language else None
    return row.language or (
        table.language if table else languages.of_code(sender.language_code if sender else None)
    )


def is_private(said: Said) -> bool:
    """Say whether it was typed in a chat with the bot alone."""
    return bool(said.message.chat.type == ChatType.PRIVATE)


def number(word: str) -> int | None:
    """A number as it may be typed; None for anything else."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 6 else None
