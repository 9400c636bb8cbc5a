"""Stores on which things happen that are rare in life."""

from __future__ import annotations

import builtins

from msgspec.structs import replace

from handlers.record import SORT
from infra.ports import Item, Store


class Wrapped:
    """A store that does what another does."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.puts = 0

    def get(self, key: str, sort: str) -> Item | None:
        return self.store.get(key, sort)

    def put(self, item: Item) -> Item | None:
        self.puts += 1
        return self.store.put(item)

    def put_same(self, item: Item) -> None:
        self.store.put_same(item)

    def list(self, key: str, sort_prefix: str) -> builtins.list[Item]:
        return self.store.list(key, sort_prefix)

    def due(self, until: float, limit: int) -> builtins.list[str]:
        return self.store.due(until, limit)


class Racy(Wrapped):
    """Before each third write of a table's record somebody else writes."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.races = 0

    def put(self, item: Item) -> Item | None:
        before = self.store.get(item.key, item.sort) if item.sort == SORT else None
        if before is not None and (self.puts + 1) % 3 == 0:
            self.races += 1
            assert self.store.put(replace(before, version=before.version + 1)) is None
        return super().put(item)


class Forgetful(Wrapped):
    """The answer to each write of a table's record is lost, and the library that writes repeats it."""

    def put(self, item: Item) -> Item | None:
        there = super().put(item)
        return self.store.put(item) if item.sort == SORT and there is None else there


class Measured(Wrapped):
    """Keeps the size of the largest record of a table, and the number of writes."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.largest = 0

    def put(self, item: Item) -> Item | None:
        if item.sort == SORT:
            self.largest = max(self.largest, len(item.body))
        return super().put(item)
