"""The webhook door: from an update to a trigger, and from its outcome to the answer of the request.

Only three things are answered with 5xx: what is not durable yet, what ran out of time with effects left, and
what waits for somebody else's lease. All else – what is not ours, bad input, a chat that cannot be written to –
is 200 and handled: an error would block the chat's updates.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from secrets import token_bytes

from msgspec import Struct
from telegram import CallbackQuery, MaybeInaccessibleMessage, Message
from telegram.constants import ChatType

from engine import view_for
from handlers import buttons, lobby, moves, names
from handlers.chats import Chats
from handlers.record import Person, Reply, Table
from handlers.table import Judge, Outcome, Tables
from handlers.telegram import keyboards, shape
from handlers.telegram.client import Client
from handlers.telegram.paper import Html
from handlers.wording import popups
from handlers.wording.scribe import Scribe
from infra.ports import Clock

SECRET_HEADER = "x-telegram-bot-api-secret-token"  # noqa: S105 - the header's name
LANGUAGE = "zh_Hans"


class Answer(Struct, frozen=True):
    """What the request is answered with."""

    status: int
    headers: dict[str, str] = {}
    body: bytes = b""


OK = Answer(200)


class Door:
    """Takes the updates of one bot."""

    def __init__(
        self, tables: Tables, chats: Chats, client: Client, clock: Clock, secret: str, username: str
    ) -> None:
        self._tables = tables
        self._chats = chats
        self._client = client
        self._clock = clock
        self._secret = secret
        self._username = username

    async def handle(self, headers: Mapping[str, str], body: bytes) -> Answer:
        """Deal with one update."""
        if not hmac.compare_digest(_header(headers, SECRET_HEADER).encode(), self._secret.encode()):
            return Answer(401)
        update = shape.read(body)
        if update is None:
            return OK
        if update.callback_query is not None:
            return await self._press(update.callback_query)
        if update.message is not None:
            return await self._message(update.message)
        if update.my_chat_member is not None and update.my_chat_member.chat.type == ChatType.PRIVATE:
            blocked = update.my_chat_member.new_chat_member.status == "kicked"
            self._chats.met(update.my_chat_member.from_user.id, reachable=not blocked)
        return OK

    # Presses ---------------------------------------------------------------------------------------------

    async def _press(self, query: CallbackQuery) -> Answer:
        data = buttons.parse(query.data or "")
        if data is None:
            return _in_the_response(query, self._scribe(None).say("reply.gone"), Reply("gone"))
        user = query.from_user
        press = moves.Press(
            user=user.id,
            name=names.clean(user.full_name),
            language=LANGUAGE,
            data=data,
            private=query.message is not None and query.message.chat.type == ChatType.PRIVATE,
        )
        answered = False

        async def answer(reply: Reply, table: Table) -> None:
            nonlocal answered
            answered = True
            text = self._text(reply, table)
            await self._client.answer(query.id, text, reply.alert, reply.url)

        outcome = await self._tables.run(data.table, f"c{query.id}", self._judge(press), answer)
        if outcome.come_back is not None and outcome.table is None:
            return _come_back(outcome.come_back)
        reply = outcome.reply or Reply("gone", strip=True)
        await self._tidy(query, reply, outcome.table, data)
        if answered:
            return _come_back(outcome.come_back) if outcome.come_back else OK
        if outcome.come_back:
            await self._client.answer(query.id, self._text(reply, outcome.table), reply.alert, reply.url)
            return _come_back(outcome.come_back)
        return _in_the_response(query, self._text(reply, outcome.table), reply)

    def _judge(self, press: moves.Press) -> Judge:
        if press.data.code not in (buttons.JOIN, buttons.LEAVE, buttons.START):
            return lambda table, now: moves.press(table, press, now)
        reachable = press.data.code != buttons.JOIN or self._chats.is_reachable(press.user)

        def judge(table: Table, now: float) -> tuple[Table, Reply]:
            if not reachable and table.phase == "lobby" and not table.seat_of(press.user):
                link = f"https://t.me/{self._username}?start=join_{table.id}_{table.token}"
                return table, Reply("open_private", url=link)
            return lobby.press(table, press, now, lambda: token_bytes(32))

        return judge

    async def _tidy(self, query: CallbackQuery, reply: Reply, table: Table | None, data: buttons.Data) -> None:
        """What a press does to the very message it was made on: nothing is lost if this is."""
        message = query.message
        if message is None:
            return
        if reply.strip and _bears(message, query.data):
            await self._client.keyboard(message.chat.id, message.message_id, None)
        elif reply.mask is not None and table is not None and table.game:
            view = view_for(table.play(), table.seat_of(query.from_user.id))
            prompts = view.mine.prompts if view.mine else ()
            scribe = self._scribe(table)
            keyboard = keyboards.private(scribe, table.id, prompts, reply.mask)
            await self._client.keyboard(message.chat.id, message.message_id, keyboard)

    # Messages --------------------------------------------------------------------------------------------

    async def _message(self, message: Message) -> Answer:
        if message.migrate_to_chat_id is not None:
            self._chats.move(message.chat.id, message.migrate_to_chat_id)
        if message.migrate_from_chat_id is not None:
            self._chats.move(message.migrate_from_chat_id, message.chat.id)
        if message.from_user is None:
            return OK
        command, argument = self._command(message)
        private = message.chat.type == ChatType.PRIVATE
        if command == "start" and private:
            return await self._start(message, argument)
        if command == "newgame":
            if private:
                await self._client.send(message.chat.id, self._scribe(None).say("group.only"))
                return OK
            return await self._newgame(message)
        return OK

    def _command(self, message: Message) -> tuple[str, str]:
        """The command a text is, if it is one and is meant for us, and what stands after it."""
        text = message.text or ""
        if not text.startswith("/"):
            return "", ""
        word, _, argument = text[1:].partition(" ")
        name, _, whose = word.partition("@")
        if whose and whose.lower() != self._username.lower():
            return "", ""
        return name.lower(), argument.strip()

    async def _newgame(self, message: Message) -> Answer:
        topic = message.message_thread_id if message.is_topic_message else None
        sender = message.from_user
        if message.sender_chat is not None or sender is None or sender.is_bot:
            text = self._scribe(None).say("reply.anonymous")
            await self._client.send(message.chat.id, text, topic=topic)
            return OK
        table = self._chats.table_of(message.chat.id, topic)
        trigger = f"m{message.chat.id}.{message.message_id}"
        if table is not None and table.phase == "over" and table.receipt(trigger) is None:
            table = None
        if table is None:
            table = self._chats.open(message.chat.id, topic, LANGUAGE, sender.id)
        outcome = await self._tables.run(table.id, trigger, lambda current, _now: _open_lobby(current))
        if outcome.come_back is not None:
            return _come_back(outcome.come_back)
        if outcome.reply is not None:
            await self._client.send(message.chat.id, self._text(outcome.reply, outcome.table), topic=topic)
        return OK

    async def _start(self, message: Message, payload: str) -> Answer:
        """Somebody has opened his chat with the bot, perhaps by a lobby's link: then he joins."""
        user = message.from_user
        if user is None or user.is_bot:
            return OK
        self._chats.met(user.id, reachable=True)
        word, _, rest = payload.partition("_")
        table_id, _, token = rest.partition("_")
        if word != "join":
            await self._client.send(message.chat.id, self._scribe(None).say("start.hello"))
            return OK
        person = Person(user.id, names.clean(user.full_name), LANGUAGE)

        def judge(table: Table, _now: float) -> tuple[Table, Reply]:
            if not hmac.compare_digest(table.token.encode(), token.encode()):
                return table, Reply("lobby_gone")
            return lobby.join(table, person)

        outcome: Outcome = await self._tables.run(table_id, f"m{user.id}.{message.message_id}", judge)
        if outcome.come_back is not None:
            return _come_back(outcome.come_back)
        reply = outcome.reply or Reply("lobby_gone")
        if reply.code == "joined":
            text = self._scribe(outcome.table).say("start.joined", seat=reply.seat)
        else:
            text = self._text(reply, outcome.table)
        await self._client.send(message.chat.id, text)
        return OK

    # Words -----------------------------------------------------------------------------------------------

    def _scribe(self, table: Table | None) -> Scribe:
        return Scribe(LANGUAGE, table.people if table else (), Html(), self._clock.now())

    def _text(self, reply: Reply, table: Table | None) -> str:
        scribe = self._scribe(table)
        if reply.code == "card" and table is not None and table.game:
            return popups.card(scribe, view_for(table.play(), reply.seat))
        return popups.reply(scribe, reply)


