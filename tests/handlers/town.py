"""A small town: the local Telegram, a group with members, and our bot behind its webhook door.

Time is a fake clock; updates, timers and house players run when the test says so. What the bot says goes over
real HTTP through python-telegram-bot, or (`direct`) through its library straight into the small Telegram, where
the bot's process can be killed.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from unittest import mock

import msgspec
from aiohttp.test_utils import TestServer
from msgspec.structs import replace
from telegram import Bot

from engine import StepView, View, view_for
from handlers import buttons, wiring
from handlers.chats import ChatRow
from handlers.record import SORT, Table, key_of, pack, unpack
from handlers.telegram.desk import Answer, Served
from handlers.wiring import ALL, Moderator, telegram
from handlers.wording.scribe import catalogue
from infra.local.botapi import BotApi
from infra.local.courier import Courier
from infra.local.house import Button, House
from infra.local.state import BotAccount
from infra.local.store import Store as WorldStore
from infra.local.weather import Limits
from infra.local.world import World
from infra.ports import Item, Store
from infra.sqlite import SqliteStore
from tests.fakes import FakeClock, FakeTimers
from tests.handlers.process import TOKEN, Fuse, FusedStore, Killed, direct_bot

SECRET = "a-secret-header"
NAMES = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥天地"
MOMENT = 1_800_000_000.0
SWEEP_LAG = 15.0
"""Seconds after which the sweep finds what no timer has woken."""

NewBot = Callable[[Fuse], Bot]


def plays(button: Button) -> bool:
    """Say whether a button is one of the game's own questions."""
    data = buttons.parse(button.data)
    others = (*buttons.OF_THE_LOBBY, *buttons.OPENING, *buttons.OF_THE_RULES, buttons.CHECK, buttons.CARD)
    return data is not None and data.code not in others


def joins(button: Button) -> bool:
    """Say whether a button takes a seat."""
    data = buttons.parse(button.data)
    return data is not None and data.code == buttons.JOIN


