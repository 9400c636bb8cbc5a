"""Carries updates to the bot's webhook as Telegram does: in order per queue, until each is taken."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import parse_qsl

import aiohttp

from infra.local.clock import Clock
from infra.local.errors import ApiError, ConnectionDropped
from infra.local.state import Change, Waiting
from infra.local.store import Json

# Telegram awaits an answer of the webhook for so many (wall) seconds.
ANSWER_TIMEOUT = 60.0
# Seconds before the third attempt; the second follows the first at once.
_FIRST_BACKOFF = 2.0
_LONGEST_BACKOFF = 60.0
_LONGEST_RETRY_AFTER = 3600.0
_NOT_IN_ANSWERS = ("setwebhook", "deletewebhook", "close", "logout")

_log = logging.getLogger(__name__)


class Post(Protocol):
    """Where updates wait for the bot, and who carries out what it asks for: a world, or the real Telegram."""

    def waiting(self) -> list[Waiting]:
        """Return the updates the bot has not taken yet, oldest first."""
        ...

    def taken(self, update_id: int) -> None:
        """Forget an update: the bot has it, or it is too old."""
        ...

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Tell `listener` of every "update" that comes and every "webhook" that is set; returns what ends that."""
        ...

    def webhook(self) -> Json:
        """Return what the bot has set: at least url and secret_token."""
        ...

    def call(self, method: str, params: Mapping[str, Any]) -> Any:
        """Carry out one method of the Bot API."""
        ...


class Reply(Protocol):
    """An answer of the webhook."""

    @property
    def status(self) -> int:
        """HTTP status."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """HTTP headers."""
        ...

    @property
    def body(self) -> bytes:
        """The body, perhaps a method of the Bot API."""
        ...


Door = Callable[[Mapping[str, str], bytes], Awaitable[Reply]]


@dataclass(frozen=True)
class Answer:
    """A plain `Reply`."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpDoor:
    """A door that is the webhook the bot has set, reached by HTTP; closed as long as there is none."""

    def __init__(self, post: Post, session: aiohttp.ClientSession) -> None:
        self._post = post
        self._session = session

    async def __call__(self, headers: Mapping[str, str], body: bytes) -> Reply:
        """POST an update."""
        webhook = self._post.webhook()
        timeout = aiohttp.ClientTimeout(total=ANSWER_TIMEOUT)
        async with self._session.post(webhook["url"], data=body, headers=headers, timeout=timeout) as answer:
            return Answer(answer.status, dict(answer.headers), await answer.read())


@dataclass
class _Queue:
    """How far the delivery of a queue's head has come."""

    update_id: int
    backoff: float
    due: float


class Courier:
    """Delivers what waits in the post to a door, at most `connections` updates at a time.

    Without a door updates go to the webhook the bot sets. `secret` is sent along if the bot set none.
    """

    def __init__(
        self, post: Post, clock: Clock, door: Door | None = None, *, secret: str = "", connections: int = 40
    ) -> None:
        self._post = post
        self._clock = clock
        self._door = door
        self._secret = secret
        self._slots = asyncio.Semaphore(connections)
        self._queues: dict[str, _Queue] = {}
        self._running: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Deliver until cancelled."""
        news = asyncio.Event()

        def listen(change: Change) -> None:
            if change.kind in ("update", "webhook"):
                news.set()

        stop = self._post.subscribe(listen)
        session = None
        try:
            if self._door is None:
                session = aiohttp.ClientSession()
                self._door = HttpDoor(self._post, session)
            while True:
                news.clear()
                self._start_queues()
                await news.wait()
        finally:
            stop()
            tasks = list(self._running.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if session is not None:
                await session.close()
                self._door = None

    async def settle(self) -> None:
        """Deliver everything that is due now, and what comes of it; what must be retried later stays."""
        while heads := [head for head in self._heads().values() if self._due(head) <= self._clock.now()]:
            await asyncio.gather(*(self._attempt(head) for head in heads))

    def next_due(self) -> float | None:
        """Return when the next update is to be delivered, or None if none waits."""
        return min((self._due(head) for head in self._heads().values()), default=None)

    def _heads(self) -> dict[str, Waiting]:
        heads: dict[str, Waiting] = {}
        for waiting in self._post.waiting():
            heads.setdefault(waiting.queue, waiting)
        return heads

    def _open(self) -> bool:
        return not isinstance(self._door, HttpDoor) or bool(self._post.webhook()["url"])

    def _start_queues(self) -> None:
        if not self._open():
            return
        for name in self._heads():
            if name not in self._running:
                self._running[name] = asyncio.create_task(self._drain(name))

    async def _drain(self, name: str) -> None:
        try:
            while self._open() and (head := self._heads().get(name)) is not None:
                await self._clock.sleep_until(self._due(head))
                await self._attempt(head)
        finally:
            # In the same breath as the last look at the queue, so that an update cannot fall in between.
            del self._running[name]

    def _due(self, head: Waiting) -> float:
        queue = self._queues.get(head.queue)
        return queue.due if queue is not None and queue.update_id == head.update_id else 0.0

    async def _attempt(self, head: Waiting) -> None:
        now = self._clock.now()
        if head.expires <= now:
            self._finish(head)
            return
        try:
            async with self._slots:
                reply = await self._knock(head)
        except Exception as error:  # whatever it is, to Telegram it is a webhook that did not answer
            _log.warning("the webhook failed: %r", error)
            self._again(head, None)
            return
        if 200 <= reply.status < 300:
            self._finish(head)
            self._carry_out(reply)
        else:
            self._again(head, reply)

    async def _knock(self, head: Waiting) -> Reply:
        assert self._door is not None  # noqa: S101 - run() has opened it
        headers = {"Content-Type": "application/json"}
        if secret := self._post.webhook()["secret_token"] or self._secret:
            headers["X-Telegram-Bot-Api-Secret-Token"] = secret
        return await self._door(headers, json.dumps(head.update, ensure_ascii=False).encode())

    def _finish(self, head: Waiting) -> None:
        self._queues.pop(head.queue, None)
        self._post.taken(head.update_id)

    def _again(self, head: Waiting, reply: Reply | None) -> None:
        known = self._queues.get(head.queue)
        backoff = 0.0
        if known is not None and known.update_id == head.update_id:
            backoff = min(max(2 * known.backoff, _FIRST_BACKOFF), _LONGEST_BACKOFF)
        delay = backoff
        asked = {} if reply is None else {name.lower(): value for name, value in reply.headers.items()}
        if asked.get("retry-after", "").isdigit():
            delay = min(float(asked["retry-after"]), _LONGEST_RETRY_AFTER)
        due = self._clock.now() + delay
        _log.info("update %s not taken, again in %s s", head.update_id, delay)
        if due >= head.expires:
            self._finish(head)
        else:
            self._queues[head.queue] = _Queue(head.update_id, backoff, due)

    def _carry_out(self, reply: Reply) -> None:
        """Carry out a method in the body of an answer; nobody hears of its result."""
        call = _method_in(reply)
        method = str(call.pop("method", "")).lower()
        if not method or method.startswith("get") or method in _NOT_IN_ANSWERS:
            return
        try:
            self._post.call(method, call)
        except (ApiError, ConnectionDropped) as error:
            _log.info("%s in a webhook's answer failed: %s", method, error)


def _method_in(reply: Reply) -> dict[str, object]:
    try:
        if reply.body.lstrip()[:1] == b"{":
            call = json.loads(reply.body)
            return call if isinstance(call, dict) else {}
        return dict(parse_qsl(reply.body.decode()))
    except ValueError:
        return {}
