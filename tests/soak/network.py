"""What lies between the functions and the world: the line to the store, the one to Telegram, and their faults."""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace
from telegram.error import TimedOut
from telegram.request import BaseRequest, RequestData

from handlers.outbox import Delivery
from handlers.packing import squeeze, unsqueeze
from handlers.record import SORT, AnyEffect, Table
from handlers.table import Messenger
from infra.local.errors import ApiError, bad_request, forbidden, too_many
from infra.ports import Item, Store
from tests.soak.functions import Functions, Killed, StoreIsAway
from tests.soak.journal import MOVED, NOT_HEARD_OF, SENDS, Journal
from tests.soak.telegram import Telegram
from tests.soak.timeline import Pause, Timeline
from tests.soak.weather import Weather

CALL_S = 0.1
"""How long a call takes there and back."""

PATIENCE_S = 5.0
"""After so many seconds a call is given up."""

SOON_S = 2.0
"""What would happen within so many seconds may as well happen in the middle of something else."""


class Chance:
    """Draws faults. A fault is noted, and none befalls a world that is `calm`."""

    def __init__(self, rng: Random, journal: Journal) -> None:
        self.rng = rng
        self._journal = journal
        self.calm = False

    def __call__(self, likelihood: float, what: str) -> bool:
        if self.calm or likelihood <= 0 or self.rng.random() >= likelihood:
            return False
        self._journal.faults[what] += 1
        return True


class Line:
    """The line to the store, as the running function has it."""

    def __init__(
        self,
        store: Store,
        time: Timeline,
        functions: Functions,
        weather: Weather,
        chance: Chance,
        journal: Journal,
    ) -> None:
        self._store = store
        self._time = time
        self._functions = functions
        self._weather = weather
        self._chance = chance
        self._journal = journal
        self._depth = 0

    def get(self, key: str, sort: str) -> Item | None:
        self._reach()
        run = self._functions.current
        item = self._store.get(key, sort)
        if run is not None and sort == SORT:
            run.judged = []
        return item

    def put(self, item: Item) -> Item | None:
        run = self._functions.current
        assert run is not None
        judged, run.judged = run.judged, []
        self._kill()
        if item.sort == SORT:
            self._race(item)
        self._reach()
        if run.release > 1 and item.sort == SORT and item.version > 1:
            item = replace(item, body=_with_a_new_field(item.body))
        before = self._store.get(item.key, item.sort)
        there = self._store.put(item)
        if there is None:
            self._journal.wrote(run, before, item, judged)
            self._kill()
            if self._chance(self._weather.times_out, "times_out"):
                raise StoreIsAway
            if self._chance(self._weather.forgets, "forgets"):
                return self._store.put(item)
        return there

    def put_same(self, item: Item) -> None:
        self._kill()
        self._reach()
        self._store.put_same(item)
        self._journal.archived.add(item.sort)
        self._kill()

    def list(self, key: str, sort_prefix: str) -> builtins.list[Item]:
        self._reach()
        return self._store.list(key, sort_prefix)

    def due(self, until: float, limit: int) -> builtins.list[str]:
        return self._store.due(until, limit)

    def _reach(self) -> None:
        if self._chance(self._weather.refuses, "refuses"):
            raise StoreIsAway

    def _kill(self) -> None:
        if self._chance(self._weather.kill, "kill"):
            raise Killed

    def _race(self, item: Item) -> None:
        """Another function is faster; if there is none, somebody writes the row as it is."""
        if self._depth >= 3 or not self._chance(self._weather.race, "race"):
            return
        self._depth += 1
        try:
            if self._time.pull(SOON_S):
                return
        finally:
            self._depth -= 1
        there = self._store.get(item.key, item.sort)
        if there is not None:
            assert self._store.put(replace(there, version=there.version + 1)) is None


def _with_a_new_field(body: bytes) -> bytes:
    """The record as a later version writes it, which knows more."""
    fields = msgspec.msgpack.decode(unsqueeze(body))
    return squeeze(msgspec.msgpack.encode({**fields, "of_a_later_version": [1]}))


class Wire(BaseRequest):
    """The requests of the bot's library, handed to Telegram by whoever `carry` is at the time."""

    def __init__(self) -> None:
        self.carry: Callable[[str, dict[str, Any]], Any]

    @property
    def read_timeout(self) -> float:
        return PATIENCE_S

    async def initialize(self) -> None:
        """There is no connection."""

    async def shutdown(self) -> None:
        """There is no connection."""

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *_args: Any, **_kwargs: Any
    ) -> tuple[int, bytes]:
        params = request_data.json_parameters if request_data else {}
        status, answer = await self.carry(url.rpartition("/")[2], params)
        return status, json.dumps(answer).encode()


class Post:
    """Carries the calls of the functions to Telegram."""

    def __init__(
        self, telegram: Telegram, functions: Functions, weather: Weather, chance: Chance, journal: Journal
    ) -> None:
        self._telegram = telegram
        self._functions = functions
        self._weather = weather
        self._chance = chance
        self._journal = journal

    async def carry(self, method: str, params: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Make one call."""
        run = self._functions.current
        assert run is not None
        await Pause(CALL_S / 2)
        if self._chance(self._weather.lost, "lost"):
            await Pause(PATIENCE_S)
            raise TimedOut
        unheard = self._chance(self._weather.unheard, "unheard")
        try:
            self._may_be_refused(method, params)
            result = self._telegram.call(method, params)
        except ApiError as error:
            moved = "migrate_to_chat_id" in error.parameters
            self._journal.called(run, method, params, MOVED if moved else error.code)
            if method in SENDS and error.code in (400, 403) and not moved:
                # Who cannot read the question is told by the others what it was: the game is the same.
                self._telegram.offer(int(params["chat_id"]), 0, params)
            await Pause(CALL_S / 2)
            return error.code, error.body()
        self._journal.called(run, method, params, NOT_HEARD_OF if unheard else 200)
        if self._chance(self._weather.kill, "kill"):
            raise Killed
        if unheard:
            await Pause(PATIENCE_S)
            raise TimedOut
        await Pause(CALL_S / 2)
        return 200, {"ok": True, "result": result}

    def _may_be_refused(self, method: str, params: dict[str, Any]) -> None:
        if self._chance(self._weather.too_many, "too_many"):
            raise too_many(self._chance.rng.randint(1, 20))
        if self._chance(self._weather.broken, "broken"):
            raise ApiError(500, "Internal Server Error")
        if method in SENDS and self._chance(self._weather.bad, "bad"):
            raise bad_request("message can't be edited" if method.startswith("edit") else "have no rights to send")
        if method in SENDS and int(params["chat_id"]) > 0 and self._chance(self._weather.forbidden, "forbidden"):
            raise forbidden("bot was blocked by the user")


class Labelled:
    """A messenger that says on whose account its calls are made."""

    def __init__(self, messenger: Messenger, functions: Functions, journal: Journal) -> None:
        self._messenger = messenger
        self._functions = functions
        self._journal = journal

    async def deliver(self, effect: AnyEffect, table: Table) -> Delivery:
        run = self._functions.current
        assert run is not None
        self._journal.delivers(run, effect, table)
        try:
            delivery = await self._messenger.deliver(effect, table)
        except Exception as error:
            self._journal.problems.append(
                f"{type(effect).__name__} cannot be sent: {type(error).__name__} {error}"
            )
            raise
        self._journal.delivered(run, effect, delivery.sent)
        return delivery
