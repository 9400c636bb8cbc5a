"""A store in a dictionary: what `tests/infra/test_store_contract.py` demands, and fast."""

from __future__ import annotations

import builtins
import threading

from infra.ports import Clock, Item, Missing


class MemoryStore:
    """`Store` that forgets everything with the process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._turn = threading.Lock()
        self._rows: dict[tuple[str, str], Item] = {}

    def get(self, key: str, sort: str) -> Item | None:
        item = self._rows.get((key, sort))
        return None if item is None or self._is_expired(item) else item

    def put(self, item: Item) -> Item | None:
        with self._turn:
            there = self.get(item.key, item.sort)
            if there is None and item.version > 1:
                raise Missing(item.key, item.sort)
            if there is not None and item.version != there.version + 1:
                return there
            self._rows[item.key, item.sort] = item
            return None

    def put_same(self, item: Item) -> None:
        self._rows[item.key, item.sort] = item

    def list(self, key: str, sort_prefix: str) -> builtins.list[Item]:
        found = [i for i in self._rows.values() if i.key == key and i.sort.startswith(sort_prefix)]
        return sorted((i for i in found if not self._is_expired(i)), key=lambda item: item.sort.encode())

    def due(self, until: float, limit: int) -> builtins.list[str]:
        rows = [i for i in self._rows.values() if i.due is not None and i.due <= until and not self._is_expired(i)]
        ordered = sorted((item.due or 0.0, item.key) for item in rows)
        return builtins.list(dict.fromkeys(key for _, key in ordered))[:limit]

    def keys(self, prefix: str) -> builtins.list[str]:
        """The keys that begin so."""
        living = (item for item in self._rows.values() if not self._is_expired(item))
        return builtins.list({item.key for item in living if item.key.startswith(prefix)})

    def _is_expired(self, item: Item) -> bool:
        return item.expires is not None and item.expires <= self._clock.now()