class Town:
    """The town and its inhabitants."""

    def __init__(
        self, world: World, clock: FakeClock, store: Store, new_bot: NewBot, seed: int, served: Served
    ) -> None:
        self.world = world
        self.clock = clock
        self.store = store
        self.new_bot = new_bot
        self.served = served
        self.house = House(world, clock, worth_pressing=plays, joins=joins, seed=seed)
        self.members: list[int] = []
        self.group = 0
        self.answers: list[Answer] = []
        self.answers_all = True
        self.fuse: Fuse
        self.timers: FakeTimers
        self.moderator: Moderator
        self.courier: Courier
        self.boot()

    def boot(self, fuse: Fuse | None = None) -> None:
        """Start the bot's process; whatever another one kept in its memory is gone, its timers too."""
        self.fuse = fuse or Fuse()
        self.timers = FakeTimers()
        store = FusedStore(self.store, self.fuse)
        username = str(self.world.bot.username)
        bot = self.new_bot(self.fuse)
        self.moderator = telegram(store, self.timers, self.clock, bot, SECRET, username, self.served)
        self.courier = Courier(self.world, self.clock, self._knock, secret=SECRET)

    async def _knock(self, headers: Mapping[str, str], body: bytes) -> Answer:
        answer = await self.moderator.door.handle(headers, body)
        self.answers.append(answer)
        return answer

    async def restart(self, fuse: Fuse | None = None) -> None:
        """Start the process again and let it find what is due, as the sweep does."""
        self.boot(fuse)
        for key in self.store.due(float("inf"), 1000):
            item = self.store.get(key, SORT)
            if item is not None and item.due is not None:
                await self.timers.arm(key, item.due, 0)

    def settle(self, members: int, title: str = "狼人杀 · 周五", kind: str = "supergroup") -> None:
        """Found the group with so many members and the bot."""
        self.members = [self.world.new_member(NAMES[index], "zh-hans") for index in range(members)]
        self.group = self.world.new_group(title, self.members[0], kind=kind)
        for member in self.members[1:]:
            self.world.join_group(member, self.group)
        self.world.add_bot(self.group, self.members[0])

    async def deliver(self) -> None:
        """Deliver what waits, wake what is due, sweep. A killed process is started again."""
        try:
            await self.courier.settle()
            await self.timers.fire(self.clock.now(), self.moderator.wake)
            for key in self.store.due(self.clock.now() - SWEEP_LAG, 1000):
                await self.moderator.wake(key, None)
        except Killed:
            await self.restart()

    async def until(self, condition: Callable[[], bool], most: int = 1000) -> None:
        """Deliver, and let time pass, until something has happened."""
        for _ in range(most):
            await self.deliver()
            if condition():
                return
            self.move_on()
        raise AssertionError("it does not happen")

    async def ask_for_a_game(self) -> dict[str, Any]:
        """Everybody has opened a chat with the bot, the first asks for a game; the lobby."""
        for member in self.members:
            self.world.start_bot(member)
        self.world.say(self.members[0], self.group, f"/newgame@{self.world.bot.username}")
        await self.deliver()
        return self.newest(self.group)

    async def open_lobby(self) -> dict[str, Any]:
        """Somebody asks for a game; everybody joins."""
        await self.ask_for_a_game()
        for member in self.members:
            self.press(member, self.group, self.newest(self.group), buttons.JOIN)
            await self.deliver()
        return self.newest(self.group)

    async def begin(self, **fields: Any) -> None:
        """Everybody joins, the host starts. fields: of the record, set before."""
        await self.open_lobby()
        if fields:
            self.change(**fields)
        self.press(self.members[0], self.group, self.newest(self.group), buttons.START)
        await self.deliver()

    # The record ------------------------------------------------------------------------------------------

    def table_id(self) -> str:
        """The table that the group's pointer names."""
        pointer = self.store.get(f"CHAT#telegram:{self.group}", "CHAT")
        assert pointer is not None
        return msgspec.json.decode(pointer.body, type=ChatRow).table

    def item(self) -> Item:
        """The row of the group's table."""
        item = self.store.get(key_of(self.table_id()), SORT)
        assert item is not None
        return item

    def table(self) -> Table:
        """The record of the group's table."""
        return unpack(self.item().body)

    def change(self, **fields: Any) -> None:
        """Write the record with other fields."""
        item = self.item()
        body = pack(replace(unpack(item.body), **fields))
        assert self.store.put(replace(item, version=item.version + 1, body=body)) is None

    # What people do --------------------------------------------------------------------------------------

    def newest(self, chat: int) -> dict[str, Any]:
        """The newest message of a chat that has buttons."""
        return next(m for m in reversed(self.world.messages(chat)) if m.get("reply_markup"))

    def press(self, user: int, chat: int, message: dict[str, Any], code: str, answer: str = "") -> str:
        """Press the button with that code (and answer) under a message; the query's id."""
        for text in data_under(message):
            data = buttons.parse(text)
            if data and data.code == code and (not answer or data.answer == answer):
                return self.world.press(user, chat, message["message_id"], text)
        raise LookupError(f"no button {code} {answer}")

    def move_on(self) -> None:
        """Move the clock to the next instant at which anything happens."""
        following = self.next_instant()
        assert following is not None, "nothing will ever happen here again"
        self.clock.advance(max(0.0, following - self.clock.now()))
        self.house.act_due()

    def next_instant(self) -> float | None:
        """When anybody acts next: a house player, the courier, a timer, the sweep."""
        instants = [self.house.next_due(), self.courier.next_due()]
        instants += [timer.at for timer in self.timers.pending]
        for key in self.store.due(float("inf"), 1000):
            item = self.store.get(key, SORT)
            instants += [item.due + SWEEP_LAG] if item is not None and item.due is not None else []
        return min((instant for instant in instants if instant is not None), default=None)

    async def pass_time(self, seconds: float) -> None:
        """Let so much time pass; what is due meanwhile happens at its time."""
        end = self.clock.now() + seconds
        await self.deliver()
        while (following := self.next_instant()) is not None and following < end:
            self.clock.advance(max(0.0, following - self.clock.now()))
            self.house.act_due()
            await self.deliver()
        self.clock.advance(max(0.0, end - self.clock.now()))
        await self.deliver()

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
        return any(re.search("^种子 ", text, re.MULTILINE) for text in self.texts(self.group))

    def house_plays(self) -> None:
        """All members are house players from now on."""
        for member in self.members:
            self.house.turn(member, on=True)

    # What is to be seen ----------------------------------------------------------------------------------

    def texts(self, chat: int) -> list[str]:
        """What stands in a chat."""
        return [m["text"] for m in self.world.messages(chat) if "text" in m]

    def query(self, query: str) -> dict[str, Any]:
        """A press as Telegram keeps it; `answer` is in it once there is one."""
        record = self.world.store.get("query", query)
        assert record is not None
        return record

    def answer(self, query: str) -> dict[str, Any]:
        """What a press was answered with."""
        answer = self.query(query)["answer"]
        assert isinstance(answer, dict)
        return answer

    def unanswered(self) -> list[str]:
        """Presses that nobody has answered and that will not be delivered again."""
        waiting = {w.update["callback_query"]["id"] for w in self.world.waiting() if "callback_query" in w.update}
        return [
            query["id"]
            for query in self.world.store.all("query")
            if "answer" not in query and query["id"] not in waiting
        ]

    def sent(self) -> dict[int, list[str]]:
        """Every new message in the order of sending, by chat, without its clock."""
        texts: dict[int, list[str]] = {}
        for call in self.world.calls:
            if call.method == "sendMessage" and call.error is None:
                texts.setdefault(int(call.params["chat_id"]), []).append(without_clock(call.params["text"]))
        return texts


