"""A small town: the local Telegram, a group with members, and our bot behind its webhook door.

Time is a fake clock; updates, timers and house players run when the test says so. Everything the bot says goes
over real HTTP through python-telegram-bot.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp.test_utils import TestServer
from telegram import Bot

from handlers import buttons
from handlers.wiring import Moderator, telegram
from infra.local.botapi import BotApi
from infra.local.courier import Courier
from infra.local.house import Button, House
from infra.local.store import Store as WorldStore
from infra.local.world import World
from infra.ports import Store
from infra.sqlite import SqliteStore
from tests.fakes import FakeClock, FakeTimers

TOKEN = "7000000001:AAtesttokentesttokentesttokentesttok"
SECRET = "a-secret-header"
NAMES = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉"


def plays(button: Button) -> bool:
    """Say whether a button is one of the game's own questions."""
    data = buttons.parse(button.data)
    return data is not None and data.code not in (buttons.JOIN, buttons.LEAVE, buttons.START, buttons.CARD)


def joins(button: Button) -> bool:
    """Say whether a button takes a seat."""
    data = buttons.parse(button.data)
    return data is not None and data.code == buttons.JOIN


class Town:
    """The town and its inhabitants."""

    def __init__(self, world: World, clock: FakeClock, store: Store, bot: Bot, seed: int) -> None:
        self.world = world
        self.clock = clock
        self.store = store
        self.bot = bot
        self.timers = FakeTimers()
        self.house = House(world, clock, worth_pressing=plays, joins=joins, seed=seed)
        self.members: list[int] = []
        self.group = 0
        self.moderator: Moderator
        self.courier: Courier
        self.boot()

    def boot(self) -> None:
        """Start the bot's process; whatever another one kept in its memory is gone."""
        self.timers = FakeTimers()
        username = str(self.world.bot.username)
        self.moderator = telegram(self.store, self.timers, self.clock, self.bot, SECRET, username)
        self.courier = Courier(self.world, self.clock, self.moderator.door.handle, secret=SECRET)

    def settle(self, members: int, title: str = "狼人杀 · 周五") -> None:
        """Found the group with so many members and the bot."""
        self.members = [self.world.new_member(NAMES[index], "zh-hans") for index in range(members)]
        self.group = self.world.new_group(title, self.members[0])
        for member in self.members[1:]:
            self.world.join_group(member, self.group)
        self.world.add_bot(self.group, self.members[0])

    async def deliver(self) -> None:
        """Deliver what waits, and wake what is due."""
        await self.courier.settle()
        await self.timers.fire(self.clock.now(), self.moderator.wake)

    async def open_lobby(self) -> dict[str, Any]:
        """Somebody asks for a game; everybody joins."""
        host = self.members[0]
        for member in self.members:
            self.world.start_bot(member)
        self.world.say(host, self.group, f"/newgame@{self.world.bot.username}")
        await self.deliver()
        for member in self.members:
            self.press(member, self.group, self.newest(self.group), buttons.JOIN)
            await self.deliver()
        return self.newest(self.group)

    async def begin(self) -> None:
        """Everybody joins, the host starts."""
        await self.open_lobby()
        self.press(self.members[0], self.group, self.newest(self.group), buttons.START)
        await self.deliver()

    def newest(self, chat: int) -> dict[str, Any]:
        """The newest message of a chat that has buttons."""
        return next(m for m in reversed(self.world.messages(chat)) if m.get("reply_markup"))

    def press(self, user: int, chat: int, message: dict[str, Any], code: str, answer: str = "") -> str:
        """Press the button with that code (and answer) under a message; the query's id."""
        for row in message["reply_markup"]["inline_keyboard"]:
            for button in row:
                data = buttons.parse(button["callback_data"])
                if data and data.code == code and (not answer or data.answer == answer):
                    return self.world.press(user, chat, message["message_id"], button["callback_data"])
        raise LookupError(f"no button {code} {answer}")

    def move_on(self) -> None:
        """Move the clock to the next instant at which anything happens."""
        instants = [self.house.next_due(), self.courier.next_due()]
        instants += [timer.at for timer in self.timers.pending]
        following = min(instant for instant in instants if instant is not None)
        self.clock.advance(max(0.0, following - self.clock.now()))
        self.house.act_due()

    async def play(self, most: int = 5000) -> None:
        """Let the house play until the game is over."""
        for _ in range(most):
            await self.deliver()
            if self.is_over():
                return
            self.move_on()
        raise AssertionError("the game does not end")

    def is_over(self) -> bool:
        """Say whether the group has read the end."""
        return any("种子" in m.get("text", "") and "🏁" in m["text"] for m in self.world.messages(self.group))

    def house_plays(self) -> None:
        """All members are house players from now on."""
        for member in self.members:
            self.house.turn(member, on=True)

    def texts(self, chat: int) -> list[str]:
        """What stands in a chat."""
        return [m["text"] for m in self.world.messages(chat) if "text" in m]


@asynccontextmanager
async def town(
    members: int = 8, seed: int = 1, store: Store | None = None, now: float = 1_800_000_000.0
) -> AsyncIterator[Town]:
    """A town for one test."""
    clock = FakeClock(now)
    world = World(WorldStore(":memory:"), clock.now)
    own = store or SqliteStore(":memory:", clock)
    async with TestServer(BotApi(world, TOKEN).app()) as server:
        bot = Bot(TOKEN, base_url=str(server.make_url("/bot")))
        async with bot:
            here = Town(world, clock, own, bot, seed)
            here.settle(members)
            yield here
