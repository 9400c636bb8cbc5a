"""One game from `/newgame` to its end, under the faults of its weather."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any
from unittest import mock

from msgspec.structs import replace
from telegram import Bot

from engine import RULE_BOOKS, Command, Event, Game, Refused
from engine import decide as judge
from handlers import aws, buttons, moves, settings
from handlers.chats import Chats
from handlers.record import SORT, Person, Table, key_of, pack, unpack
from handlers.table import Tables
from handlers.telegram.client import Client
from handlers.telegram.desk import Answer, Desk, Served
from handlers.telegram.door import Door
from handlers.telegram.screen import Screen
from handlers.wiring import Moderator
from tests.engine.drawn import SHAPES, drawn_options
from tests.soak.functions import Decided, Functions
from tests.soak.journal import Journal
from tests.soak.network import Chance, Labelled, Line, Post, Wire
from tests.soak.players import PATIENCE_S, Players
from tests.soak.rows import MemoryStore
from tests.soak.telegram import Telegram
from tests.soak.timeline import Timeline
from tests.soak.weather import Case

MOMENT = 1_800_000_000.0
TOKEN = "7000000001:AAtesttokentesttokentesttokentesttok"
SECRET = "a-secret-header"
NAMES = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥天地"
FIRST_USER, GROUP = 439000001, -4000000001
LONG_S = 3600
"""What a step lasts where the faults shall not decide how it ends."""

SWEEP_S, RECEIVES, INVISIBLE_S = 60.0, 5, 45.0
"""How often the sweep comes; how often, and after how many seconds, the queue delivers what failed."""

BY_PRESSES = 0.25
MOST_EVENTS = 20_000
MOST_PRESSES = 50
"""More than any game takes; one that takes more is stuck."""


@cache
def _wire() -> tuple[Wire, Bot]:
    wire = Wire()
    return wire, Bot(TOKEN, base_url="http://telegram.invalid/bot", request=wire, get_updates_request=wire)


@dataclass
class Course:
    """What a game came to."""

    case: Case
    journal: Journal
    telegram: Telegram
    table: Table
    seconds: float
    problems: list[str]


class World:
    """Everything there is of one game."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.weather = case.weather
        self.time = Timeline(MOMENT)
        self.journal = Journal()
        self.chance = Chance(Random(str(case)), self.journal)
        self.store = MemoryStore(self.time)
        self.functions = Functions(self.time, self._boot)
        self.telegram = Telegram(self.time, self._knock, self._lag, self._second)
        self.line = Line(self.store, self.time, self.functions, self.weather, self.chance, self.journal)
        self.post = Post(self.telegram, self.functions, self.weather, self.chance, self.journal)
        self.players = Players(case, self.time, self.telegram, self.journal)
        self.telegram.changed = self.players.wake
        self.members = [FIRST_USER + index for index in range(case.seats)]
        self.group = self.players.group = GROUP
        self.ended = False

    # The bot ---------------------------------------------------------------------------------------------

    def _boot(self) -> Moderator:
        client = Client(_wire()[1])
        screen = Labelled(Screen(client, self.time.now), self.functions, self.journal)
        tables = Tables(self.line, self, self.time, screen)
        seed = self.case.chance("deal").randbytes(32)
        desk = Desk(tables, Chats(self.line, tables), client, self.time, "NightfallBot", lambda: seed, Served())
        return Moderator(Door(desk, SECRET), tables, client)

    def _knock(self, body: bytes, done: Any) -> None:
        headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}

        def answered(answer: Answer | None) -> None:
            self.journal.statuses[answer.status if answer else 500] += 1
            done(answer)

        self.functions.invoke(lambda bot: bot.door.handle(headers, body), answered)

    def _lag(self) -> float:
        if self.chance(self.weather.delay, "delayed"):
            return self.chance.rng.uniform(1.0, self.weather.longest)
        return self.chance.rng.uniform(0.05, 0.3)

    def _second(self) -> float | None:
        return self.chance.rng.uniform(0.0, 120.0) if self.chance(self.weather.duplicate, "twice") else None

    # Timers ----------------------------------------------------------------------------------------------

    async def arm(self, key: str, at: float, serial: int) -> None:
        """Put a wake-up into the queue."""
        if self.chance(self.weather.timer_lost, "timer_lost"):
            return
        if self.chance(self.weather.timer_late, "timer_late"):
            at += self.chance.rng.uniform(1.0, 600.0)
        self._wake(key, max(at, self.time.now()) + self.chance.rng.uniform(0.0, 1.0))
        if self.chance(self.weather.duplicate, "timer_twice"):
            self._wake(key, max(at, self.time.now()) + self.chance.rng.uniform(0.0, 2 * LONG_S))
        if self.chance(self.weather.duplicate, "timer_early"):
            self._wake(key, self.time.now() + self.chance.rng.uniform(0.0, 60.0))

    def _wake(self, key: str, at: float, receives: int = 1) -> None:
        def wake() -> None:
            async def work(bot: Moderator) -> bool:
                await bot.wake(key, None)
                return True

            def done(outcome: bool | None) -> None:
                if outcome is None and receives < RECEIVES:
                    self._wake(key, self.time.now() + INVISIBLE_S, receives + 1)

            self.functions.invoke(work, done)

        self.time.at(at, wake, early=True)

    def _sweep(self) -> None:
        for key in self.store.due(self.time.now() - aws.SWEEP_LAG_S, aws.SWEEP_LIMIT):
            self._wake(key, self.time.now() + self.chance.rng.uniform(0.0, 0.5))
        if not self.ended:
            self.time.at(self.time.now() + SWEEP_S, self._sweep)

    # The evening -----------------------------------------------------------------------------------------

    def play(self) -> Course:
        """Play it to its end."""
        self.begin()
        self.until(self._is_over)
        self.ended = True
        self.until(lambda: False, until_empty=True)
        problems = [*self.journal.problems, *self.functions.unexpected]
        return Course(self.case, self.journal, self.telegram, self._table(), self.time.now() - MOMENT, problems)

    def begin(self) -> None:
        """Play until the cards are dealt."""
        for number, user in enumerate(self.members):
            self.telegram.new_person(user, NAMES[number], "zh-hans")
        self.telegram.new_group(self.group, "狼人杀", "group" if self.weather.migrates else "supergroup")
        self._gather()
        if self.weather.migrates:
            self.time.at(self.time.now() + self.chance.rng.uniform(0.0, 200.0), self._migrate)
        if self.weather.deploys:
            for _ in range(2):
                self.time.at(self.time.now() + self.chance.rng.uniform(0.0, 200.0), self.functions.deploy)
        self.time.at(self.time.now() + self.chance.rng.uniform(0.0, SWEEP_S), self._sweep)
        self.press_until(self.members[0], buttons.START, lambda: self._table().phase != "lobby")

    def _gather(self) -> None:
        """The lobby: one after the other sits down, then the host chooses what is played.

        Where everybody sits down by a press is one table in four: that costs as much as a day of the game.
        """
        self.telegram.say(self.members[0], self.group, "/newgame@NightfallBot")
        self.until(lambda: self.journal.table is not None and self._bears(buttons.JOIN))
        options, specials = drawn_game(self.case)
        if self.case.chance("gather").random() < BY_PRESSES:
            for user in self.members:
                self.telegram.say(user, user, "/start")
            self.until(self.telegram.is_quiet)
            for user in self.members:
                self.press_until(user, buttons.JOIN, lambda user=user: self._table().seat_of(user) > 0)
        else:
            people = tuple(Person(user, NAMES[n], "zh_Hans") for n, user in enumerate(self.members))
            self._change(people=people)
        self._change(book=self.case.book, options=options, specials=specials)

    def _change(self, **fields: Any) -> None:
        """Write the record with other fields."""
        item = self.store.get(key_of(self._table().id), SORT)
        assert item is not None
        changed = replace(unpack(item.body), **fields)
        assert self.store.put(replace(item, version=item.version + 1, body=pack(changed))) is None
        self.journal.put(changed)

    def _migrate(self) -> None:
        if self.journal.table is not None and self.journal.table.phase == "playing":
            self.journal.faults["migration"] += 1
            lose = self.chance.rng.choice(("", "", "to", "from"))
            self.players.group = self.group
            self.group = self.telegram.migrate(self.group, lose)

    def press_until(self, user: int, code: str, happened: Any) -> None:
        """Somebody presses a button of the lobby again and again."""
        prefix = f"{self._table().id}.0.{code}"
        for _ in range(MOST_PRESSES):
            if happened():
                return
            message = self.telegram.offered[0, prefix]
            query = self.telegram.press(user, self.group, message, f"{prefix}.{buttons.YES}")
            ends = self.time.now() + PATIENCE_S
            self.until(lambda query=query, ends=ends: happened() or self.time.now() > ends)

        raise AssertionError(f"{self.case}: {code} is pressed in vain: {self._where()}")

    def _bears(self, code: str) -> bool:
        return (0, f"{self._table().id}.0.{code}") in self.telegram.offered

    def _table(self) -> Table:
        assert self.journal.table is not None
        return self.journal.table

    def _is_over(self) -> bool:
        table = self._table()
        return table.phase == "over" and not table.outbox

    def until(self, happened: Any, until_empty: bool = False) -> None:
        """Let time pass until something has happened."""
        for _ in range(MOST_EVENTS):
            if happened():
                return
            if not self.time.step():
                if until_empty:
                    return
                break
        raise AssertionError(f"{self.case} does not end: {self._where()}")

    def _where(self) -> str:
        table = self.journal.table
        if table is None or not table.game:
            return "no game"
        step = table.play().agenda[:1]
        return f"after {self.time.now() - MOMENT:.0f} s, {len(table.outbox)} to send, at {step}"