def public(here: Town) -> View:
    """The game as everybody sees it."""
    return view_for(here.table().play(), None)


def open_step(here: Town) -> StepView:
    """The step that everybody sees open."""
    step = public(here).step
    assert step is not None
    return step


def say(key: str, language: str = "zh_Hans", **variables: object) -> str:
    """A sentence as its catalogue has it."""
    return catalogue(language).gettext(key).format(**variables)


def without_clock(text: str) -> str:
    """A text without what says how long: the running line, and the minutes a game has lasted."""
    return re.sub(r"\n?⏳[^\n]*| · \d+ 分钟", "", text)


def data_under(message: dict[str, Any]) -> list[str]:
    """What the buttons under a message say to the bot."""
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return [button["callback_data"] for row in rows for button in row if "callback_data" in button]


@asynccontextmanager
async def town(
    members: int = 8,
    seed: int = 1,
    store: Callable[[Store], Store] | None = None,
    now: float = MOMENT,
    *,
    direct: bool = False,
    limits: Limits | None = None,
    deal: bytes | None = None,
    kind: str = "supergroup",
    account: BotAccount | None = None,
    served: Served = ALL,
) -> AsyncIterator[Town]:
    """A town for one test.

    At its end every press must have been answered.

    store: wraps the bot's store. direct: without HTTP. deal: the seed of the cards, else chance.
    """
    clock = FakeClock(now)
    world = World(WorldStore(":memory:"), clock.now, limits=limits, bot=account)
    plain = SqliteStore(":memory:", clock)
    own = store(plain) if store else plain
    async with AsyncExitStack() as stack:
        stack.callback(world.close)
        stack.callback(plain.close)
        if deal:
            stack.enter_context(mock.patch.object(wiring, "token_bytes", return_value=deal))
        if direct:
            here = Town(world, clock, own, lambda fuse: direct_bot(world, clock, fuse), seed, served)
        else:
            server = await stack.enter_async_context(TestServer(BotApi(world, TOKEN).app()))
            bot = await stack.enter_async_context(Bot(TOKEN, base_url=str(server.make_url("/bot"))))
            here = Town(world, clock, own, lambda _fuse: bot, seed, served)
        here.settle(members, kind=kind)
        yield here
        if here.answers_all:
            assert here.unanswered() == [], "every press has an answer"
