"""Commands: what is typed. `/x@us` is always answered; a bare `/x` only where it is plainly meant for us."""

from __future__ import annotations

import hmac
import re
from collections.abc import Awaitable, Callable

from msgspec import Struct
from telegram import Message, User
from telegram.constants import ChatType

from engine import view_for
from handlers import buttons, hosting, languages, lobby, settings, upkeep
from handlers.record import Reply, Table
from handlers.table import Judge
from handlers.telegram import keyboards, service, whispers
from handlers.telegram.desk import OK, Answer, Desk, come_back
from handlers.telegram.presses import join_link
from handlers.wording import ending, options, texts
from handlers.wording.scribe import Scribe

USUAL_EXTENSION = 60
"""Seconds that `/extend` gives where no number is typed."""


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
    if message.chat.type == ChatType.PRIVATE:
        if said is None:
            return await whispers.whisper(desk, message)
        return await IN_PRIVATE.get(said.name, _help)(desk, said)
    if said is None or not _is_for_us(desk, said):
        return await service.discipline(desk, message)
    return await IN_GROUPS.get(said.name, _help)(desk, said)


def _is_for_us(desk: Desk, said: Said) -> bool:
    """Groups have other bots with the same words: a bare one is only ours where it is plainly meant for us."""
    if said.to_us or said.name == "newgame":
        return True
    return said.name in IN_GROUPS and _open_table(desk, said) is not None


def _open_table(desk: Desk, said: Said) -> Table | None:
    """The table of the place, as long as it is open; the closed one too for the command that has closed it."""
    table = desk.chats.table_of(said.chat, said.topic)
    if table is None or (table.phase == "over" and table.receipt(said.trigger) is None):
        return None
    return table


def _read(desk: Desk, message: Message) -> Said | None:
    text = message.text or ""
    if not text.startswith("/"):
        return None
    word, *rest = re.split(r"\s", text[1:], maxsplit=1)
    name, _, whose = word.partition("@")
    if whose and whose.lower() != desk.username.lower():
        return None
    topic = message.message_thread_id if message.is_topic_message else None
    return Said(message, name.lower(), "".join(rest).strip(), bool(whose), topic)


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
    return await _run(desk, said, table, lambda current, _now: lobby.open_again(current))


async def _join(desk: Desk, said: Said) -> Answer:
    """Take a seat by typing; who has not opened his chat with the bot gets the link."""
    sender, table = said.sender, _open_table(desk, said)
    if sender is None or table is None:
        return await _tell(desk, said, Reply("anonymous" if sender is None else "no_table"), table)
    person = desk.person(sender)
    would = lobby.join(table, person)[1]
    if would.code == "joined" and not desk.chats.player(sender.id).reachable:
        link = join_link(desk.username, table)
        keyboard = keyboards.link(desk.scribe(table, table.language), link)
        text = desk.text(Reply("open_private"), table, table.language)
        await desk.client.send(said.chat, text, keyboard, said.topic)
        return OK
    elsewhere = desk.chats.claim(sender.id, table.id)

    def judge(current: Table, _now: float) -> tuple[Table, Reply]:
        if elsewhere is not None and not current.seat_of(person.user):
            # In the group nobody shall read where else somebody plays.
            return current, Reply("seated_elsewhere_here")
        return lobby.join(current, person)

    return await _run(desk, said, table, judge)


async def _leave(desk: Desk, said: Said) -> Answer:
    sender = said.sender
    table = desk.tables.load(desk.chats.player(sender.id).claim) if sender and _is_private(said) else None
    table = table or _open_table(desk, said)
    if sender is None or table is None:
        return await _tell(desk, said, Reply("no_table"), table)
    user = sender.id
    return await _run(desk, said, table, lambda current, now: hosting.leave(current, user, now))


async def _hosted(desk: Desk, said: Said, judge: Callable[[str], Judge]) -> Answer:
    """A command of the host and the admins; an anonymous admin has an admin's rights, but no name."""
    table = _open_table(desk, said)
    if table is None:
        return await _tell(desk, said, Reply("no_table"))
    if not await may_host(desk, said, table):
        return await _tell(desk, said, Reply("host_only"), table)
    sender = said.sender
    by = sender.full_name if sender else said.message.author_signature or "admin"
    return await _run(desk, said, table, judge(by))


async def may_host(desk: Desk, said: Said, table: Table) -> bool:
    """Say whether who typed this has the table's authority: its host, or an admin of the group."""
    anonymous = said.message.sender_chat
    if anonymous is not None:
        return anonymous.id == said.chat
    sender = said.sender
    return sender is not None and (sender.id == table.opener or await desk.is_admin(said.chat, sender.id))


