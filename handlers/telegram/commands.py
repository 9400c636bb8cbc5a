"""Commands: what is typed. `/x@us` is always answered; a bare `/x` only where it is plainly meant for us."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from telegram import Message
from telegram.constants import ChatType

from handlers.telegram import asking, authority, reading, seating, service, whispers
from handlers.telegram.desk import Answer, Desk
from handlers.telegram.said import Said, open_table
from handlers.wording import texts


async def command(desk: Desk, message: Message) -> Answer:
    """Deal with a text, if it is a command for us."""
    said = _read(desk, message)
    if message.chat.type == ChatType.PRIVATE:
        if said is None:
            return await whispers.whisper(desk, message)
        return await IN_PRIVATE.get(said.name, asking.help_)(desk, said)
    if said is None or not _is_for_us(desk, said):
        return await service.discipline(desk, message)
    return await IN_GROUPS.get(said.name, asking.help_)(desk, said)


def _is_for_us(desk: Desk, said: Said) -> bool:
    """Groups have other bots with the same words: a bare one is only ours where it is plainly meant for us."""
    if said.to_us or said.name == "newgame":
        return True
    return said.name in IN_GROUPS and open_table(desk, said) is not None


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


Handler = Callable[[Desk, Said], Awaitable[Answer]]

IN_GROUPS: dict[str, Handler] = {
    "newgame": seating.newgame,
    "join": seating.join,
    "leave": seating.leave,
    "cancel": authority.cancel,
    "players": asking.players,
    "card": asking.card,
    "extend": authority.extend,
    "skip": authority.skip,
    "warn": authority.warn,
    "expel": authority.expel,
    "draw": authority.draw,
    "settings": authority.settings,
    "verify": asking.verify,
    "rules": reading.rules,
    "roles": reading.roles,
    "glossary": reading.glossary,
    "language": authority.choose_language,
    "privacy": asking.privacy,
    "help": asking.help_,
}
IN_PRIVATE: dict[str, Handler] = {
    "start": seating.start,
    "card": asking.my_card,
    "leave": seating.leave,
    "rules": reading.rules,
    "roles": reading.roles,
    "glossary": reading.glossary,
    "language": authority.choose_language,
    "privacy": asking.privacy,
    "help": asking.help_,
    **{name: asking.group_only for name in IN_GROUPS if name not in texts.IN_PRIVATE},
}
