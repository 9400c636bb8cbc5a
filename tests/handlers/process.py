"""A process that can be killed: between any two of its writes and calls, or when its time is up.

What it had in its memory is gone then; so every call and write of whatever still runs of it fails.
"""

from __future__ import annotations

import asyncio
import builtins
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from telegram import Bot
from telegram.request import BaseRequest, RequestData

from infra.local.errors import ApiError, ConnectionDropped
from infra.local.world import World
from infra.ports import Item, Store
from tests.fakes import FakeClock

TOKEN = "7000000001:AAtesttokentesttokentesttokentesttok"
SENDS = ("sendMessage", "editMessageText", "editMessageReplyMarkup")


class Killed(BaseException):
    """The process is gone."""


@dataclass
class Fuse:
    """Counts what a process does to the world outside it. It is killed after so many deeds, or at an instant.

    lasts: seconds that each of its calls takes. in_flight: how many messages it has sent, new or edited, since
    it last wrote.
    """

    after: int | None = None
    at: float = float("inf")
    now: Callable[[], float] = lambda: 0.0
    lasts: float = 0.0
    deeds: int = 0
    in_flight: int = 0
    dead: bool = False

    def before(self) -> None:
        """Nothing is done by a dead process."""
        if self.now() >= self.at:
            self.dead = True
        if self.dead:
            raise Killed

    def done(self, deed: str) -> None:
        """Count a deed that has been done; perhaps nobody lives to hear of it."""
        self.deeds += 1
        if deed == "write":
            self.in_flight = 0
        elif deed in SENDS:
            self.in_flight += 1
        if self.deeds == self.after:
            self.dead = True
            raise Killed


class FusedStore:
    """A store as a process sees it that may be killed."""

    def __init__(self, store: Store, fuse: Fuse) -> None:
        self._store = store
        self._fuse = fuse

    def get(self, key: str, sort: str) -> Item | None:
        self._fuse.before()
        return self._store.get(key, sort)

    def put(self, item: Item) -> Item | None:
        self._fuse.before()
        there = self._store.put(item)
        if there is None:
            self._fuse.done("write")
        return there

    def put_same(self, item: Item) -> None:
        self._fuse.before()
        self._store.put_same(item)
        self._fuse.done("copy")

    def list(self, key: str, sort_prefix: str) -> builtins.list[Item]:
        self._fuse.before()
        return self._store.list(key, sort_prefix)

    def due(self, until: float, limit: int) -> builtins.list[str]:
        self._fuse.before()
        return self._store.due(until, limit)


class Wire(BaseRequest):
    """Calls of the bot's library that go straight into the small Telegram."""

    def __init__(self, world: World, clock: FakeClock, fuse: Fuse) -> None:
        super().__init__()
        self._world = world
        self._clock = clock
        self._fuse = fuse

    @property
    def read_timeout(self) -> float:
        return 5.0

    async def initialize(self) -> None:
        """There is no connection."""

    async def shutdown(self) -> None:
        """There is no connection."""

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *_args: Any, **_kwargs: Any
    ) -> tuple[int, bytes]:
        name = url.rpartition("/")[2]
        await asyncio.sleep(0)
        self._fuse.before()
        try:
            result = self._world.call(name, request_data.json_parameters if request_data else {})
            status, answer = 200, {"ok": True, "result": result}
        except ApiError as error:
            status, answer = error.code, error.body()
        except ConnectionDropped:
            # It was carried out; what the library makes of a call without an answer is its own affair.
            self._fuse.done(name)
            raise
        self._clock.advance(self._fuse.lasts)
        self._fuse.done(name)
        await asyncio.sleep(0)
        return status, json.dumps(answer).encode()


def direct_bot(world: World, clock: FakeClock, fuse: Fuse) -> Bot:
    """A bot whose calls go straight into the small Telegram."""
    wire = Wire(world, clock, fuse)
    return Bot(TOKEN, base_url="http://telegram.invalid/bot", request=wire, get_updates_request=wire)
