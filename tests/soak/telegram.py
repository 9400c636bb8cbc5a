"""Telegram, as much of it as a game meets: chats, messages, presses, and updates that come until they are taken.

Each queue – a chat's messages, a person's presses – has one update under way at a time. An answer of 5xx, or none,
brings it again: at once, then later and later, or when the answer says. A press is given up after 150 seconds.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from handlers.telegram.desk import Answer
from infra.local.errors import ApiError, bad_request, upgraded
from tests.soak.timeline import Timeline

Json = dict[str, Any]
DAY_S, PRESS_S = 86400.0, 150.0
FIRST_BACKOFF_S, LONGEST_BACKOFF_S = 2.0, 60.0
TOO_OLD_S = 100.0
"""How old a press may be to be answered; Telegram's own limit is not documented."""

LONGEST_TEXT, LONGEST_DATA = 4096, 64


@dataclass
class Query:
    """A press. answers: when it was answered, and with what. taken: the bot has said that it is done with it."""

    id: str
    user: int
    data: str
    at: float
    answers: list[tuple[float, str]] = field(default_factory=list)
    late: bool = False
    taken: bool = False
    given_up: bool = False


@dataclass
class _Waiting:
    update: Json
    expires: float
    query: Query | None = None
    backoff: float = 0.0
    done: bool = False


@dataclass
class _Chat:
    kind: str
    title: str
    moved: int = 0
    last: int = 0
    messages: dict[int, Json] = field(default_factory=dict)


Knock = Callable[[bytes, Callable[[Answer | None], None]], None]
"""Hands an update to the bot; what it answers comes later, None if nothing does."""