def _open_lobby(table: Table) -> tuple[Table, Reply | None]:
    """A lobby that was opened this moment has its message waiting; else it is posted anew."""
    if table.phase == "lobby" and not table.messages and table.outbox:
        return table, None
    return lobby.open_again(table)


def _bears(message: MaybeInaccessibleMessage, data: str | None) -> bool:
    """Say whether such a button is under the message: what else is pressed there was made up."""
    markup = message.reply_markup if isinstance(message, Message) else None
    return markup is not None and any(b.callback_data == data for row in markup.inline_keyboard for b in row)


def _come_back(seconds: float) -> Answer:
    return Answer(503, {"Retry-After": str(max(1, round(seconds)))})


def _in_the_response(query: CallbackQuery, text: str, reply: Reply) -> Answer:
    """Answer a press in the body of the request's own answer: no call, no waiting."""
    method: dict[str, object] = {"method": "answerCallbackQuery", "callback_query_id": query.id, "text": text}
    if reply.alert:
        method["show_alert"] = True
    if reply.url:
        del method["text"]
        method["url"] = reply.url
    return Answer(200, {"Content-Type": "application/json"}, json.dumps(method, ensure_ascii=False).encode())


def _header(headers: Mapping[str, str], name: str) -> str:
    """A header by its name in small letters, however it was written."""
    return next((value for written, value in headers.items() if written.lower() == name), "")
