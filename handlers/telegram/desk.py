"""What the doors of Telegram share: the tables, the client, people's rights and languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec import Struct
from telegram import CallbackQuery, User

from engine import view_for
from handlers import languages, names, settings
from handlers.chats import Chats
from handlers.record import Person, Reply, Table
from handlers.table import Tables
from handlers.telegram.client import Client
from handlers.telegram.paper import Html
from handlers.wording import options, popups
from handlers.wording.scribe import Scribe
from infra.ports import Clock

RIGHTS_S = 60.0
"""Seconds for which an answer of Telegram about somebody's rights will do."""


TURNS_A_MINUTE = 10
"""How often the pages of one group may be turned: of the twenty or so messages a minute a game needs the most."""


class Answer(Struct, frozen=True):
    """What the request is answered with."""

    status: int
    headers: dict[str, str] = {}
    body: bytes = b""


OK = Answer(200)


class Served(Struct, frozen=True):
    """Whom the bot serves. chats: the only groups, or all if there are none; tables: how many at once, 0: any."""

    chats: frozenset[int] = frozenset()
    tables: int = 0


@dataclass(frozen=True)
class Desk:
    """What every door needs. seed: 32 bytes nobody can guess, anew at each call. served: whom, and how many."""

    tables: Tables
    chats: Chats
    client: Client
    clock: Clock
    username: str
    seed: Callable[[], bytes]
    served: Served
    _rights: dict[tuple[int, int], tuple[float, bool]] = field(default_factory=dict)
    _turns: dict[int, tuple[float, ...]] = field(default_factory=dict)

    async def is_admin(self, chat: int, user: int) -> bool:
        """Ask Telegram whether somebody is an admin of a group; an answer up to a minute old will do."""
        now = self.clock.now()
        known = self._rights.get((chat, user))
        if known is not None and now - known[0] < RIGHTS_S:
            return known[1]
        status = await self.client.status(chat, user)
        if status is None:
            return False
        self._rights[chat, user] = (now, status in ("creator", "administrator"))
        return self._rights[chat, user][1]

    def wait_to_turn(self, chat: int) -> float:
        """Seconds until a page of a group may be turned; 0 if now, and then it counts as turned."""
        now = self.clock.now()
        lately = tuple(turn for turn in self._turns.get(chat, ()) if now - turn < 60.0)
        if len(lately) >= TURNS_A_MINUTE:
            return 60.0 - (now - lately[0])
        self._turns[chat] = (*lately, now)
        return 0.0

    async def is_member(self, chat: int, user: int) -> bool:
        """Ask Telegram whether somebody is in a group."""
        return await self.client.status(chat, user) in ("creator", "administrator", "member", "restricted")

    def language_of(self, user: User) -> str:
        """The language of a person: the one he chose, else the one his client runs in."""
        return self.chats.player(user.id).language or languages.of_code(user.language_code)

    def person(self, user: User) -> Person:
        """Somebody as he would sit at a table."""
        return Person(user.id, names.clean(user.full_name), self.language_of(user))

    def scribe(self, table: Table | None, language: str) -> Scribe:
        """A scribe who writes about a table's people, or about nobody's."""
        if table is None:
            return Scribe(language, (), Html(), self.clock.now())
        death, points = settings.is_death(table), settings.one_each(table)
        return Scribe(language, table.people, Html(), self.clock.now(), death, points)

    def escaped(self, reply: Reply, table: Table | None, language: str) -> str:
        """The same for a message: names and all made harmless for its markup."""
        return Html().escape(self.text(reply, table, language))

    def text(self, reply: Reply, table: Table | None, language: str) -> str:
        """What somebody is answered, and he alone."""
        scribe = self.scribe(table, language)
        if reply.code == "card" and table is not None and table.game:
            return popups.card(scribe, view_for(table.play(), reply.seat))
        if reply.code == "option" and table is not None:
            return options.turned(scribe.plainly(), table, reply.word)
        return popups.reply(scribe, reply)


def come_back(seconds: float) -> Answer:
    """Ask Telegram to deliver the update again after so many seconds."""
    return Answer(503, {"Retry-After": str(max(1, round(seconds)))})


def in_the_response(query: CallbackQuery, text: str, reply: Reply) -> Answer:
    """Answer a press in the body of the request's own answer: no call, no waiting."""
    method: dict[str, object] = {"method": "answerCallbackQuery", "callback_query_id": query.id, "text": text}
    if reply.alert:
        method["show_alert"] = True
    if reply.url:
        del method["text"]
        method["url"] = reply.url
    return Answer(200, {"Content-Type": "application/json"}, json.dumps(method, ensure_ascii=False).encode())