def drawn_game(case: Case) -> tuple[dict[str, Any], tuple[str, ...] | None]:
    """Options and roles of a game, as its seed draws them; every third is as the book has it."""
    book = RULE_BOOKS[case.book]
    rng = case.chance("options")
    options = {} if rng.random() < 1 / 3 else drawn_options(case.book, case.seats, str(case.seed))
    options = {name: value for name, value in options.items() if not name.endswith("_s")}
    if not case.weather.short:
        clocks = [
            name for name in book.option_names if SHAPES[name].get("type") == "integer" and name.endswith("_s")
        ]
        options |= dict.fromkeys(clocks, LONG_S)
    specials = (
        tuple(role for role in book.choosable if rng.random() < 0.5) if options and rng.random() < 0.5 else None
    )
    table = Table(id="", chat=0, language="", opener=0, book=case.book, options=options, specials=specials)
    people = tuple(mock.sentinel.person for _ in range(case.seats))
    if settings.problem(replace(table, people=people)) is None:
        return options, specials
    return {name: LONG_S for name in options if name.endswith("_s")}, None


@contextmanager
def _watched(world: World) -> Iterator[None]:
    """What the engine decides is noted with whoever asked it; what the bot calls goes to this world."""

    def decide(game: Game, command: Command, now: float) -> tuple[Event, ...] | Refused:
        outcome = judge(game, command, now)
        if world.functions.current is not None and not isinstance(outcome, Refused):
            world.functions.current.judged.append(Decided(game, command, now, outcome))
        return outcome

    _wire()[0].carry = world.post.carry
    with mock.patch.object(moves, "decide", decide):
        yield


def play(case: Case) -> Course:
    """Play a game."""
    world = World(case)
    with _watched(world):
        return world.play()
