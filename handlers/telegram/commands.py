"""Commands: what is typed. `/x@us` is always answered; a bare `/x` only where it is plainly meant for us."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable

from msgspec import Struct
from telegram import Message, User
from telegram.constants import ChatType

from handlers import languages, lobby
from handlers.record import Reply, Table
from handlers.telegram.desk import OK, Answer, Desk, come_back


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


async def command(desk: Desk, message: Message) -> Answer:
    """Deal with a text, if it is a command for us."""
    said = _read(desk, message)
    if said is None:
        return OK
    private = message.chat.type == ChatType.PRIVATE
    handler = (IN_PRIVATE if private else IN_GROUPS).get(said.name)
    if handler is None:
        return OK
    return await handler(desk, said)


def _read(desk: Desk, message: Message) -> Said | None:
    text = message.text or ""
    if not text.startswith("/"):
        return None
    word, _, argument = text[1:].partition(" ")
    name, _, whose = word.partition("@")
    if whose and whose.lower() != desk.username.lower():
        return None
    topic = message.message_thread_id if message.is_topic_message else None
    return Said(message, name.lower(), argument.strip(), bool(whose), topic)


# In groups -----------------------------------------------------------------------------------------------


async def _newgame(desk: Desk, said: Said) -> Answer:
    sender = said.sender
    if sender is None:
        return await _tell(desk, said, Reply("anonymous"))
    table = desk.chats.table_of(said.chat, said.topic)
    if table is not None and table.phase == "over" and table.receipt(said.trigger) is None:
        table = None
    if table is None:
        language = languages.of_code(sender.language_code)
        title = said.message.chat.title or ""
        table = desk.chats.open(said.chat, said.topic, language, sender.id, title)
    outcome = await desk.tables.run(table.id, said.trigger, lambda current, _now: lobby.open_again(current))
    if outcome.come_back is not None:
        return come_back(outcome.come_back)
    return await _tell(desk, said, outcome.reply, outcome.table) if outcome.reply else OK


async def _tell(desk: Desk, said: Said, reply: Reply, table: Table | None = None) -> Answer:
    """Answer a command where it was typed."""
    language = table.language if table else _language(desk, said)
    await desk.client.send(said.chat, desk.text(reply, table, language), topic=said.topic)
    return OK


def _language(desk: Desk, said: Said) -> str:
    """The group's language, else the one of who asks."""
    row = desk.chats.chat(said.chat, said.topic)
    sender = said.message.from_user
    return row.language or languages.of_code(sender.language_code if sender else None)


# In private ----------------------------------------------------------------------------------------------


async def _start(desk: Desk, said: Said) -> Answer:
    """Somebody has opened his chat with the bot, perhaps by a lobby's link: then he joins."""
    user = said.sender
    if user is None:
        return OK
    desk.chats.met(user.id, reachable=True)
    language = desk.language_of(user)
    word, _, rest = said.argument.partition("_")
    table_id, _, token = rest.partition("_")
    if word != "join":
        await desk.client.send(said.chat, desk.scribe(None, language).say("start.hello"))
        return OK
    return await _join_by_link(desk, said, user, table_id, token)


async def _join_by_link(desk: Desk, said: Said, user: User, table_id: str, token: str) -> Answer:
    """The link's token proves the lobby; that he is a member of its group, only Telegram can say."""
    person = desk.person(user)
    table = desk.tables.load(table_id)
    member = table is not None and await desk.is_member(table.chat, user.id)
    elsewhere = desk.chats.claim(user.id, table_id) if member else None

    def judge(table: Table, _now: float) -> tuple[Table, Reply]:
        if not hmac.compare_digest(table.token.encode(), token.encode()):
            return table, Reply("lobby_gone")
        if not member:
            return table, Reply("not_a_member")
        if elsewhere is not None and not table.seat_of(user.id):
            return table, Reply("seated_elsewhere", name=elsewhere.title)
        return lobby.join(table, person)

    outcome = await desk.tables.run(table_id, f"m{user.id}.{said.message.message_id}", judge)
    if outcome.come_back is not None:
        return come_back(outcome.come_back)
    reply = outcome.reply or Reply("lobby_gone")
    if reply.code == "joined":
        text = desk.scribe(outcome.table, person.language).say("start.joined", seat=reply.seat)
    else:
        text = desk.text(reply, outcome.table, person.language)
    await desk.client.send(said.chat, text)
    return OK


async def _group_only(desk: Desk, said: Said) -> Answer:
    user = said.message.from_user
    language = desk.language_of(user) if user else languages.DEFAULT
    await desk.client.send(said.chat, desk.scribe(None, language).say("group.only"))
    return OK


Handler = Callable[[Desk, Said], Awaitable[Answer]]

IN_GROUPS: dict[str, Handler] = {"newgame": _newgame}
IN_PRIVATE: dict[str, Handler] = {"start": _start, "newgame": _group_only}
