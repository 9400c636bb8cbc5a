"""Who has answered so far: when that is shown. Counters spare the group; they wait where its minute is spent."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine import Event, View
from engine import events as e
from handlers.post import Post
from handlers.record import Budget, Count, Counter, Table

COUNTER_EVERY = 5
"""Seconds until the first edit of a step's counter; until the second twice as many, and so on."""

COUNTERS_A_STEP = 8
COUNTERS_WAIT_FROM = 15
"""From so many sends and edits in a minute on, counters wait; results never do."""


def count(post: Post, view: View, events: Sequence[Event], now: float) -> None:
    """The counter of the open step: edited now if the last edit is old enough, else marked as behind."""
    step = view.step
    if step is None or not any(isinstance(ev, e.Voted | e.Ready) and ev.serial == step.serial for ev in events):
        return
    count = post.table.count
    if count.serial != step.serial:
        # The first counts of a step are worth waiting for: one edit shows several.
        count = Count(serial=step.serial, edited=now)
    post.change(count=replace(count, behind=True))
    refresh(post, now)


def refresh(post: Post, now: float) -> None:
    """Edit the counter if it is behind and may be edited."""
    count = post.table.count
    if count.behind and now >= next_count(post.table):
        post.add(Counter, serial=count.serial)
        post.change(count=replace(count, edited=now, edits=count.edits + 1, behind=False))


def next_count(table: Table) -> float:
    """When the counter may be edited next (epoch seconds); far away when it has been often enough.

    Each edit is further from the one before, so that they last for the step and the last count still appears.
    """
    count = table.count
    if count.edits >= COUNTERS_A_STEP:
        return float("inf")
    instant = count.edited + COUNTER_EVERY * (count.edits + 1)
    return max(instant, room_at(table.budget))


def room_at(budget: Budget) -> float:
    """When the group's minute has room for what can wait (epoch seconds); 0 if it has."""
    spent = budget.sends + budget.edits >= COUNTERS_WAIT_FROM
    return (budget.minute + 1) * 60.0 if spent else 0.0


def spent(budget: Budget, now: float, sends: int, edits: int) -> Budget:
    """The budget of the running minute after so many more sends and edits in the group."""
    minute = int(now // 60)
    if budget.minute != minute:
        budget = Budget(minute)
    return replace(budget, sends=budget.sends + sends, edits=budget.edits + edits)
