"""The playground's memory: JSON records in one SQLite file, written before anybody is told."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Key = int | str

_TABLE = "CREATE TABLE IF NOT EXISTS record (kind, a, b, body, PRIMARY KEY (kind, a, b)) WITHOUT ROWID"


class Store:
    """Records by kind and two keys, in the file at `path` or in ":memory:"; SQLite is the only copy."""

    def __init__(self, path: str | Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        # WAL, no sync at each commit: what is committed survives the death of the process.
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(_TABLE)

    def get(self, kind: str, a: Key, b: Key = 0) -> Json | None:
        """Return one record or None."""
        found = self._db.execute(
            "SELECT body FROM record WHERE kind = ? AND a = ? AND b = ?", (kind, a, b)
        ).fetchone()
        return None if found is None else json.loads(found[0])

    def put(self, kind: str, a: Key, b: Key, body: Json) -> None:
        """Write one record, replacing what was there."""
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        self._db.execute("INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?)", (kind, a, b, text))

    def delete(self, kind: str, a: Key, b: Key = 0) -> None:
        """Remove one record, if it is there."""
        self._db.execute("DELETE FROM record WHERE kind = ? AND a = ? AND b = ?", (kind, a, b))

    def all(self, kind: str) -> list[Json]:
        """Return every record of a kind in the order of its keys."""
        rows = self._db.execute("SELECT body FROM record WHERE kind = ? ORDER BY a, b", (kind,))
        return [json.loads(row[0]) for row in rows]

    def under(self, kind: str, a: Key, last: int = -1) -> list[Json]:
        """Return the records under a first key, ordered by the second; only the `last` ones if given."""
        rows = self._db.execute(
            "SELECT body FROM record WHERE kind = ? AND a = ? ORDER BY b DESC LIMIT ?", (kind, a, last)
        ).fetchall()
        return [json.loads(row[0]) for row in reversed(rows)]

    def next_number(self, name: str, first: int) -> int:
        """Return the next number of a sequence that begins with `first`."""
        record = self.get("sequence", name) or {"next": first}
        self.put("sequence", name, 0, {"next": record["next"] + 1})
        return int(record["next"])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make everything inside one change: all of it or, after an exception, nothing."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._db.close()
