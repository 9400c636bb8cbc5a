"""How late a speech of 100 seconds is cut short: from its deadline to the message that gives the floor on.

A hundred tables of `handbook` on one machine, over the wall clock, each in the middle of a speech; they begin one
after the other, so that their ends do not fall together. It takes two and a half minutes.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from engine import Skip, view_for
from engine import events as e
from handlers import clock as door
from handlers import lobby, moves
from handlers.outbox import Delivery
from handlers.record import AnyEffect, News, Person, Table, pack
from handlers.table import Tables
from infra.local.clock import ScaledClock
from infra.local.timers import LocalTimers
from infra.ports import Item
from infra.sqlite import SqliteStore
from tests.bench.report import Report

TABLES = 100
APART_S = 0.4
SEATS = 8


class Listener:
    """A messenger that notes when a table first hears that somebody else has the floor."""

    def __init__(self) -> None:
        self.heard: dict[str, float] = {}
        self.all_heard = asyncio.Event()

    async def deliver(self, effect: AnyEffect, table: Table) -> Delivery:
        """Take the message as sent."""
        if isinstance(effect, News) and any(isinstance(event, e.SpeechOpened) for event in effect.events):
            self.heard.setdefault(table.id, time.time())
        if len(self.heard) == TABLES:
            self.all_heard.set()
        return Delivery(sent=True)


def run(report: Report) -> None:
    """Print the figures."""
    late = asyncio.run(_lateness())
    report.title(f"A speech limit of 100 s, {len(late)} tables on one machine: late by")
    report.figure("median", 1000 * statistics.median(late), "ms")
    report.line("worst", 1000 * max(late), "ms", 1000)


async def _lateness() -> list[float]:
    clock, listener = ScaledClock(), Listener()
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "tables.sqlite", clock)

        async def wake(key: str, _serial: int | None) -> None:
            await door.wake(tables, key)

        timers = LocalTimers(clock, wake, store)
        tables = Tables(store, timers, clock, listener)
        await timers.start()
        ends = {}
        for number in range(TABLES):
            table = _at_a_speech(f"{number:08}", clock.now())
            step = view_for(table.play(), None).step
            assert step is not None
            store.put(Item(f"TABLE#{table.id}", "TABLE", 1, _stored(table), due=step.deadline))
            await timers.arm(f"TABLE#{table.id}", step.deadline, step.serial)
            ends[table.id] = step.deadline
            await asyncio.sleep(APART_S)
        await listener.all_heard.wait()
        await timers.stop()
        store.close()
    return [listener.heard[name] - end for name, end in ends.items()]


def _stored(table: Table) -> bytes:
    """The record as it is stored, nothing of it being left to send."""
    return pack(replace(table, outbox=(), lease=None))


def _at_a_speech(name: str, now: float) -> Table:
    """A table whose first speech has just begun."""
    people = tuple(Person(100 + seat, f"P{seat}", "en") for seat in range(SEATS))
    table = Table(id=name, chat=-1, language="en", opener=100, book="handbook", people=people)
    table, _ = lobby.begin(table, may=True, now=now, seed=lambda: name.encode() * 4)
    game = table.play()
    while (step := view_for(game, None).step) is not None and step.kind != "speech":
        advanced = moves.advance(table, game, Skip("host"), now)
        assert isinstance(advanced, tuple)
        table, game = advanced
    return table