async def _cancel(desk: Desk, said: Said) -> Answer:
    return await _hosted(desk, said, lambda by: lambda table, _now: hosting.cancel(table, by))


async def _skip(desk: Desk, said: Said) -> Answer:
    return await _hosted(desk, said, lambda by: lambda table, now: hosting.skip(table, by, now))


async def _extend(desk: Desk, said: Said) -> Answer:
    seconds = _number(said.argument) if said.argument else USUAL_EXTENSION
    if seconds is None:
        return await _tell(desk, said, Reply("seconds"), _open_table(desk, said))
    return await _hosted(desk, said, lambda by: lambda table, now: hosting.extend(table, by, seconds, now))


async def _warn(desk: Desk, said: Said) -> Answer:
    word, _, rest = said.argument.partition(" ")
    seat, kind = _number(word), rest.strip().lower()
    if seat is None or (kind and kind not in hosting.KINDS):
        return await _tell(desk, said, Reply("seat_number"), _open_table(desk, said))
    return await _hosted(desk, said, lambda by: lambda table, now: hosting.warn(table, by, seat, kind, now))


async def _expel(desk: Desk, said: Said) -> Answer:
    """Out of the game: only by a second press, for which the right is asked again."""
    table, seat = _open_table(desk, said), _number(said.argument.partition(" ")[0])
    if table is None or table.phase != "playing":
        return await _tell(desk, said, Reply("no_table" if table is None else "not_started"), table)
    if not await may_host(desk, said, table):
        return await _tell(desk, said, Reply("host_only"), table)
    if seat is None or not 1 <= seat <= len(table.people):
        return await _tell(desk, said, Reply("seat_number"), table)
    scribe = desk.scribe(table, table.language)
    text = scribe.say("expel.sure", seat=scribe.seat(seat))
    await desk.client.send(said.chat, text, keyboards.expel(scribe, table.id, seat), said.topic)
    return OK


async def _draw(desk: Desk, said: Said) -> Answer:
    return await _hosted(desk, said, lambda by: lambda table, now: hosting.draw(table, by, now))


async def _players(desk: Desk, said: Said) -> Answer:
    table = _open_table(desk, said)
    if table is None:
        return await _tell(desk, said, Reply("no_table"))
    view = view_for(table.play(), None) if table.phase == "playing" else None
    return await _say(desk, said, texts.players(desk.scribe(table, table.language), table, view))


async def _card(desk: Desk, said: Said) -> Answer:
    """In the group only the way to one's card; in private the card itself."""
    table = _open_table(desk, said)
    if table is None or table.phase != "playing":
        return await _tell(desk, said, Reply("no_table" if table is None else "not_started"), table)
    scribe = desk.scribe(table, table.language)
    keyboard = keyboards.markup([keyboards.card(scribe, table.id)])
    await desk.client.send(said.chat, scribe.say("card.here"), keyboard, said.topic)
    return OK


async def _settings(desk: Desk, said: Said) -> Answer:
    """The lobby's options; in a running game they can only be read."""
    table = _open_table(desk, said)
    if table is None:
        return await _tell(desk, said, Reply("no_table"))
    if table.phase != "lobby":
        scribe = desk.scribe(table, table.language)
        lines = [scribe.say("lobby.differs", options=options.differing(scribe, table) or "–")]
        return await _say(
            desk, said, "\n".join([*lines, scribe.say("lobby.house", options=options.house(scribe, table))])
        )
    if not await may_host(desk, said, table):
        return await _tell(desk, said, Reply("settings_host_only"), table)
    return await _run(desk, said, table, lambda current, _now: _open_settings(current))


def _open_settings(table: Table) -> tuple[Table, Reply | None]:
    if table.phase != "lobby":
        return table, Reply("already_started")
    return settings.open_at(table, 0)[0], None


async def _verify(desk: Desk, said: Said) -> Answer:
    table = desk.chats.table_of(said.chat, said.topic)
    if table is None:
        return await _tell(desk, said, Reply("no_table"))
    return await _say(desk, said, ending.check_text(desk.scribe(table, table.language), table))


async def _rules(desk: Desk, said: Said) -> Answer:
    table = None if _is_private(said) else desk.chats.table_of(said.chat, said.topic)
    return await _say(desk, said, texts.rules(_scribe(desk, said), table.book if table else "classic"))


async def _roles(desk: Desk, said: Said) -> Answer:
    table = None if _is_private(said) else _open_table(desk, said)
    return await _say(desk, said, texts.roles(_scribe(desk, said), table))


async def _choose_language(desk: Desk, said: Said) -> Answer:
    scribe = _scribe(desk, said)
    await desk.client.send(said.chat, scribe.say("language.which"), keyboards.languages(), said.topic)
    return OK


