"""The records this process wrote last, for who will write again: a vote is then one round trip to the store.

A copy may be behind what is stored. So nothing is ever answered from one: either what was judged on it is written,
which its version forbids if it is behind, or the record is read and judged anew.
"""

from __future__ import annotations

import math

from handlers.record import Table
from infra.ports import Item

_MOST = 32
"""How many tables one process keeps: those that are played at just now."""


class Copies:
    """Rows by key, with the triggers they have dealt with; the one that was written longest ago goes first."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Item, frozenset[str], float]] = {}

    def keep(self, item: Item, table: Table, wake_at: float | None) -> None:
        """Keep the row of a record that was written a moment ago, until the clock looks at it."""
        triggers = frozenset(receipt.trigger for receipt in table.receipts)
        others = [(key, kept) for key, kept in self._kept.items() if key != item.key]
        self._kept = dict([*others[1 - _MOST :], (item.key, (item, triggers, wake_at or math.inf))])

    def forget(self, key: str) -> None:
        """Forget a row that turned out to be behind."""
        self._kept = {kept: row for kept, row in self._kept.items() if kept != key}

    def find(self, key: str, trigger: str, now: float) -> Item | None:
        """The row as it probably still is, for a trigger that is new to it.

        None for the clock (no trigger): its wake-ups come to other processes than presses do. None as well once
        the clock has been there.
        """
        item, triggers, until = self._kept.get(key, (None, frozenset(), 0.0))
        return item if trigger and trigger not in triggers and now < until else None