class Telegram:
    """The servers. lag: how long an update takes to arrive; again: may it come a second time, and when."""

    def __init__(
        self, time: Timeline, knock: Knock, lag: Callable[[], float], again: Callable[[], float | None]
    ) -> None:
        self._time = time
        self._knock = knock
        self._lag = lag
        self._again = again
        self._updates = 0
        self._queues: dict[str, deque[_Waiting]] = {}
        self._people: dict[int, Json] = {}
        self.chats: dict[int, _Chat] = {}
        self.queries: list[Query] = []
        self.offered: dict[tuple[int, str], int] = {}
        """Of each person (0: the group) and the beginning of a button's data: the message that bears it."""
        self.changed: Callable[[], None] = lambda: None

    # People ----------------------------------------------------------------------------------------------

    def new_person(self, user: int, name: str, language: str) -> None:
        self._people[user] = {"id": user, "is_bot": False, "first_name": name, "language_code": language}
        self.chats[user] = _Chat("private", name)

    def new_group(self, chat: int, title: str, kind: str) -> None:
        self.chats[chat] = _Chat(kind, title)

    def say(self, user: int, chat: int, text: str) -> None:
        """Somebody writes."""
        message = self._new_message(chat, self._people[user], text=text)
        self._put(f"chat {chat}", {"message": message}, DAY_S)

    def press(self, user: int, chat: int, message: int, data: str) -> Query:
        """Somebody presses a button under a message."""
        query = Query(f"{len(self.queries) + 1}", user, data, self._time.now())
        self.queries.append(query)
        shown = self.chats[chat].messages.get(message) or self._shape(chat, message, {})
        body = {"id": query.id, "from": self._people[user], "chat_instance": "1", "data": data, "message": shown}
        self._put(f"press {user}", {"callback_query": body}, PRESS_S, query)
        return query

    def migrate(self, old: int, lose: str = "") -> int:
        """A group becomes a supergroup. lose: which of the two messages about it does not come."""
        new = -1_000_000_000_000 + old
        self.chats[old].moved = new
        self.chats[new] = _Chat("supergroup", self.chats[old].title)
        nobody = next(iter(self._people.values()))
        if lose != "to":
            message = self._new_message(old, nobody, migrate_to_chat_id=new)
            self._put(f"chat {old}", {"message": message}, DAY_S)
        if lose != "from":
            message = self._new_message(new, nobody, migrate_from_chat_id=old)
            self._put(f"chat {new}", {"message": message}, DAY_S)
        return new

    # Updates ---------------------------------------------------------------------------------------------

    def is_quiet(self) -> bool:
        """Say whether no update waits."""
        return not any(self._queues.values())

    def _put(self, name: str, body: Json, lifetime: float, query: Query | None = None) -> None:
        self._updates += 1
        waiting = _Waiting({"update_id": self._updates, **body}, self._time.now() + lifetime, query)
        queue = self._queues.setdefault(name, deque())
        queue.append(waiting)
        if len(queue) == 1:
            self._send(queue, self._lag())

    def _send(self, queue: deque[_Waiting], after: float) -> None:
        self._time.at(self._time.now() + after, lambda: self._attempt(queue), early=True)

    def _attempt(self, queue: deque[_Waiting]) -> None:
        waiting = queue[0]
        if waiting.expires <= self._time.now():
            self._finish(queue, taken=False)
            return
        body = json.dumps(waiting.update, ensure_ascii=False).encode()
        self._knock(body, lambda answer: self._answered(queue, waiting, answer))
        if (after := self._again()) is not None:
            # The answer to the first was lost: nobody waits for what is said to this one.
            self._time.at(self._time.now() + after, lambda: self._knock(body, self.carry_out), early=True)

    def _answered(self, queue: deque[_Waiting], waiting: _Waiting, answer: Answer | None) -> None:
        if answer is not None and 200 <= answer.status < 300:
            self.carry_out(answer)
            self._finish(queue, taken=True)
            return
        delay = waiting.backoff
        waiting.backoff = min(max(2 * waiting.backoff, FIRST_BACKOFF_S), LONGEST_BACKOFF_S)
        if answer is not None and "Retry-After" in answer.headers:
            delay = float(answer.headers["Retry-After"])
        if self._time.now() + delay >= waiting.expires:
            self._finish(queue, taken=False)
        else:
            self._send(queue, delay)

    def _finish(self, queue: deque[_Waiting], taken: bool) -> None:
        waiting = queue.popleft()
        if waiting.query is not None:
            waiting.query.taken, waiting.query.given_up = taken, not taken
        if queue:
            self._send(queue, self._lag())

    def carry_out(self, answer: Answer | None) -> None:
        """Carry out the method in an answer of the webhook; nobody hears of its result."""
        if answer is not None and answer.body:
            call = json.loads(answer.body)
            try:
                self.call(call.pop("method"), call)
            except ApiError:
                return

    # The bot's methods -----------------------------------------------------------------------------------

    def call(self, method: str, params: Mapping[str, Any]) -> Any:
        """Carry out a method; `ApiError` if it is refused."""
        match method:
            case "sendMessage":
                return self._send_message(params)
            case "editMessageText" | "editMessageReplyMarkup":
                return self._edit(params, text=method == "editMessageText")
            case "answerCallbackQuery":
                return self._answer(params)
            case "getChatMember":
                user = int(params["user_id"])
                known = self._people.get(user)
                shown = known or {"id": user, "is_bot": False, "first_name": "?"}
                return {"user": shown, "status": "member" if known else "left"}
        raise ApiError(404, f"Not Found: {method}")

    def offer(self, chat: int, message: int, params: Mapping[str, Any]) -> None:
        """Note which buttons are seen where."""
        for row in _keyboard(params):
            for button in row:
                data = button.get("callback_data", "")
                assert len(data.encode()) <= LONGEST_DATA, data
                self.offered[max(chat, 0), data.rpartition(".")[0]] = message
        self.changed()

    def _chat(self, params: Mapping[str, Any]) -> int:
        chat = int(params["chat_id"])
        if chat not in self.chats:
            raise bad_request("chat not found")
        if self.chats[chat].moved:
            raise upgraded(self.chats[chat].moved)
        return chat

    def _send_message(self, params: Mapping[str, Any]) -> Json:
        chat = self._chat(params)
        _check(params["text"])
        bot = {"id": 7000000001, "is_bot": True, "first_name": "Nightfall", "username": "NightfallBot"}
        markup = {"reply_markup": {"inline_keyboard": keys}} if (keys := _keyboard(params)) else {}
        message = self._new_message(chat, bot, text=params["text"], **markup)
        self.offer(chat, message["message_id"], params)
        return message

    def _edit(self, params: Mapping[str, Any], text: bool) -> Json:
        chat = self._chat(params)
        message = self.chats[chat].messages.get(int(params["message_id"]))
        if message is None:
            raise bad_request("message to edit not found")
        changed = {**message}
        if text:
            _check(params["text"])
            changed["text"] = params["text"]
        changed.pop("reply_markup", None)
        if keys := _keyboard(params):
            changed["reply_markup"] = {"inline_keyboard": keys}
        if changed == message:
            raise bad_request(
                "message is not modified: specified new message content and reply markup are the same"
            )
        self.chats[chat].messages[message["message_id"]] = changed
        self.offer(chat, message["message_id"], params)
        return changed

    def _answer(self, params: Mapping[str, Any]) -> bool:
        number = str(params["callback_query_id"])
        query = next((query for query in self.queries if query.id == number), None)
        if query is None:
            raise bad_request("query is too old and response timeout expired or query ID is invalid")
        if self._time.now() - query.at > TOO_OLD_S:
            query.late = True
            raise bad_request("query is too old and response timeout expired or query ID is invalid")
        assert len(str(params.get("text", ""))) <= 200
        query.answers.append((self._time.now(), str(params.get("text", ""))))
        self.changed()
        return True

    def _new_message(self, chat: int, sender: Json, **content: Any) -> Json:
        there = self.chats[chat]
        there.last += 1
        message = self._shape(chat, there.last, {"from": sender, **content})
        there.messages[there.last] = message
        return message

    def _shape(self, chat: int, message: int, content: Json) -> Json:
        there = self.chats[chat]
        shape: Json = {"id": chat, "type": there.kind}
        shape |= {"first_name": there.title} if there.kind == "private" else {"title": there.title}
        return {"message_id": message, "date": int(self._time.now()), "chat": shape, **content}


def _keyboard(params: Mapping[str, Any]) -> list[list[Json]]:
    markup = params.get("reply_markup")
    rows: list[list[Json]] = json.loads(markup)["inline_keyboard"] if markup else []
    return rows


def _check(text: str) -> None:
    if not 1 <= len(text) <= LONGEST_TEXT:
        raise bad_request("message text is empty" if not text else "message is too long")
