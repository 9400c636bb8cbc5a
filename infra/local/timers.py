"""Wake-ups on one machine: a task for each, and a sweep that finds what a restart or an error has lost."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from typing import Protocol

from infra.log import log
from infra.ports import Store

SWEEP_SECONDS = 15.0
_SWEEP_LIMIT = 1000
_RECORD = "TABLE"

# Wakes the table of a row key. The serial is that of the step a wake-up was armed for; None comes from the
# sweep and means whatever is due.
Wake = Callable[[str, int | None], Awaitable[None]]


class SleepingClock(Protocol):
    """A clock that one can wait for; times are epoch seconds."""

    def now(self) -> float:
        """Return the present."""
        ...

    async def sleep_until(self, when: float, /) -> None:
        """Return when `now()` has reached `when`."""
        ...


class LocalTimers:
    """`Timers` for one process, for one life: `start`, then `stop`, both in the event loop of `arm`.

    `wake` is called in a task of its own, never before its time; several tables, and several wake-ups of one
    table, may run at once. An error in it is logged and ends that wake-up only: what stays due is woken again
    by the next sweep.
    """

    def __init__(self, clock: SleepingClock, wake: Wake, store: Store) -> None:
        self._clock = clock
        self._wake = wake
        self._store = store
        self._pending: dict[tuple[str, float, int | None], asyncio.Task[None]] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._stopped = False

    async def start(self) -> None:
        """Arm a wake-up for every table that has a due time, past or to come, and sweep from now on.

        A sweep, every SWEEP_SECONDS of the clock, wakes the tables that are overdue.
        """
        if self._sweeper is None and not self._stopped:
            self._sweeper = asyncio.create_task(self._sweep())

    async def stop(self) -> None:
        """Cancel the sweep and every wake-up, running ones too, and wait for their end.

        From then on `arm` does nothing: the next process finds the table in its sweep. Not to be called by a
        wake-up, which would wait for itself.
        """
        self._stopped = True
        tasks = list(self._pending.values())
        if self._sweeper is not None:
            tasks.append(self._sweeper)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def arm(self, key: str, at: float, serial: int) -> None:
        """Wake `key` at `at`, in epoch seconds; one that is pending or running already is not doubled."""
        self._arm(key, at, serial)

    def _arm(self, key: str, at: float, serial: int | None) -> None:
        entry = (key, at, serial)
        if self._stopped or entry in self._pending:
            return
        task = asyncio.create_task(self._ring(key, at, serial))
        self._pending[entry] = task
        task.add_done_callback(lambda done: self._pending.pop(entry, None))

    async def _ring(self, key: str, at: float, serial: int | None) -> None:
        try:
            # A wall clock may be set back during a sleep, and who is woken too early finds nothing due.
            while self._clock.now() < at:
                await self._clock.sleep_until(at)
            await self._wake(key, serial)
        except Exception as error:
            log("wake_failed", level=logging.ERROR, error=error, key=key, serial=serial)

    async def _sweep(self) -> None:
        started = False
        while True:
            now = self._clock.now()
            try:
                self._arm_due(now if started else math.inf)
                started = True
            except Exception as error:
                log("sweep_failed", level=logging.ERROR, error=error)
            await self._clock.sleep_until(now + SWEEP_SECONDS)

    def _arm_due(self, until: float) -> None:
        for key in self._store.due(until, _SWEEP_LIMIT):
            record = self._store.get(key, _RECORD)
            if record is not None and record.due is not None:
                self._arm(key, record.due, None)
