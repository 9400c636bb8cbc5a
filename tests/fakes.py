"""Time that stands still until a test moves it."""

import asyncio
import heapq
import itertools
from collections.abc import Awaitable, Callable
from typing import NamedTuple

# More turns of the event loop than any chain of tasks takes that waits for nothing but this clock.
_TURNS = 100


class FakeClock:
    """A clock for `Clock` and for sleepers. `advance` jumps, `elapse` stops at every sleeper."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self._now = now
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self._now

    async def sleep_until(self, when: float) -> None:
        if when <= self._now:
            return
        wakened = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (when, next(self._order), wakened))
        await wakened

    def advance(self, seconds: float) -> None:
        """Jump ahead; sleepers whose time has come run, earliest first, when the event loop next turns."""
        if seconds < 0:
            raise ValueError("a clock runs forwards")
        self._move_to(self._now + seconds)

    async def elapse(self, seconds: float) -> None:
        """Pass the time step by step: each sleeper runs at its own instant, and may sleep again."""
        end = self._now + seconds
        await self.settle()
        while self._sleepers and self._sleepers[0][0] <= end:
            self._move_to(self._sleepers[0][0])
            await self.settle()
        self._move_to(end)
        await self.settle()

    async def settle(self) -> None:
        """Let every task run until it waits. What waits for threads or sockets is not waited for."""
        for _ in range(_TURNS):
            await asyncio.sleep(0)

    def _move_to(self, when: float) -> None:
        self._now = max(self._now, when)
        while self._sleepers and self._sleepers[0][0] <= self._now:
            wakened = heapq.heappop(self._sleepers)[2]
            if not wakened.done():
                wakened.set_result(None)


class Armed(NamedTuple):
    """One wake-up that was asked for."""

    key: str
    at: float
    serial: int


class FakeTimers:
    """`Timers` that only remembers: `armed` is all that was asked for, `pending` what is not fired."""

    def __init__(self) -> None:
        self.armed: list[Armed] = []
        self.pending: list[Armed] = []

    async def arm(self, key: str, at: float, serial: int) -> None:
        timer = Armed(key, at, serial)
        self.armed.append(timer)
        self.pending.append(timer)

    async def fire(self, now: float, wake: Callable[[str, int], Awaitable[object]]) -> list[Armed]:
        """Wake what is due at `now`, in order of time, then of arming; what is armed meanwhile too."""
        fired = []
        while ripe := [timer for timer in self.pending if timer.at <= now]:
            timer = min(ripe, key=lambda one: one.at)
            self.pending.remove(timer)
            fired.append(timer)
            await wake(timer.key, timer.serial)
        return fired
