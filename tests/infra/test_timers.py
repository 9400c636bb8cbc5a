"""Wake-ups come at their time, once, and again after whatever went wrong."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator

import pytest

from infra.local.timers import SWEEP_SECONDS, LocalTimers
from infra.ports import Item, Timers
from infra.sqlite import SqliteStore
from tests.fakes import Armed, FakeClock, FakeTimers

NOW = 1_800_000_000.0
A, B = "TABLE#a", "TABLE#b"


class World:
    """A clock, a store, timers, and the wake-ups that came: instant after NOW, key, serial."""

    def __init__(self, store: SqliteStore, clock: FakeClock) -> None:
        self.store = store
        self.clock = clock
        self.woken: list[tuple[float, str, int | None]] = []
        self.on_wake: Callable[[str], Awaitable[None]] | None = None
        self.timers = LocalTimers(clock, self.wake, store)

    async def wake(self, key: str, serial: int | None) -> None:
        self.woken.append((self.clock.now() - NOW, key, serial))
        if self.on_wake is not None:
            await self.on_wake(key)

    def write(self, key: str, due: float | None) -> None:
        there = self.store.get(key, "TABLE")
        version = 1 if there is None else there.version + 1
        assert self.store.put(Item(key, "TABLE", version, b"", None if due is None else NOW + due)) is None


@pytest.fixture
def world() -> Iterator[World]:
    clock = FakeClock(NOW)
    with SqliteStore(":memory:", clock) as store:
        yield World(store, clock)


def play(world: World, story: Callable[[], Awaitable[None]]) -> None:
    async def main() -> None:
        try:
            await story()
        finally:
            await world.timers.stop()

    asyncio.run(main())


def test_a_timer_comes_at_its_time(world: World) -> None:
    async def story() -> None:
        timers: Timers = world.timers
        await timers.arm(A, NOW + 90, 4)
        await timers.arm(B, NOW + 30.25, 9)
        await world.clock.elapse(90)

    play(world, story)
    assert world.woken == [(30.25, B, 9), (90, A, 4)]


def test_a_past_instant_means_at_once(world: World) -> None:
    async def story() -> None:
        await world.timers.arm(A, NOW - 5, 4)
        await world.clock.settle()

    play(world, story)
    assert world.woken == [(0, A, 4)]


def test_the_same_timer_is_not_doubled(world: World) -> None:
    async def story() -> None:
        for at, serial in [(5, 4), (5, 4), (5, 5), (6, 4)]:
            await world.timers.arm(A, NOW + at, serial)
        await world.clock.elapse(10)
        await world.timers.arm(A, NOW + 5, 4)
        await world.clock.settle()

    play(world, story)
    assert world.woken == [(5, A, 4), (5, A, 5), (6, A, 4), (10, A, 4)]


def test_a_wake_up_may_arm_the_next(world: World) -> None:
    async def next_step(key: str) -> None:
        await world.timers.arm(key, world.clock.now() + 20, len(world.woken) + 1)

    async def story() -> None:
        world.on_wake = next_step
        await world.timers.arm(A, NOW + 20, 1)
        await world.clock.elapse(60)

    play(world, story)
    assert world.woken == [(20, A, 1), (40, A, 2), (60, A, 3)]


def test_nobody_is_woken_before_his_time(world: World) -> None:
    """A sleep may end early when the wall clock is set back meanwhile."""

    class Hasty(FakeClock):
        async def sleep_until(self, when: float) -> None:
            await super().sleep_until((self.now() + when) / 2 if when - self.now() > 1 else when)

    clock = Hasty(NOW)
    world.clock, world.timers = clock, LocalTimers(clock, world.wake, world.store)

    async def story() -> None:
        await world.timers.arm(A, NOW + 100, 1)
        await clock.elapse(100)

    play(world, story)
    assert world.woken == [(100, A, 1)]


def test_a_restart_finds_what_is_overdue_and_what_comes(world: World) -> None:
    world.write(A, -40)
    world.write(B, 21.5)
    world.write("TABLE#idle", None)

    async def settled(key: str) -> None:
        world.write(key, None)

    async def story() -> None:
        world.on_wake = settled
        await world.timers.start()
        await world.clock.settle()
        assert world.woken == [(0, A, None)]
        await world.clock.elapse(60)

    play(world, story)
    assert world.woken == [(0, A, None), (21.5, B, None)]


def test_the_sweep_finds_a_lost_wake_up(world: World) -> None:
    async def story() -> None:
        await world.timers.start()
        await world.clock.elapse(1)
        world.write(A, 16)
        await world.clock.elapse(SWEEP_SECONDS)
        assert world.woken == []
        await world.clock.elapse(SWEEP_SECONDS)

    play(world, story)
    assert world.woken == [(30, A, None)]


def test_an_error_is_logged_and_tried_again(world: World, caplog: pytest.LogCaptureFixture) -> None:
    async def fail(key: str) -> None:
        raise RuntimeError

    async def story() -> None:
        world.on_wake = fail
        world.write(A, 0)
        await world.timers.start()
        await world.timers.arm(B, NOW + 1, 7)
        await world.clock.elapse(2 * SWEEP_SECONDS)

    play(world, story)
    assert world.woken == [(0, A, None), (1, B, 7), (15, A, None), (30, A, None)]
    assert [record.message for record in caplog.records] == ["wake_failed"] * 4
    assert {record.levelno for record in caplog.records} == {logging.ERROR}


def test_a_wake_up_that_takes_long_delays_nobody(world: World) -> None:
    async def hang(key: str) -> None:
        if key == A:
            await world.clock.sleep_until(NOW + 40)

    async def story() -> None:
        world.on_wake = hang
        world.write(A, -2)
        world.write(B, -1)
        await world.timers.start()
        await world.clock.elapse(2 * SWEEP_SECONDS)

    play(world, story)
    assert world.woken == [(0, A, None), (0, B, None), (15, B, None), (30, B, None)]


def test_a_store_that_fails_does_not_end_the_sweep(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    due = world.store.due

    def moody(until: float, limit: int) -> list[str]:
        asked.append(until)
        if len(asked) == 1:
            raise OSError
        return due(until, limit)

    monkeypatch.setattr(world.store, "due", moody)
    world.write(A, 20)

    async def story() -> None:
        await world.timers.start()
        await world.clock.elapse(20)

    play(world, story)
    assert asked == [float("inf"), float("inf")]
    assert world.woken == [(20, A, None)]


def test_stopping_cancels_everything(world: World) -> None:
    ended: list[str] = []

    async def hang(key: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(key)

    async def story() -> None:
        world.on_wake = hang
        world.write(B, 10)
        await world.timers.start()
        await world.timers.arm(A, NOW, 1)
        await world.clock.settle()
        await world.timers.stop()
        await world.timers.arm(A, NOW, 2)
        await world.clock.elapse(60)
        assert len(asyncio.all_tasks()) == 1

    play(world, story)
    assert world.woken == [(0, A, 1)]
    assert ended == [A]


def test_starting_twice_sweeps_once(world: World) -> None:
    async def story() -> None:
        await world.timers.start()
        await world.timers.start()
        world.write(A, 0)
        await world.clock.elapse(SWEEP_SECONDS)

    play(world, story)
    assert world.woken == [(0, A, None), (15, A, None)]


def test_fake_timers_fire_in_order() -> None:
    timers = FakeTimers()
    fired: list[tuple[str, int]] = []

    async def wake(key: str, serial: int) -> None:
        fired.append((key, serial))
        if serial == 1:
            await timers.arm(key, 15.0, 2)

    async def story() -> None:
        await timers.arm(B, 20.0, 5)
        await timers.arm(A, 10.0, 1)
        await timers.arm(A, 30.0, 3)
        await timers.arm(B, 10.0, 4)
        assert await timers.fire(9.0, wake) == []
        await timers.fire(20.0, wake)

    asyncio.run(story())
    assert fired == [(A, 1), (B, 4), (A, 2), (B, 5)]
    assert timers.pending == [Armed(A, 30.0, 3)]
    assert len(timers.armed) == 5


def test_a_jump_runs_sleepers_late_but_in_order() -> None:
    clock = FakeClock(0.0)
    ran: list[tuple[float, float]] = []

    async def sleeper(when: float) -> None:
        await clock.sleep_until(when)
        ran.append((when, clock.now()))

    async def story() -> None:
        tasks = [asyncio.create_task(sleeper(when)) for when in (3.0, 1.0, 2.0, 9.0)]
        await clock.settle()
        clock.advance(5)
        await clock.settle()
        tasks[3].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        clock.advance(5)

    asyncio.run(story())
    assert ran == [(1.0, 5.0), (2.0, 5.0), (3.0, 5.0)]
    with pytest.raises(ValueError, match="forwards"):
        clock.advance(-1)
