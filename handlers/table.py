"""The one use case: load – judge – commit – deliver. Nothing is sent before it is durable (law 9).

The protocol is that of one row, one conditional write, and a drainer that sends for everybody. Whoever writes
effects into a record that nobody is draining takes the lease with the same write, and sends. A crash loses
nothing: an effect is in the row before it is sent, and whoever comes next and finds it without a live lease –
the same trigger delivered again, the timer, the sweep – sends it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from secrets import token_hex
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from engine import due_at, view_for
from handlers import counters, upkeep
from handlers.copies import Copies
from handlers.outbox import Delivery, recipient, sendable, ticked, with_messages
from handlers.record import (
    RECEIPTS,
    SORT,
    AnyEffect,
    Archive,
    Lease,
    Receipt,
    Reply,
    Table,
    key_of,
    pack,
    unpack,
)
from infra.log import log
from infra.ports import Clock, Item, Missing, Store, Timers

LEASE_S = 25.0
"""Seconds a drainer has. Its own work stops `MARGIN_S` before."""

MARGIN_S = 5.0
SKEW_S = 2.0
"""By how many seconds clocks of two machines may differ."""

KEPT_S = 90 * 86400.0
"""Seconds a day of a game, and a table nobody plays at, are kept."""

TICK_EVERY = 8
"""So many effects are sent before they are ticked off: what a crash can repeat."""

RETRY_S = 3.0
"""Seconds after which a trigger whose effects somebody else is sending looks again."""

ROUNDS = 50
"""How often a lost race is judged anew before the trigger is asked to come back."""


class Messenger(Protocol):
    """A platform, as the drainer needs it."""

    async def deliver(self, effect: AnyEffect, table: Table) -> Delivery:
        """Send an effect. Never raises what the platform answered."""
        ...


class Outcome(Struct, frozen=True):
    """What a trigger came to. come_back: seconds after which it must be delivered again; else it is done with."""

    reply: Reply | None
    table: Table | None
    come_back: float | None = None


Judge = Callable[[Table, float], tuple[Table, Reply | None]]
AnswerPress = Callable[[Reply, Table], Awaitable[None]]


class Tables:
    """All tables of one deployment."""

    def __init__(self, store: Store, timers: Timers, clock: Clock, messenger: Messenger) -> None:
        self.store = store
        self.timers = timers
        self.clock = clock
        self.messenger = messenger
        self._copies = Copies()
        self.moved: Callable[[int, int], None] = lambda _old, _new: None
        """Told of a chat that has another id now, by a call that the platform refused for it."""

    def load(self, table_id: str) -> Table | None:
        """The record as it is now."""
        item = self.store.get(key_of(table_id), SORT)
        return unpack(item.body) if item else None

    def create(self, table: Table) -> None:
        """Write the first version of a record.

        It is not due yet: nobody may ever come to know of it, where its maker dies or another one was faster.
        """
        item = replace(_item(table, 1, self.clock.now()), due=None)
        there = self.store.put(item)
        # What is there may be our own write, of which the answer was lost.
        if there is not None and there.body != item.body:
            raise ValueError("a table's id is taken")

    async def run(self, table_id: str, trigger: str, judge: Judge, answer: AnswerPress | None = None) -> Outcome:
        """Let a trigger happen once, whatever happens to it on the way, and see that all is sent.

        trigger: what it is known by when it is delivered again; empty for the clock, whose ticks are fenced by
        what is due. answer: called with the reply as soon as it is durable, when there is something to send.
        """
        until = self.clock.now() + LEASE_S
        me = token_hex(8)
        copy = self._copies.find(key_of(table_id), trigger, self.clock.now())
        item = copy or self.store.get(key_of(table_id), SORT)
        for attempt in range(ROUNDS):
            if item is None:
                return Outcome(None, None)
            table, now = unpack(item.body), self.clock.now()
            receipt = table.receipt(trigger) if trigger else None
            if receipt is not None:
                return await self._again(item, table, receipt, me, until)
            judged, reply = judge(table, now)
            judged = self._lease(judged, me, until, trigger, now)
            if judged == table and item is copy:
                item = self.store.get(key_of(table_id), SORT)
                continue
            if judged == table:
                _note("unchanged", table, item.version, reply, attempt)
                return Outcome(reply, table)
            if trigger:
                kept = (receipt for receipt in judged.receipts if receipt.is_of_use(now))
                receipts = (*kept, Receipt(trigger, reply, judged.next_seq - 1, int(now // 60)))
                judged = replace(judged, receipts=receipts[-RECEIPTS:])
            written = self._write(judged, item, me)
            if isinstance(written, Table):
                _note("changed", written, item.version + 1, reply, attempt)
                await self._arm(written, table if item.version > 1 else None)
                if not _holds(written, me):
                    return Outcome(reply, written)
                if answer is not None and reply is not None:
                    await answer(reply, written)
                done = await self._drain(written, item.version + 1, me, until)
                return Outcome(reply, written, None if done else RETRY_S)
            item = written
        return Outcome(None, None, RETRY_S)

    async def wake(self, table_id: str, judge: Judge) -> None:
        """Let the clock decide, and finish what a drainer left behind; if time runs out, ask to be woken again."""
        outcome = await self.run(table_id, "", judge)
        if outcome.come_back is not None:
            await self.timers.arm(key_of(table_id), self.clock.now() + outcome.come_back, 0)

    # Writing ---------------------------------------------------------------------------------------------

    def _write(self, table: Table, before: Item, me: str) -> Table | Item | None:
        """Write conditionally: the record if this write stands, else the row that is there, or None."""
        mark = f"{me}.{before.version + 1}"
        table = replace(table, written_by=mark)
        item = _item(table, before.version + 1, self.clock.now())
        try:
            fresh = self.store.put(item)
        except Missing:
            self._copies.forget(item.key)
            return None
        if fresh is None:
            self._copies.keep(item, table, wake_at(table))
            return table
        self._copies.forget(item.key)
        # The answer to a write may have been lost and the write repeated: then what is there is our own.
        return table if unpack(fresh.body).written_by == mark else fresh

    def _lease(self, table: Table, me: str, until: float, trigger: str, now: float) -> Table:
        """Take the lease with this write if there is something to send now and nobody is sending."""
        lease = table.lease
        taken = lease is not None and lease.owner != me and lease.until + SKEW_S > now
        if taken or not sendable(table, now):
            return table
        return replace(table, lease=Lease(me, until, trigger))

    async def _again(self, item: Item, table: Table, receipt: Receipt, me: str, until: float) -> Outcome:
        """A trigger that was dealt with comes again: its answer again, and whatever is still to be sent."""
        now = self.clock.now()
        await self._arm(table)
        if not sendable(table, now):
            return Outcome(receipt.reply, table)
        leased = self._lease(table, me, until, receipt.trigger, now)
        if leased == table:
            lease = table.lease
            own = any(effect.seq <= receipt.last for effect in table.outbox)
            if lease and (own or lease.trigger == receipt.trigger):
                return Outcome(receipt.reply, table, min(max(1.0, lease.until + SKEW_S - now), RETRY_S))
            return Outcome(receipt.reply, table)
        written = self._write(leased, item, me)
        if not isinstance(written, Table):
            return Outcome(receipt.reply, table, 1.0)
        done = await self._drain(written, item.version + 1, me, until)
        return Outcome(receipt.reply, written, None if done else RETRY_S)

    async def _arm(self, table: Table, before: Table | None = None) -> None:
        """Ask for a wake-up at the next instant that matters, if it is not the one asked for before."""
        at = wake_at(table)
        if at is not None and (before is None or at != wake_at(before)):
            step = view_for(table.play(), None).step if table.game else None
            await self.timers.arm(key_of(table.id), at, step.serial if step else 0)

    # Sending ---------------------------------------------------------------------------------------------

    async def _drain(self, table: Table, version: int, me: str, until: float) -> bool:
        """Send what is in the outbox, in order; say whether nothing is left that could go now."""
        while True:
            deliveries, finished = await self._send(table, until)
            for delivery in deliveries.values():
                if delivery.moved_to is not None:
                    self.moved(table.chat, delivery.moved_to)
            left = self._tick_off(table, version, deliveries, me, finished)
            if left is None:
                return False
            await self._arm(left[0], table)
            table, version = left
            if not finished:
                return False
            if not _holds(table, me):
                return True

    async def _send(self, table: Table, until: float) -> tuple[dict[int, Delivery], bool]:
        """Send the effects that may go now; what became of each, and whether there was time for all."""
        deliveries: dict[int, Delivery] = {}
        closed: set[int] = set()
        for effect in sendable(table, self.clock.now()):
            if self.clock.now() > until - MARGIN_S:
                return deliveries, False
            if len(deliveries) == TICK_EVERY:
                break
            if recipient(effect) in closed:
                continue
            if isinstance(effect, Archive):
                deliveries[effect.seq] = self._archive(effect, table)
                continue
            delivery = await self._deliver(effect, with_messages(table, deliveries))
            deliveries[effect.seq] = delivery
            if not delivery.sent:
                closed.add(recipient(effect))
        return deliveries, True

    async def _deliver(self, effect: AnyEffect, table: Table) -> Delivery:
        """Send one effect. What cannot even be put into words must not hold up the game for ever."""
        try:
            return await self.messenger.deliver(effect, table)
        except Exception as error:
            log("effect_failed", level=logging.ERROR, error=error, table=table.id, code=type(effect).__name__)
            return Delivery(sent=True)

    def _archive(self, effect: Archive, table: Table) -> Delivery:
        for day in table.today:
            if (day.day, day.part) == (effect.day, effect.part):
                part = f".{day.part:02}" if day.part else ""
                sort = f"GAME#{effect.game:04}#{day.day:03}{part}"
                body = pack(replace(_EMPTY, id=table.id, today=(day,)))
                expires = self.clock.now() + KEPT_S
                self.store.put_same(Item(key_of(table.id), sort, 1, body, expires=expires))
        return Delivery(sent=True)

    def _tick_off(
        self, table: Table, version: int, deliveries: dict[int, Delivery], me: str, finished: bool
    ) -> tuple[Table, int] | None:
        """One write that takes off what was sent, keeps the ids of new messages, and gives the lease back.

        Presses may have written meanwhile: then it is done on what is there. None if the lease is lost.
        """
        item = _item(table, version, self.clock.now())
        for _ in range(ROUNDS):
            current, now = unpack(item.body), self.clock.now()
            if not _holds(current, me):
                return None
            left = ticked(current, deliveries, now)
            if not (finished and sendable(left, now)):
                left = replace(left, lease=None)
            written = self._write(left, item, me)
            if isinstance(written, Table):
                return written, item.version + 1
            if written is None:
                return None
            item = written
        return None


_EMPTY = Table(id="", chat=0, language="", opener=0)


def wake_at(table: Table) -> float | None:
    """When the record wants to be woken (epoch seconds): the clocks of game and table, an effect, a counter."""
    instants = _clocks(table)
    if table.phase == "playing" and table.count.behind and (at := counters.next_count(table)) != float("inf"):
        instants.append(at)
    return min(instants, default=None)


def _clocks(table: Table) -> list[float]:
    instants = [effect.after for effect in table.outbox if effect.after]
    game = table.play() if table.phase == "playing" else None
    return instants + [
        at for at in (upkeep.wake_at(table, game), due_at(game) if game else None) if at is not None
    ]


def due_of(table: Table) -> float | None:
    """When the sweep must look at the record at the latest: also for what a drainer that died has left.

    Not for a counter: it may stay behind if its timer is lost, and so most votes leave the index as it is.
    """
    instants = _clocks(table)
    if table.outbox:
        instants.append(table.lease.until + SKEW_S if table.lease else table.outbox[0].after)
    return min(instants, default=None)


def _item(table: Table, version: int, now: float) -> Item:
    expires = now + KEPT_S
    return Item(key_of(table.id), SORT, version, pack(table), due=due_of(table), expires=expires)


def _note(outcome: str, table: Table, version: int, reply: Reply | None, attempt: int) -> None:
    """Log a judgement: neither who asked for it nor which seat. attempt: how many races it lost before."""
    code = reply.code if reply is not None else None
    game, serial = table.games, table.opened[0]
    log(
        "judged",
        outcome=outcome,
        table=table.id,
        game=game,
        serial=serial,
        version=version,
        code=code,
        attempt=attempt,
    )


def _holds(table: Table, me: str) -> bool:
    return table.lease is not None and table.lease.owner == me
