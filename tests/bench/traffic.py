"""What whole games send, store and cost: played by the house through the doors, with Telegram's limits.

Two processes share the store, as in the cloud: presses come to one, timers to the other. Everything is counted as
it is charged for. House players are fast: a real game has the same traffic in more minutes.
"""

from __future__ import annotations

import asyncio
import json
import math
import statistics
from collections.abc import Coroutine, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from engine import view_for
from handlers import buttons
from handlers.record import SORT, unpack
from handlers.telegram.desk import Answer
from handlers.wiring import Moderator, telegram
from infra.local.weather import TELEGRAMS_LIMITS
from infra.ports import Item
from tests.bench.report import Report
from tests.handlers.meter import Meter, busiest
from tests.handlers.process import FusedStore
from tests.handlers.stores import Wrapped
from tests.handlers.town import SECRET, Town, town

Result = TypeVar("Result")

KEYS_AND_NUMBERS = 110
"""Bytes of a row beside its body: names and values of key, sort, version, due, swept, expires."""

DAYS = 5

# List prices, US East, in dollars.
READ, WRITE = 0.125e-6, 0.625e-6
REQUEST, INVOCATION, MESSAGE = 1.00e-6, 0.20e-6, 0.40e-6
GIGABYTE_SECOND = 0.0000133334
LOG_BYTE = 0.50e-9

# How long a function is there for an invocation, at a gigabyte: assumed, since nothing here is far away.
HANDLED_S, ROUND_TRIP_S, CALL_S = 0.010, 0.008, 0.060
LOGGED = 400
"""Bytes of log lines of an invocation, on the average; a call of Telegram's is half of that."""


@dataclass
class Charged:
    """Requests of the store and what they are charged as; calls: of Telegram's. sizes: of a table's rows."""

    reads: int = 0
    writes: int = 0
    read_units: int = 0
    write_units: int = 0
    index_units: int = 0
    sizes: list[int] = field(default_factory=list)


_NOBODY = Charged()
_CHARGED: ContextVar[Charged] = ContextVar("charged", default=_NOBODY)
"""Who is charged: presses that come at the same time run side by side."""


class Counting(Wrapped):
    """A store that counts as DynamoDB charges."""

    def get(self, key: str, sort: str) -> Item | None:
        item = super().get(key, sort)
        charged = _CHARGED.get()
        charged.reads += 1
        charged.read_units += math.ceil(size(item) / 4096) if item else 1
        return item

    def put(self, item: Item) -> Item | None:
        before = self.store.get(item.key, item.sort)
        refused = super().put(item)
        self._wrote(item, before, refused is None)
        return refused

    def put_same(self, item: Item) -> None:
        super().put_same(item)
        self._wrote(item, None, True)

    def _wrote(self, item: Item, before: Item | None, done: bool) -> None:
        charged = _CHARGED.get()
        charged.writes += 1
        charged.write_units += math.ceil(max(size(item), size(before)) / 1024)
        was = before.due if before else None
        if done and was != item.due:
            # A key of the index is changed by taking a row out and putting one in.
            charged.index_units += (was is not None) + (item.due is not None)
        if item.sort == SORT:
            charged.sizes.append(size(item))


def size(item: Item | None) -> int:
    """What a row is charged as, in bytes."""
    return len(item.body) + KEYS_AND_NUMBERS if item else 0


@dataclass
class Invocation:
    """One run of a function. data: of the press it was called for, if it was."""

    data: buttons.Data | None
    charged: Charged
    calls: int
    day: int


class TwoFunctions:
    """In the place of a `Moderator`: one for updates, another for wake-ups; they have but the store in common."""

    def __init__(self, here: Town) -> None:
        def another() -> Moderator:
            store = FusedStore(here.store, here.fuse)
            username = str(here.world.bot.username)
            return telegram(store, here.timers, here.clock, here.new_bot(here.fuse), SECRET, username)

        self._here = here
        self._presses, self._clock = another(), another()
        self.door = self
        self.invocations: list[Invocation] = []

    async def handle(self, headers: Mapping[str, str], body: bytes) -> Answer:
        """An update."""
        query = json.loads(body).get("callback_query")
        data = buttons.parse(query["data"]) if query else None
        return await self._counted(data, self._presses.door.handle(headers, body))

    async def wake(self, key: str, serial: int | None) -> None:
        """A wake-up."""
        await self._counted(None, self._clock.wake(key, serial))

    async def _counted(self, data: buttons.Data | None, work: Coroutine[Any, Any, Result]) -> Result:
        calls, charged = len(self._here.world.calls), Charged()
        token = _CHARGED.set(charged)
        try:
            return await work
        finally:
            _CHARGED.reset(token)
            game = unpack(self._here.item().body)
            day = view_for(game.play(), None).day if game.game else 0
            self.invocations.append(Invocation(data, charged, len(self._here.world.calls) - calls, day))


