"""The store of one machine: the rows of `infra.ports` in one SQLite file."""

import builtins
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from infra.ports import Clock, Item, Missing

_BUSY_SECONDS = 10.0
_RETRY_SECONDS = 0.01

_SCHEMA = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS items (
    key TEXT NOT NULL, sort TEXT NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL,
    due REAL, expires REAL,
    PRIMARY KEY (key, sort)
);
CREATE INDEX IF NOT EXISTS items_due ON items (due) WHERE due IS NOT NULL;
CREATE INDEX IF NOT EXISTS items_expires ON items (expires) WHERE expires IS NOT NULL;
COMMIT;
"""

_GET = """
SELECT key, sort, version, body, due, expires FROM items
WHERE key = ? AND sort = ? AND (expires IS NULL OR expires > ?)
"""
_LIST = """
SELECT key, sort, version, body, due, expires FROM items
WHERE key = ? AND substr(sort, 1, length(?)) = ? AND (expires IS NULL OR expires > ?)
ORDER BY sort
"""
_DUE = """
SELECT key FROM items
WHERE due <= ? AND (expires IS NULL OR expires > ?)
GROUP BY key ORDER BY min(due), key LIMIT ?
"""
_KEYS = "SELECT DISTINCT key FROM items WHERE substr(key, 1, length(?)) = ? AND (expires IS NULL OR expires > ?)"
_FIRST = """
INSERT INTO items (key, sort, version, body, due, expires) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (key, sort) DO NOTHING
"""
_NEXT = """
UPDATE items SET version = ?, body = ?, due = ?, expires = ? WHERE key = ? AND sort = ? AND version = ?
"""
_REPLACE = "INSERT OR REPLACE INTO items (key, sort, version, body, due, expires) VALUES (?, ?, ?, ?, ?, ?)"
_PURGE = "DELETE FROM items WHERE expires <= ?"


class SqliteStore:
    """`Store` in the file at `path`, or in ":memory:" and gone when closed; `clock` decides what has expired.

    Safe for the threads of a process, which take turns, and for several processes on one machine: a writer
    waits up to ten seconds for the others, then sqlite3.OperationalError is raised and nothing was written.
    What was written outlives the process being killed and the power being cut.
    """

    def __init__(self, path: str | Path, clock: Clock) -> None:
        self._clock = clock
        self._turn = threading.Lock()
        # Transactions are begun and ended by hand: the module would begin them late, at the first write.
        self._db = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            _use_wal(self._db)
            # In WAL, NORMAL would do against a killed process. FULL, at a sync per write, keeps the law
            # "commit, then send" in a power cut too: no group remembers what its game has forgotten.
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.executescript(_SCHEMA)
        except BaseException:
            self._db.close()
            raise

    def get(self, key: str, sort: str) -> Item | None:
        """Return the row, or None if it is absent or expired."""
        with self._turn:
            return self._get(key, sort)

    def put(self, item: Item) -> Item | None:
        """Write the row if its version follows the stored one; see `Store.put`."""
        with self._write():
            if item.version == 1:
                written = self._db.execute(_FIRST, _row(item))
            else:
                written = self._db.execute(
                    _NEXT,
                    (item.version, item.body, item.due, item.expires, item.key, item.sort, item.version - 1),
                )
            if written.rowcount == 1:
                return None
            there = self._get(item.key, item.sort)
        if there is None:
            raise Missing(item.key, item.sort)
        return there

    def put_same(self, item: Item) -> None:
        """Write the row whatever is there."""
        with self._write():
            self._db.execute(_REPLACE, _row(item))

    def list(self, key: str, sort_prefix: str) -> builtins.list[Item]:
        """Return the rows of `key` whose sort begins so, in the order of the bytes of their sort."""
        with self._turn:
            rows = self._db.execute(_LIST, (key, sort_prefix, sort_prefix, self._clock.now())).fetchall()
        return [Item(*row) for row in rows]

    def due(self, until: float, limit: int) -> builtins.list[str]:
        """Return at most `limit` keys with a row due by `until`, oldest first; never lags behind."""
        with self._turn:
            rows = self._db.execute(_DUE, (until, self._clock.now(), limit)).fetchall()
        return [key for (key,) in rows]

    def keys(self, prefix: str) -> builtins.list[str]:
        """Return the keys that begin so, each once; see `WholeStore.keys`."""
        with self._turn:
            rows = self._db.execute(_KEYS, (prefix, prefix, self._clock.now())).fetchall()
        return [key for (key,) in rows]

    def close(self) -> None:
        """Let go of the file; every later call raises sqlite3.ProgrammingError."""
        with self._turn:
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _get(self, key: str, sort: str) -> Item | None:
        row = self._db.execute(_GET, (key, sort, self._clock.now())).fetchone()
        return None if row is None else Item(*row)

    @contextmanager
    def _write(self) -> Iterator[None]:
        """One transaction that holds the file from its beginning, and sees no expired row."""
        with self._turn:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                # Nobody else deletes here what has expired; and what is gone cannot stand in the way of a
                # first version nor be taken for the predecessor of a later one.
                self._db.execute(_PURGE, (self._clock.now(),))
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise


def _use_wal(db: sqlite3.Connection) -> None:
    """Switch a new file to WAL; where two open it at once, SQLite refuses one of them without waiting."""
    give_up = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > give_up:
                raise
            time.sleep(_RETRY_SECONDS)


def _row(item: Item) -> tuple[str, str, int, bytes, float | None, float | None]:
    return item.key, item.sort, item.version, item.body, item.due, item.expires
