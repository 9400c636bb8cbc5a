"""Long polling: updates of the real Telegram come to the door as they would to a webhook.

The playground's courier delivers them, so that queues, retries, `Retry-After`, expiry and the method in an
answer are Telegram's way with webhooks here too. Telegram forgets an update as soon as it is asked for a later
one: that is done only when everything before is done, so that a killed process gets again what it had not dealt
with.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, Final

from telegram import Bot
from telegram.error import Conflict, RetryAfter, TelegramError

from infra.local.clock import Clock
from infra.local.courier import Answer, Courier, Door, Reply
from infra.local.state import Change, Waiting, lifetime_of, queue_of
from infra.local.store import Json
from infra.log import log

KINDS = ("message", "callback_query", "my_chat_member", "chat_member")
LIMIT = 100
"""So many updates Telegram hands out at most, counted from the first that is not confirmed."""
POLL_SECONDS = 50
PACE = 0.6
"""Seconds between two polls while something is under way: till it is done, Telegram answers each at once."""
STUCK_SECONDS = 60.0
CONFLICT_SECONDS = 30.0
FIRST_BACKOFF = 1.0
LONGEST_BACKOFF = 60.0

_ANSWER_SECONDS = 10.0
# A method's name in small letters: to Telegram it is the same, and to the bot's library none of its own, so that
# it gives the answer as it came – kinds and fields that it does not know yet included.
_GET_UPDATES = "getupdates"
# A sleep of the event loop is not told that the machine has slept, or that its clock was set.
_LONGEST_SLEEP = 10.0


class WallClock:
    """The real time."""

    def now(self) -> float:
        """Return the present in epoch seconds."""
        return time.time()

    async def sleep_until(self, when: float) -> None:
        """Return as soon as `now()` is at least `when`."""
        while (left := when - self.now()) > 0:  # noqa: ASYNC110 - time has no event
            await asyncio.sleep(min(left, _LONGEST_SLEEP))


class Mail:
    """What Telegram has handed out: it waits here for the courier, and is confirmed in order."""

    def __init__(self, bot: Bot, clock: Clock) -> None:
        self.idle: Final = asyncio.Event()
        self._bot = bot
        self._clock = clock
        self._waiting: dict[int, Waiting] = {}
        # What Telegram would hand out again, beginning with an update that still waits.
        self._unconfirmed: deque[int] = deque()
        self._next: int | None = None
        self._moved_at = 0.0
        self._listeners: list[Callable[[Change], None]] = []
        self._calls: set[asyncio.Task[None]] = set()
        self.idle.set()

    @property
    def offset(self) -> int | None:
        """The first update that Telegram has to keep; None as long as it has handed out nothing."""
        return self._unconfirmed[0] if self._unconfirmed else self._next

    @property
    def is_stuck(self) -> bool:
        """Whether one update keeps Telegram from handing out any new ones, and has for long."""
        full = len(self._unconfirmed) >= LIMIT
        return full and self._clock.now() - self._moved_at >= STUCK_SECONDS

    def hand_in(self, updates: list[Json]) -> None:
        """Take what Telegram has handed out, perhaps not for the first time."""
        now = self._clock.now()
        for update in updates:
            number = int(update["update_id"])
            if number in self._waiting or number in self._unconfirmed:
                continue
            kind, body = next((item for item in update.items() if item[0] != "update_id"), ("", {}))
            self._waiting[number] = Waiting(update, queue_of(kind, body), now + lifetime_of(kind))
            if not self._unconfirmed:
                self._moved_at = now
                self.idle.clear()
            self._unconfirmed.append(number)
            self._next = number + 1
            for listener in tuple(self._listeners):
                listener(Change("update", {"update_id": number}))

    def let_go(self) -> None:
        """Have everything confirmed that was handed out; what waits goes on waiting, but only here."""
        self._unconfirmed.clear()
        self.idle.set()

    async def close(self) -> None:
        """Wait for the calls that are under way; each has its own limit of time."""
        await asyncio.gather(*self._calls, return_exceptions=True)

    # What the courier needs

    def waiting(self) -> list[Waiting]:
        """Return the updates that are not done yet, oldest first."""
        return list(self._waiting.values())

    def taken(self, update_id: int) -> None:
        """Forget an update, and have it confirmed when all before it are done."""
        del self._waiting[update_id]
        while self._unconfirmed and self._unconfirmed[0] not in self._waiting:
            self._unconfirmed.popleft()
            self._moved_at = self._clock.now()
        if not self._unconfirmed:
            self.idle.set()

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Tell `listener` of every new update from now on; returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def webhook(self) -> Json:
        """Return that there is none."""
        return {"url": "", "secret_token": ""}

    def call(self, method: str, params: Mapping[str, Any]) -> None:
        """Have a method carried out; nobody waits for it or hears of its result."""
        task = asyncio.create_task(self._carry_out(method, dict(params)))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)

    async def _carry_out(self, method: str, params: Json) -> None:
        try:
            await self._bot.do_api_request(method, api_kwargs=params)
        except TelegramError as error:
            log("answer_lost", error=error, method=method)


class Poller:
    """Gets a bot's updates and brings each to the door, with `secret` in the header that Telegram uses."""

    def __init__(self, bot: Bot, door: Door, secret: str, clock: Clock) -> None:
        self._bot = bot
        self._door = door
        self._clock = clock
        self._mail = Mail(bot, clock)
        self._courier = Courier(self._mail, clock, self._knock, secret=secret)
        self._confirmed: int | None = None
        self._failures = 0

    async def run(self) -> None:
        """Take the webhook off, then poll and deliver until cancelled.

        What was done by then is confirmed; what was not comes again to the next process.
        """
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._courier.run())
                group.create_task(self._poll())
        finally:
            await self._mail.close()
            if self._mail.offset != self._confirmed:
                with suppress(TelegramError):
                    await self._get_updates(limit=1, seconds=0)

    async def _knock(self, headers: Mapping[str, str], body: bytes) -> Reply:
        try:
            return await self._door(headers, body)
        except Exception as error:
            log("door_failed", level=logging.ERROR, error=error)
            return Answer(500, {}, b"")

    async def _poll(self) -> None:
        while not await self._succeeds(self._bot.delete_webhook):
            pass
        while True:
            if await self._succeeds(self._fetch):
                await _first_of(self._mail.idle.wait(), self._clock.sleep_until(self._clock.now() + PACE))

    async def _fetch(self) -> None:
        if self._mail.is_stuck:
            log("polling_stuck", level=logging.WARNING, pending=len(self._mail.waiting()))
            self._mail.let_go()
        self._mail.hand_in(await self._get_updates(LIMIT, POLL_SECONDS))

    async def _get_updates(self, limit: int, seconds: int) -> list[Json]:
        offset = self._mail.offset
        asked = {"offset": offset, "limit": limit, "timeout": seconds, "allowed_updates": KINDS}
        updates: list[Json] = await self._bot.do_api_request(
            _GET_UPDATES, api_kwargs=asked, read_timeout=seconds + _ANSWER_SECONDS
        )
        self._confirmed = offset
        return updates

    async def _succeeds(self, call: Callable[[], Awaitable[object]]) -> bool:
        """Say whether a call succeeds; if not, it is logged, and time has passed."""
        try:
            await call()
        except Exception as error:  # whatever it is, nobody is served by a poller that ends
            await self._clock.sleep_until(self._clock.now() + self._pause_after(error))
            return False
        self._failures = 0
        return True

    def _pause_after(self, error: Exception) -> float:
        match error:
            case Conflict():
                code = "webhook_is_set" if "webhook" in error.message else "another_poller"
                log("polling_conflict", level=logging.ERROR, code=code, retry_after=CONFLICT_SECONDS)
                return CONFLICT_SECONDS
            case RetryAfter():
                wait = error.retry_after
                pause = float(wait if isinstance(wait, int) else wait.total_seconds())
            case _:
                pause = min(FIRST_BACKOFF * 2**self._failures, LONGEST_BACKOFF)
                self._failures += pause < LONGEST_BACKOFF
        log("polling_failed", level=logging.WARNING, error=error, retry_after=pause)
        return pause


async def _first_of(*waits: Coroutine[Any, Any, object]) -> None:
    """Wait until one of them is over, and end the others."""
    tasks = [asyncio.create_task(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