@dataclass(frozen=True)
class Played:
    """One game: its days, when the group was sent something or had something edited, and all invocations."""

    days: int
    sends: list[float]
    edits: list[float]
    calls: int
    armed: int
    invocations: list[Invocation]

    @property
    def in_the_group(self) -> int:
        """Sends and edits."""
        return len(self.sends) + len(self.edits)

    def votes(self) -> list[Invocation]:
        """Those that sent nothing and had no race to win: one press, one round trip."""
        return [one for one in self.invocations if one.data and one.data.code == buttons.VOTE and not one.calls]

    def dollars(self) -> float:
        """What it costs."""
        return sum(self.prices().values())

    def prices(self) -> dict[str, float]:
        """What each of its parts costs at list prices."""
        store = [one.charged for one in self.invocations]
        units = sum(one.write_units + one.index_units for one in store)
        updates = sum(one.data is not None for one in self.invocations)
        trips = sum(one.reads + one.writes for one in store)
        runs = len(self.invocations)
        there = runs * HANDLED_S + trips * ROUND_TRIP_S + self.calls * CALL_S
        return {
            "writes": units * WRITE,
            "reads": sum(one.read_units for one in store) * READ,
            "requests": updates * REQUEST,
            "functions": runs * INVOCATION + there * GIGABYTE_SECOND,
            # A wake-up is sent, received and deleted.
            "timers": 3 * self.armed * MESSAGE,
            "log": (runs + self.calls / 2) * LOGGED * LOG_BYTE,
        }


async def play(members: int, seed: int, book: str = "classic", **options: Any) -> Played:
    """Let the house play a game."""
    deal = bytes([seed]) * 32
    async with town(members, seed, Counting, direct=True, deal=deal, limits=TELEGRAMS_LIMITS) as here:
        await here.open_lobby()
        here.change(book=book, options=options)
        # People take longer to sit down than this does.
        here.clock.advance(120.0)
        functions, meter, armed = TwoFunctions(here), Meter(here), len(here.timers.armed)
        here.moderator = cast("Moderator", functions)
        here.world.calls.clear()
        here.press(here.members[0], here.group, here.newest(here.group), buttons.START)
        here.house_plays()
        await here.play()
        return Played(
            days=view_for(here.table().play(), None).day,
            sends=meter.instants(here.group, sends=True),
            edits=meter.instants(here.group, sends=False),
            calls=len(here.world.calls),
            armed=len(here.timers.armed) - armed,
            invocations=functions.invocations,
        )


def of_five_days(games: list[Played]) -> float:
    """Sends and edits of the group in a game of so many days, after what a day of these games has."""
    return DAYS * sum(game.in_the_group for game in games) / sum(game.days for game in games)


def minute(games: list[Played]) -> float:
    """Sends and edits of the busiest minute of them all."""
    return max(busiest(sorted(game.sends + game.edits)) for game in games)


def units(invocations: list[Invocation]) -> float:
    """The mean of the write units, those of the index included."""
    return statistics.mean(one.charged.write_units + one.charged.index_units for one in invocations)


def trips(invocations: list[Invocation]) -> float:
    """The median of the round trips."""
    return statistics.median(one.charged.reads + one.charged.writes for one in invocations)


def run(report: Report) -> None:
    """Print the figures."""
    free = [asyncio.run(play(12, seed)) for seed in (1, 4, 5)]
    turns = [asyncio.run(play(12, seed, speech="turns")) for seed in (1, 2)]
    large = [asyncio.run(play(24, 3, "lupus"))]
    report.title(f"Sends and edits in the group (games of {', '.join(str(g.days) for g in free + turns)} days)")
    report.line("five days, 12 seats, free talk", of_five_days(free), "", 60)
    report.line("five days, 12 seats, speeches in turn", of_five_days(turns), "", 100)
    report.line("busiest minute, 12 seats, free talk", minute(free), "", 15)
    report.line("busiest minute, 12 seats, speeches in turn", minute(turns), "", 15)
    report.line(f"busiest minute, 24 seats (lupus, {large[0].days} days)", minute(large), "", 15)
    report.title("The store: presses come to one process, timers to another")
    for seats, games, most in ((12, free, 3), (24, large, 5)):
        presses = [one for game in games for one in game.invocations if one.data]
        votes = [one for game in games for one in game.votes()]
        alone = [one for one in votes if one.charged.writes == 1]
        sending = [one for one in presses if one.calls and one.charged.writes]
        report.line(f"{seats} seats, a vote without an edit: round trips", trips(votes), "", 1)
        report.line("  write units", units(alone), "", most)
        report.figure("  of these the index of due times", _mean(one.charged.index_units for one in alone), "")
        report.line("  a press that sends: round trips", trips(sending), "", 2)
        report.figure("  write units", units(sending), "")
        for day in sorted({one.day for one in presses} & {1, min(10, max(g.days for g in games))}):
            sizes = [s for one in presses if one.day == day for s in one.charged.sizes]
            report.figure(f"  bytes of the record on day {day}, median", statistics.median(sizes), "bytes")
            report.figure("  and at most", max(sizes), "bytes")
    report.title("A game at list prices, nothing free")
    report.line("12 seats, free talk", 1000 * _mean(game.dollars() for game in free), "$/1000", 0.5)
    report.figure("12 seats, speeches in turn", 1000 * _mean(game.dollars() for game in turns), "$/1000")
    report.figure("24 seats", 1000 * large[0].dollars(), "$/1000")
    parts = [game.prices() for game in free]
    shares = {name: _mean(part[name] for part in parts) for name in parts[0]}
    total = sum(shares.values())
    report.say("of the first: " + "  ".join(f"{name} {share / total:.0%}" for name, share in shares.items()))
    pressed = _mean(sum(one.data is not None for one in game.invocations) for game in free)
    report.say(f"for {pressed:.0f} presses, {_mean(g.calls for g in free):.0f} calls of Telegram's")


def _mean(values: Iterable[float]) -> float:
    return statistics.mean(list(values))
