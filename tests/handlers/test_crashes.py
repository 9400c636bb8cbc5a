"""Nothing is lost whenever the process dies: it is killed after each of its writes and calls, and restarted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from handlers import table as protocol
from handlers.outbox import Delivery
from handlers.record import AnyEffect, News, Table
from handlers.table import Judge, Outcome, Tables
from infra.local.house import buttons as buttons_of
from infra.sqlite import SqliteStore
from tests.fakes import FakeClock, FakeTimers
from tests.handlers.process import Fuse, Killed
from tests.handlers.script import Script
from tests.handlers.town import Town, plays, town, without_clock

PARTS = 8
SAMPLES = 24
Texts = dict[int, list[str]]


@dataclass
class Course:
    """What a game came to. ids of people and group are the same in every run."""

    sent: Texts
    stands: Texts
    deeds: int
    in_flight: int
    open_keyboards: int
    unanswered: int


async def _course(members: int, seed: int, kill_after: int | None) -> Course:
    async with town(members, seed, direct=True, deal=bytes([seed]) * 32) as here:
        fuse = Fuse(after=kill_after)
        here.boot(fuse)
        script = Script(here, seed)
        await script.begin()
        await script.play()
        here.answers_all = False
        table = here.table()
        assert fuse.dead == (kill_after is not None)
        assert table.outbox == ()
        assert table.lease is None
        assert here.world.waiting() == []
        assert sum("🏁" in text for text in here.texts(here.group)) >= 1
        stands = {
            chat: [text for text in here.texts(chat) if not _reminds(text)] for chat in (here.group, *here.members)
        }
        assert kill_after is not None or not any("⏳" in text for texts in stands.values() for text in texts)
        sent = {
            chat: [_subject(text) for text in texts if not _reminds(text)] for chat, texts in here.sent().items()
        }
        return Course(sent, stands, fuse.deeds, fuse.in_flight, _open_keyboards(here), len(here.unanswered()))


def _reminds(text: str) -> bool:
    """Say whether a message is a reminder: whose question came late is slow to answer, and may get one."""
    return "时间不多了" in text or "还没投票" in text


def _subject(text: str) -> str:
    """What a message is about. Lobby and questions are written as they stand when they are sent, so that a late
    one names more people, or the answer that was given meanwhile."""
    if "🌙 狼人杀 ·" in text:
        return "lobby"
    questions = [line for line in text.splitlines() if line.startswith("<b>") and line.endswith("？</b>")]
    return "\n".join(questions) or text


def _open_keyboards(here: Town) -> int:
    """Messages that still ask something."""
    chats = (here.group, *here.members)
    messages = [message for chat in chats for message in here.world.messages(chat)]
    return sum(any(plays(button) for button in buttons_of(message)) for message in messages)


@cache
def _undisturbed(members: int, seed: int) -> Course:
    return asyncio.run(_course(members, seed, None))


def _repeated(said: list[str], should: list[str]) -> int | None:
    """How many messages were sent twice, as one stretch in the same order; None if it was any other way."""
    extra = len(said) - len(should)
    if extra < 0:
        return None
    for start in range(len(should) - extra + 1):
        if said == should[: start + extra] + should[start:]:
            return extra
    return None


def _check(members: int, seed: int, kill_after: int) -> list[str]:
    """What went wrong in a game whose process was killed after so many deeds."""
    should = _undisturbed(members, seed)
    course = asyncio.run(_course(members, seed, kill_after))
    found = []
    twice = 0
    for chat, texts in should.sent.items():
        repeated = _repeated(course.sent.get(chat, []), texts)
        if repeated is None:
            found.append(f"killed after {kill_after}: chat {chat} reads {course.sent.get(chat)}")
        else:
            twice += repeated
    if twice > course.in_flight:
        found.append(f"killed after {kill_after}: {twice} twice, {course.in_flight} were in flight")
    for chat, texts in should.stands.items():
        if missing := {without_clock(text) for text in texts} - {
            without_clock(text) for text in course.stands[chat]
        }:
            found.append(f"killed after {kill_after}: in {chat} nowhere stands {missing}")
    if course.unanswered:
        found.append(f"killed after {kill_after}: {course.unanswered} presses have no answer")
    if course.open_keyboards > twice:
        found.append(f"killed after {kill_after}: {course.open_keyboards} keyboards stay")
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_a_whole_game_is_the_same_wherever_the_process_is_killed(part: int) -> None:
    deeds = _undisturbed(8, 2).deeds
    found = [problem for after in range(1 + part, deeds, PARTS) for problem in _check(8, 2, after)]
    assert found == []


def test_a_longer_game_with_more_roles_is_the_same_too() -> None:
    deeds = _undisturbed(14, 5).deeds
    found = [problem for after in range(1, deeds, deeds // SAMPLES) for problem in _check(14, 5, after)]
    assert found == []


def test_a_process_that_dies_again_and_again_comes_to_an_end() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            # Who presses while a dead process holds the lease may get his answer too late to see it.
            here.answers_all = False
            script = Script(here, 2)
            await script.begin()
            for life in range(100):
                here.boot(Fuse(after=30 + life % 11))
                await here.restart(here.fuse)
                fuse = here.fuse
                await script.until(lambda fuse=fuse: fuse.dead or script.is_over())  # type: ignore[misc]
                if script.is_over():
                    break
            assert script.is_over()
            assert here.table().outbox == ()
            assert any("🏁" in text for text in here.texts(here.group))

    asyncio.run(play())


# One life is too short -------------------------------------------------------------------------------------


def test_a_drainer_that_runs_out_of_time_ticks_off_what_it_sent_and_the_next_visitor_goes_on() -> None:
    async def play() -> None:
        async with town(12, 1, direct=True, deal=bytes([1]) * 32) as here:
            await here.open_lobby()
            before = {chat: len(texts) for chat, texts in here.sent().items()}
            here.press(here.members[0], here.group, here.newest(here.group), "s")
            lives = 0
            here.answers.clear()
            while here.world.waiting():
                lives += 1
                assert lives < 8, "a backlog longer than one life never ends"
                began = here.clock.now()
                here.boot(Fuse(at=began + protocol.LEASE_S, now=here.clock.now, lasts=3.0))
                await here.courier.settle()
                assert not here.fuse.dead
                if (due := here.courier.next_due()) is not None:
                    here.clock.advance(max(0.0, due - here.clock.now()))
            assert lives > 2
            assert [answer.status for answer in here.answers] == [503] * (lives - 1) + [200]
            assert all(int(answer.headers["Retry-After"]) >= 1 for answer in here.answers[:-1])
            table = here.table()
            assert (table.outbox, table.lease) == ((), None)
            fresh = {chat: texts[before.get(chat, 0) :] for chat, texts in here.sent().items()}
            assert all(len(set(texts)) == len(texts) for texts in fresh.values()), "nothing was sent twice"
            assert all(sum("你是" in text for text in fresh[member]) == 1 for member in here.members)
            assert here.unanswered() == []

    asyncio.run(play())


# The three shortcuts that lose or block messages -----------------------------------------------------------


class Post:
    """A messenger that notes what it delivers; `on` is called before each."""

    def __init__(self) -> None:
        self.delivered: list[int] = []
        self.on: Callable[[AnyEffect], Coroutine[Any, Any, None]] | None = None

    async def deliver(self, effect: AnyEffect, table: Table) -> Delivery:
        if self.on is not None:
            await self.on(effect)
        self.delivered.append(effect.seq)
        return Delivery(sent=True)


@dataclass
class Desk:
    """One table and what stands around it."""

    clock: FakeClock
    post: Post
    tables: Tables

    async def run(self, trigger: str, effects: int) -> Outcome:
        return await self.tables.run("table123", trigger, _adds(effects))

    def record(self) -> Table:
        table = self.tables.load("table123")
        assert table is not None
        return table


def _adds(effects: int) -> Judge:
    """A judgement that has so many things to say in the group."""

    def judge(table: Table, _now: float) -> tuple[Table, None]:
        first = table.next_seq
        news = tuple(News(seq=first + index, seat=0, events=()) for index in range(effects))
        return replace(table, outbox=(*table.outbox, *news), next_seq=first + effects), None

    return judge


@asynccontextmanager
async def desk() -> AsyncIterator[Desk]:
    clock, post = FakeClock(), Post()
    with SqliteStore(":memory:", clock) as store:
        tables = Tables(store, FakeTimers(), clock, post)
        tables.create(Table(id="table123", chat=-1, language="zh_Hans", opener=1))
        yield Desk(clock, post, tables)


def test_a_backlog_longer_than_one_life_ends() -> None:
    """Without a tick before the time is up, each life would begin again with the first message."""

    async def play() -> None:
        async with desk() as at:
            dies = at.clock.now() + protocol.LEASE_S

            async def slowly(_effect: AnyEffect) -> None:
                at.clock.advance(2.0)
                if at.clock.now() >= dies:
                    raise Killed

            at.post.on = slowly
            outcome = await at.run("a", 60)
            for _ in range(20):
                if outcome.come_back is None:
                    break
                at.clock.advance(outcome.come_back)
                dies = at.clock.now() + protocol.LEASE_S
                outcome = await at.run("a", 60)
            assert outcome.come_back is None
            assert at.post.delivered == list(range(1, 61))

    asyncio.run(play())


def test_a_trigger_that_comes_again_sends_what_others_left_too() -> None:
    """If it sent only its own, what somebody else wrote under its lease would stay for ever."""

    async def play() -> None:
        async with desk() as at:

            async def die(_effect: AnyEffect) -> None:
                raise Killed

            at.post.on = die
            with pytest.raises(Killed):
                await at.run("a", 2)
            at.post.on = None
            other = await at.run("b", 1)
            assert other.come_back is None, "the drainer, as far as anybody knows, sends it"
            again = await at.run("a", 2)
            assert again.come_back is not None
            assert at.post.delivered == []
            at.clock.advance(protocol.LEASE_S + protocol.SKEW_S)
            again = await at.run("a", 2)
            assert again.come_back is None
            assert at.post.delivered == [1, 2, 3]
            assert at.record().outbox == ()
            assert at.record().lease is None

    asyncio.run(play())


def test_a_drainer_that_comes_again_knows_its_own_dead_lease() -> None:
    """Without its name on the lease it would find nothing of its own, be content, and nobody else would come."""

    async def play() -> None:
        async with desk() as at:

            async def meanwhile(effect: AnyEffect) -> None:
                if effect.seq == 1:
                    other = await at.run("b", 1)
                    assert other.come_back is None
                else:
                    raise Killed

            at.post.on = meanwhile
            with pytest.raises(Killed):
                await at.run("a", 1)
            assert [effect.seq for effect in at.record().outbox] == [2]
            at.post.on = None
            assert (await at.run("a", 1)).come_back is not None
            for _ in range(20):
                again = await at.run("a", 1)
                if again.come_back is None:
                    break
                at.clock.advance(again.come_back)
            assert at.post.delivered == [1, 2]
            assert at.record().lease is None

    asyncio.run(play())


def test_a_live_drainer_is_not_disturbed() -> None:
    async def play() -> None:
        async with desk() as at:

            async def meanwhile(effect: AnyEffect) -> None:
                if effect.seq == 1:
                    assert (await at.run("b", 1)).come_back is None
                    assert (await at.run("b", 1)).come_back is not None, "its own is still to be sent"

            at.post.on = meanwhile
            assert (await at.run("a", 2)).come_back is None
            assert at.post.delivered == [1, 2, 3]

    asyncio.run(play())
