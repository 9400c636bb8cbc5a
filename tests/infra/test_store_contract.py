"""What every store promises, on every store."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from infra.dynamodb import DynamoStore
from infra.ports import Clock, Item, Missing, WholeStore
from infra.sqlite import SqliteStore
from tests.fakes import FakeClock
from tests.infra.cloud import TABLE, cloud
from tests.soak.rows import MemoryStore

NOW = 1_800_000_000.0


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


def _on_disk(tmp_path: Path, clock: Clock) -> Iterator[WholeStore]:
    with SqliteStore(tmp_path / "store.sqlite", clock) as store:
        yield store


def _in_memory(tmp_path: Path, clock: Clock) -> Iterator[WholeStore]:
    with SqliteStore(":memory:", clock) as store:
        yield store


def _in_a_dictionary(tmp_path: Path, clock: Clock) -> Iterator[WholeStore]:
    yield MemoryStore(clock)


def _in_the_cloud(tmp_path: Path, clock: Clock) -> Iterator[WholeStore]:
    with cloud() as there:
        yield DynamoStore(TABLE, clock, there.client)


@pytest.fixture(params=[_on_disk, _in_memory, _in_a_dictionary, _in_the_cloud])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[WholeStore]:
    make: Callable[[Path, Clock], Iterator[WholeStore]] = request.param
    yield from make(tmp_path, clock)


def table(name: str, version: int = 1, body: bytes = b"", due: float | None = None) -> Item:
    return Item(f"TABLE#{name}", "TABLE", version, body, due)


def following(item: Item, body: bytes) -> Item:
    return msgspec.structs.replace(item, version=item.version + 1, body=body)


def test_what_was_never_written_is_none(store: WholeStore) -> None:
    assert store.get("TABLE#a", "TABLE") is None
    assert store.list("TABLE#a", "") == []
    assert store.due(NOW, 10) == []


def test_a_row_comes_back_as_it_was_written(store: WholeStore) -> None:
    item = Item("CHAT#telegram:-1001234567890", "CHAT", 1, b"\x00{}", NOW + 0.125, NOW + 0.25)
    assert store.put(item) is None
    assert store.get(item.key, item.sort) == item


@pytest.mark.parametrize("time", [NOW + 1 / 3, NOW + 1e-6, 0.1, 0.0, -1.5, 1e22])
def test_times_come_back_exactly(store: WholeStore, time: float) -> None:
    store.put(table("a", due=time))
    assert store.get("TABLE#a", "TABLE") == table("a", due=time)
    assert store.due(time, 1) == ["TABLE#a"]


def test_versions_follow_each_other(store: WholeStore) -> None:
    first = table("a", body=b"one")
    second = following(first, b"two")
    assert store.put(first) is None
    assert store.put(second) is None
    assert store.get("TABLE#a", "TABLE") == second


@pytest.mark.parametrize("version", [1, 2, 4])
def test_a_lost_race_gives_the_row_that_is_there(store: WholeStore, version: int) -> None:
    first = table("a", body=b"one")
    second = following(first, b"two")
    store.put(first)
    store.put(second)
    assert store.put(table("a", version, b"late")) == second
    assert store.get("TABLE#a", "TABLE") == second


def test_a_later_version_of_nothing_is_missing(store: WholeStore) -> None:
    with pytest.raises(Missing):
        store.put(table("a", version=2))
    assert store.get("TABLE#a", "TABLE") is None


@pytest.mark.parametrize("version", [0, -1])
def test_versions_begin_at_one(version: int) -> None:
    with pytest.raises(ValueError, match="begin at 1"):
        table("a", version)


def test_a_write_replaces_due_and_expiry_too(store: WholeStore) -> None:
    store.put(Item("TABLE#a", "TABLE", 1, b"", NOW, NOW + 1))
    store.put(Item("TABLE#a", "TABLE", 2, b""))
    assert store.due(NOW, 10) == []
    assert store.get("TABLE#a", "TABLE") == Item("TABLE#a", "TABLE", 2, b"")


def test_rows_of_one_key_have_versions_of_their_own(store: WholeStore) -> None:
    store.put(table("a"))
    other = Item("TABLE#a", "GAME#1#01", 1, b"day")
    assert store.put(other) is None
    assert store.get("TABLE#a", "GAME#1#01") == other


def test_of_two_writers_one_wins_and_nothing_is_lost(store: WholeStore) -> None:
    """200 increments; both threads have read the same version before either writes."""
    rounds = 100
    together = threading.Barrier(2)
    store.put(table("a", body=b"0"))

    def count() -> int:
        lost = 0
        for _ in range(rounds):
            seen = store.get("TABLE#a", "TABLE")
            together.wait(timeout=30)
            while seen is not None:
                seen = store.put(following(seen, b"%d" % (int(seen.body) + 1)))
                lost += seen is not None
            # Or the quicker of the two would already read for the next round, and win nothing by it.
            together.wait(timeout=30)
        return lost

    with ThreadPoolExecutor(2) as pool:
        losses = [pool.submit(count) for _ in range(2)]
    assert sum(loss.result() for loss in losses) == rounds
    assert store.get("TABLE#a", "TABLE") == table("a", 2 * rounds + 1, b"%d" % (2 * rounds))


def test_of_many_first_writers_one_wins(store: WholeStore) -> None:
    together = threading.Barrier(8)

    def open_table(body: bytes) -> Item | None:
        together.wait(timeout=30)
        return store.put(table("a", body=body))

    bodies = [b"%d" % number for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(open_table, bodies))
    winner = bodies[found.index(None)]
    assert [item.body for item in found if item is not None] == [winner] * 7


def test_put_same_may_be_repeated(store: WholeStore) -> None:
    item = Item("TABLE#a", "GAME#1#01", 1, b"events")
    store.put_same(item)
    store.put_same(item)
    assert store.list("TABLE#a", "") == [item]


def test_put_same_asks_for_no_version(store: WholeStore) -> None:
    store.put_same(Item("TABLE#a", "GAME#1#01", 3, b"cut short"))
    item = Item("TABLE#a", "GAME#1#01", 1, b"events")
    store.put_same(item)
    assert store.get("TABLE#a", "GAME#1#01") == item


def test_a_listing_is_in_the_order_of_sort(store: WholeStore) -> None:
    sorts = ["GAME#1#02", "GAME#10#01", "GAME#1#01", "game#1#01", "GAME", "TABLE", "GAME#1#é", "GAME#1#z"]
    for sort in sorts:
        store.put_same(Item("TABLE#a", sort, 1, b""))
    store.put_same(Item("TABLE#b", "GAME#1#03", 1, b""))
    assert [item.sort for item in store.list("TABLE#a", "GAME#1#")] == [
        "GAME#1#01",
        "GAME#1#02",
        "GAME#1#z",
        "GAME#1#é",
    ]
    assert [item.sort for item in store.list("TABLE#a", "")] == sorted(sorts)


@pytest.mark.parametrize("prefix", ["GAME%", "GAME_", "GAME*", "G?ME"])
def test_a_prefix_is_no_pattern(store: WholeStore, prefix: str) -> None:
    store.put_same(Item("TABLE#a", "GAME#1#01", 1, b""))
    assert store.list("TABLE#a", prefix) == []


def test_due_names_what_is_due_oldest_first(store: WholeStore) -> None:
    for name, due in [("c", NOW), ("a", NOW - 1), ("b", NOW - 2), ("later", NOW + 0.5), ("idle", None)]:
        store.put(table(name, due=due))
    assert store.due(NOW, 10) == ["TABLE#b", "TABLE#a", "TABLE#c"]
    assert store.due(NOW, 2) == ["TABLE#b", "TABLE#a"]
    assert store.due(float("inf"), 10) == ["TABLE#b", "TABLE#a", "TABLE#c", "TABLE#later"]


def test_due_follows_the_row(store: WholeStore) -> None:
    store.put(table("a", due=NOW))
    store.put(table("a", 2, due=NOW + 10))
    assert store.due(NOW, 10) == []
    store.put(table("a", 3, due=None))
    assert store.due(NOW + 10, 10) == []


def test_due_names_a_key_once(store: WholeStore) -> None:
    store.put_same(Item("TABLE#a", "TABLE", 1, b"", NOW - 1))
    store.put_same(Item("TABLE#b", "TABLE", 1, b"", NOW - 2))
    store.put_same(Item("TABLE#a", "LOBBY", 1, b"", NOW - 3))
    assert store.due(NOW, 10) == store.due(NOW, 2) == ["TABLE#a", "TABLE#b"]


def test_an_expired_row_is_absent(store: WholeStore, clock: FakeClock) -> None:
    item = Item("TABLE#a", "TABLE", 1, b"", NOW, NOW + 10)
    store.put(item)
    clock.advance(9.5)
    assert store.get("TABLE#a", "TABLE") == item
    assert store.list("TABLE#a", "") == [item]
    assert store.due(NOW + 10, 10) == ["TABLE#a"]
    clock.advance(0.5)
    assert store.get("TABLE#a", "TABLE") is None
    assert store.list("TABLE#a", "") == []


def test_an_expired_row_has_no_successor(store: WholeStore, clock: FakeClock) -> None:
    store.put(Item("TABLE#a", "TABLE", 1, b"", expires=NOW + 10))
    clock.advance(10)
    with pytest.raises(Missing):
        store.put(table("a", 2))


def test_an_expired_row_does_not_stand_in_the_way(store: WholeStore, clock: FakeClock) -> None:
    store.put(Item("TABLE#a", "TABLE", 1, b"old", expires=NOW + 10))
    clock.advance(10)
    assert store.put(table("a", body=b"new")) is None
    assert store.get("TABLE#a", "TABLE") == table("a", body=b"new")


@pytest.mark.parametrize(
    "body", [b"", b"\x00", bytes(range(256)), b"\x00\xff" * 200_000], ids=["empty", "nul", "every", "400kB"]
)
def test_bytes_come_back_intact(store: WholeStore, body: bytes) -> None:
    store.put(table("a", body=body))
    found = store.get("TABLE#a", "TABLE")
    assert found is not None
    assert found.body == body


def test_keys_are_found_by_their_beginning(store: WholeStore, clock: FakeClock) -> None:
    rows = [
        table("a"),
        Item("TABLE#a", "GAME#1", 1, b"", due=NOW),
        table("b"),
        Item("PLAYER#a", "PLAYER", 1, b""),
        Item("TABLE#c", "TABLE", 1, b"", expires=NOW + 10),
    ]
    for row in rows:
        store.put(row)
    assert sorted(store.keys("TABLE#")) == ["TABLE#a", "TABLE#b", "TABLE#c"]
    clock.advance(10)
    assert sorted(store.keys("TABLE#")) == ["TABLE#a", "TABLE#b"]
    assert store.keys("CHAT#") == []
