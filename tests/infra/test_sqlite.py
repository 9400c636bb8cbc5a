"""What only a file has: other processes, sudden ends, being opened again."""

import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from infra.ports import Item
from infra.sqlite import SqliteStore
from tests.fakes import FakeClock

ROOT = Path(__file__).parents[2]

DIES_AFTER_COMMIT = """
import os, signal, sys
from infra.ports import Item
from infra.sqlite import SqliteStore
from tests.fakes import FakeClock
store = SqliteStore(sys.argv[1], FakeClock())
store.put(Item("TABLE#a", "TABLE", 1, b"said"))
store.put(Item("TABLE#a", "TABLE", 2, b"done"))
os.kill(os.getpid(), signal.SIGKILL)
"""

DIES_BEFORE_COMMIT = """
import os, signal, sys
from infra.ports import Item
from infra.sqlite import SqliteStore
from tests.fakes import FakeClock

class Fatal(FakeClock):
    def now(self):
        if armed:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().now()

armed = False
store = SqliteStore(sys.argv[1], Fatal())
store.put(Item("TABLE#a", "TABLE", 1, b"said"))
armed = True
store.put(Item("TABLE#a", "TABLE", 2, b"lost"))
"""

COUNTS = """
import sys
from infra.ports import Item
from infra.sqlite import SqliteStore
from tests.fakes import FakeClock
with SqliteStore(sys.argv[1], FakeClock()) as store:
    print("open", flush=True)
    sys.stdin.readline()
    for _ in range(100):
        seen = store.get("TABLE#a", "TABLE") or store.put(Item("TABLE#a", "TABLE", 1, b"0"))
        seen = seen or store.get("TABLE#a", "TABLE")
        while seen is not None:
            seen = store.put(Item("TABLE#a", "TABLE", seen.version + 1, b"%d" % (int(seen.body) + 1)))
"""


def run(script: str, path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", script, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


@pytest.mark.parametrize(
    ("script", "left"),
    [
        (DIES_AFTER_COMMIT, Item("TABLE#a", "TABLE", 2, b"done")),
        (DIES_BEFORE_COMMIT, Item("TABLE#a", "TABLE", 1, b"said")),
    ],
    ids=["after", "before"],
)
def test_a_killed_process_leaves_what_it_committed(path: Path, script: str, left: Item) -> None:
    with run(script, path) as process:
        process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    with SqliteStore(path, FakeClock()) as store:
        assert store.get("TABLE#a", "TABLE") == left
        assert store.put(Item("TABLE#a", "TABLE", left.version + 1, b"goes on")) is None


def test_two_processes_lose_nothing(path: Path) -> None:
    with run(COUNTS, path) as one, run(COUNTS, path) as other:
        for process in (one, other):
            assert process.stdout is not None
            assert process.stdout.readline() == b"open\n"
        for process in (one, other):
            assert process.stdin is not None
            process.stdin.write(b"go\n")
            process.stdin.flush()
        for process in (one, other):
            process.communicate(timeout=60)
    assert (one.returncode, other.returncode) == (0, 0)
    with SqliteStore(path, FakeClock()) as store:
        assert store.get("TABLE#a", "TABLE") == Item("TABLE#a", "TABLE", 201, b"200")


def test_many_may_create_the_file_at_once(tmp_path: Path) -> None:
    openers = 6
    together = threading.Barrier(openers)

    def write(number: int) -> None:
        for file in range(10):
            together.wait(timeout=30)
            with SqliteStore(tmp_path / f"{file}.sqlite", FakeClock()) as store:
                store.put_same(Item("TABLE#a", f"GAME#1#{number:02}", 1, b""))

    with ThreadPoolExecutor(openers) as pool:
        list(pool.map(write, range(openers)))
    for file in range(10):
        with SqliteStore(tmp_path / f"{file}.sqlite", FakeClock()) as store:
            assert len(store.list("TABLE#a", "GAME#")) == openers


def test_two_stores_on_one_file_see_each_other(path: Path) -> None:
    with SqliteStore(path, FakeClock()) as one, SqliteStore(path, FakeClock()) as other:
        first = Item("TABLE#a", "TABLE", 1, b"one")
        one.put(first)
        assert other.get("TABLE#a", "TABLE") == first
        assert other.put(first) == first


def test_a_write_deletes_what_has_expired(path: Path) -> None:
    clock = FakeClock()
    with SqliteStore(path, clock) as store:
        store.put_same(Item("TABLE#a", "GAME#1#01", 1, b"", expires=clock.now() + 1))
        store.put_same(Item("TABLE#a", "GAME#1#02", 1, b"", expires=clock.now() + 2))
        clock.advance(1)
        store.put_same(Item("TABLE#b", "GAME#1#01", 1, b""))
    database = sqlite3.connect(path)
    rows = database.execute("SELECT key, sort FROM items ORDER BY key").fetchall()
    database.close()
    assert rows == [("TABLE#a", "GAME#1#02"), ("TABLE#b", "GAME#1#01")]


def test_a_failed_write_changes_nothing_and_lets_go(path: Path) -> None:
    with SqliteStore(path, FakeClock()) as store, SqliteStore(path, FakeClock()) as other:
        with pytest.raises(sqlite3.Error):
            store.put(Item("TABLE#a", "TABLE", 1, object()))  # type: ignore[arg-type]
        assert other.put(Item("TABLE#a", "TABLE", 1, b"")) is None
        assert store.put(Item("TABLE#a", "TABLE", 2, b"")) is None


def test_a_closed_store_refuses(path: Path) -> None:
    store = SqliteStore(path, FakeClock())
    store.close()
    store.close()
    with pytest.raises(sqlite3.ProgrammingError):
        store.get("TABLE#a", "TABLE")


def test_a_place_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("this is no database, however long one looks at it\n" * 100)
    with pytest.raises(sqlite3.DatabaseError):
        SqliteStore(tmp_path / "text", FakeClock())
