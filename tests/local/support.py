"""What the tests of the playground share: a clock moved by hand, a small world, a server around it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp.test_utils import BaseTestServer, TestServer
from telegram import Bot

from infra.local.botapi import BotApi
from infra.local.courier import Answer
from infra.local.errors import ApiError
from infra.local.state import BotAccount
from infra.local.store import Store
from infra.local.weather import Limits
from infra.local.world import World

START = 1_796_000_000.0
TOKEN = "7000000001:TEST"
_opened: list[World] = []


class ManualClock:
    """Stands still until it is moved."""

    def __init__(self, start: float = START) -> None:
        self._now = start
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self._now

    async def sleep_until(self, when: float) -> None:
        if when > self._now:
            sleeper = asyncio.get_running_loop().create_future()
            self._sleepers.append((when, sleeper))
            await sleeper

    def move(self, seconds: float) -> None:
        self._now += seconds
        for when, sleeper in self._sleepers:
            if when <= self._now and not sleeper.done():
                sleeper.set_result(None)

    async def pass_time(self, seconds: float) -> None:
        """Move second by second, so that what happens meanwhile happens at its time."""
        for _ in range(int(seconds)):
            self.move(1.0)
            await breathe()


async def breathe(turns: int = 30) -> None:
    """Let everything run that is ready."""
    for _ in range(turns):
        await asyncio.sleep(0)


@dataclass
class Table:
    """A world with a group of three, the bot in it."""

    world: World
    clock: ManualClock
    people: list[int]
    group: int


def table(
    path: str = ":memory:",
    *,
    kind: str = "supergroup",
    limits: Limits | None = None,
    privacy: bool = True,
    is_forum: bool = False,
    names: tuple[str, ...] = ("甲", "乙", "丙"),
) -> Table:
    clock = ManualClock()
    world = World(Store(path), clock.now, limits=limits, bot=BotAccount(privacy=privacy))
    _opened.append(world)
    people = [world.new_member(name) for name in names]
    group = world.new_group("狼人杀", people[0], kind=kind, is_forum=is_forum)
    for person in people[1:]:
        world.join_group(person, group)
    world.add_bot(group, people[0])
    forget_updates(world)
    return Table(world, clock, people, group)


def close_worlds() -> None:
    """Close the file of every world that `table` has made."""
    while _opened:
        _opened.pop().close()


def forget_updates(world: World) -> None:
    for waiting in world.waiting():
        world.taken(waiting.update_id)


def updates(world: World) -> list[dict[str, Any]]:
    """The updates that wait, taken away."""
    found = [waiting.update for waiting in world.waiting()]
    forget_updates(world)
    return found


def refusal(world: World, method: str, **params: Any) -> ApiError:
    """Call a method that must be refused."""
    try:
        result = world.call(method, params)
    except ApiError as error:
        return error
    raise AssertionError(f"{method} was carried out: {result}")


def key(text: str, data: str) -> dict[str, str]:
    return {"text": text, "callback_data": data}


def keyboard(*rows: list[dict[str, str]]) -> dict[str, Any]:
    return {"inline_keyboard": list(rows)}


@dataclass
class Door:
    """A webhook that answers what it is told, 200 when it is told nothing more."""

    answers: list[Answer | Exception] = field(default_factory=list)
    seen: list[tuple[Mapping[str, str], bytes]] = field(default_factory=list)

    async def __call__(self, headers: Mapping[str, str], body: bytes) -> Answer:
        self.seen.append((headers, body))
        answer = self.answers.pop(0) if self.answers else Answer(200, {}, b"")
        if isinstance(answer, Exception):
            raise answer
        return answer


async def until(condition: Callable[[], bool]) -> None:
    """Let everything run until something has happened."""
    while not condition():  # noqa: ASYNC110 - what is waited for has no event
        await asyncio.sleep(0)


@asynccontextmanager
async def served(world: World) -> AsyncIterator[BaseTestServer]:
    async with TestServer(BotApi(world, TOKEN).app(), host="127.0.0.1") as server:
        yield server


@asynccontextmanager
async def bot_of(world: World) -> AsyncIterator[Bot]:
    async with served(world) as server, Bot(TOKEN, base_url=f"http://127.0.0.1:{server.port}/bot") as bot:
        yield bot