async def _help(desk: Desk, said: Said) -> Answer:
    return await _say(desk, said, texts.help_text(_scribe(desk, said), _is_private(said)))


async def _run(desk: Desk, said: Said, table: Table, judge: Judge) -> Answer:
    """Let a command happen once, and answer it where it was typed. Who types keeps his table alive."""
    sender = said.sender

    def alive(current: Table, now: float) -> tuple[Table, Reply | None]:
        judged, reply = judge(current, now)
        return (upkeep.heard(judged, sender.id, now) if sender else judged), reply

    outcome = await desk.tables.run(table.id, said.trigger, alive)
    if outcome.come_back is not None:
        return come_back(outcome.come_back)
    return await _tell(desk, said, outcome.reply, outcome.table) if outcome.reply else OK


async def _tell(desk: Desk, said: Said, reply: Reply, table: Table | None = None) -> Answer:
    """Answer a command where it was typed."""
    return await _say(desk, said, desk.escaped(reply, table, _language(desk, said)))


async def _say(desk: Desk, said: Said, text: str) -> Answer:
    await desk.client.send(said.chat, text, topic=said.topic)
    return OK


def _scribe(desk: Desk, said: Said) -> Scribe:
    return desk.scribe(None, _language(desk, said))


def _language(desk: Desk, said: Said) -> str:
    """In private the person's language; in a group the group's, else the one of who asks."""
    sender = said.message.from_user
    if _is_private(said) and sender is not None:
        return desk.language_of(sender)
    row = desk.chats.chat(said.chat, said.topic)
    table = desk.tables.load(row.table) if row.table and not row.language else None
    return row.language or (
        table.language if table else languages.of_code(sender.language_code if sender else None)
    )


def _is_private(said: Said) -> bool:
    return bool(said.message.chat.type == ChatType.PRIVATE)


def _number(word: str) -> int | None:
    """A number as it may be typed; None for anything else."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 6 else None


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

    def judge(table: Table, now: float) -> tuple[Table, Reply]:
        if not hmac.compare_digest(table.token.encode(), token.encode()):
            return table, Reply("lobby_gone")
        if not member:
            return table, Reply("not_a_member")
        if elsewhere is not None and not table.seat_of(user.id):
            return table, Reply("seated_elsewhere", name=elsewhere.title)
        joined, reply = lobby.join(table, person)
        return upkeep.heard(joined, user.id, now), reply

    outcome = await desk.tables.run(table_id, f"m{user.id}.{said.message.message_id}", judge)
    if outcome.come_back is not None:
        return come_back(outcome.come_back)
    reply = outcome.reply or Reply("lobby_gone")
    if reply.code == "joined":
        text = desk.scribe(outcome.table, person.language).say("start.joined", seat=reply.seat)
    else:
        text = desk.escaped(reply, outcome.table, person.language)
    await desk.client.send(said.chat, text)
    return OK


async def _my_card(desk: Desk, said: Said) -> Answer:
    """One's card and what is asked of one, for who has lost the messages they were in."""
    user = said.sender
    table = desk.tables.load(desk.chats.player(user.id).claim) if user else None
    seat = table.seat_of(user.id) if table and user else 0
    if table is None or not table.game or table.phase != "playing" or not seat:
        return await _tell(desk, said, Reply("no_seat_anywhere"))
    language = table.person(seat).language
    text = desk.escaped(Reply("card", seat=seat), table, language)
    view = view_for(table.play(), seat)
    prompts = [p for p in (view.mine.prompts if view.mine else ()) if p.action not in buttons.PUBLIC_ACTIONS]
    keyboard = keyboards.private(desk.scribe(table, language), table.id, prompts)
    await desk.client.send(said.chat, text, keyboard, protect=True)
    return OK


async def _group_only(desk: Desk, said: Said) -> Answer:
    return await _say(desk, said, _scribe(desk, said).say("group.only"))


Handler = Callable[[Desk, Said], Awaitable[Answer]]

IN_GROUPS: dict[str, Handler] = {
    "newgame": _newgame,
    "join": _join,
    "leave": _leave,
    "cancel": _cancel,
    "players": _players,
    "card": _card,
    "extend": _extend,
    "skip": _skip,
    "warn": _warn,
    "expel": _expel,
    "draw": _draw,
    "settings": _settings,
    "verify": _verify,
    "rules": _rules,
    "roles": _roles,
    "language": _choose_language,
    "help": _help,
}
IN_PRIVATE: dict[str, Handler] = {
    "start": _start,
    "card": _my_card,
    "leave": _leave,
    "rules": _rules,
    "roles": _roles,
    "language": _choose_language,
    "help": _help,
    **{name: _group_only for name in IN_GROUPS if name not in texts.IN_PRIVATE},
}
