"""A save whose answer was lost is recognised as its own: the SDK repeats it, and meets its own first write."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from botocore.retries.standard import ExponentialBackoff
from msgspec.structs import replace

from handlers.outbox import Delivery
from handlers.record import AnyEffect, News, Reply, Table
from handlers.table import Judge, Tables
from infra.dynamodb import DynamoStore
from tests.fakes import FakeClock, FakeTimers
from tests.infra.cloud import TABLE, Cloud, Trouble, cloud


class Post:
    """A messenger that notes what it delivers."""

    def __init__(self) -> None:
        self.delivered: list[int] = []

    async def deliver(self, effect: AnyEffect, table: Table) -> Delivery:
        self.delivered.append(effect.seq)
        return Delivery(sent=True)


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cloud]:
    monkeypatch.setattr(ExponentialBackoff, "delay_amount", lambda *_: 0)
    with cloud() as table:
        yield table


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def tables(there: Cloud, post: Post) -> Tables:
    clock = FakeClock()
    return Tables(DynamoStore(TABLE, clock, there.client), FakeTimers(), clock, post)


def _says(count: int, judged: list[int]) -> Judge:
    def judge(table: Table, _now: float) -> tuple[Table, Reply]:
        judged.append(table.games)
        first = table.next_seq
        news = tuple(News(seq=first + n, seat=0, events=()) for n in range(count))
        outbox = (*table.outbox, *news)
        return replace(table, games=table.games + 1, outbox=outbox, next_seq=first + count), Reply("noted")

    return judge


def test_a_table_that_was_made_and_not_heard_of_is_ones_own(there: Cloud, tables: Tables) -> None:
    there.troubles.append(Trouble.LOST)
    tables.create(Table(id="table123", chat=-1, language="zh_Hans", opener=1))
    assert there.operations == ["PutItem", "PutItem"]
    assert tables.load("table123") is not None


@pytest.mark.parametrize("lost", [1, 2])
def test_a_judgement_that_was_written_and_not_heard_of_is_made_once(
    there: Cloud, tables: Tables, post: Post, lost: int
) -> None:
    """The commit's answer is lost, or the tick's: nothing is judged, counted or sent a second time."""
    tables.create(Table(id="table123", chat=-1, language="zh_Hans", opener=1))
    judged: list[int] = []

    async def play() -> None:
        # The first request reads; a trouble is for one request.
        there.troubles.extend([Trouble.NONE] * lost + [Trouble.LOST])
        outcome = await tables.run("table123", "a", _says(3, judged))
        assert outcome.come_back is None
        assert outcome.reply == Reply("noted")

    asyncio.run(play())
    assert not there.troubles
    assert judged == [0]
    assert post.delivered == [1, 2, 3]
    table = tables.load("table123")
    assert table is not None
    assert (table.games, table.outbox, table.lease) == (1, (), None)


def test_another_ones_write_is_not_taken_for_ones_own(there: Cloud, tables: Tables, post: Post) -> None:
    tables.create(Table(id="table123", chat=-1, language="zh_Hans", opener=1))
    judged: list[int] = []
    inner: list[int] = []

    async def play() -> None:
        nested = _says(1, inner)

        def judge(table: Table, now: float) -> tuple[Table, Reply | None]:
            if not judged:
                # Between the read and the write of this one, another one is there and gone.
                item = tables.store.get("TABLE#table123", "TABLE")
                assert item is not None
                after, _ = nested(table, now)
                assert isinstance(tables._write(after, item, "somebody"), Table)
            return _says(1, judged)(table, now)

        assert (await tables.run("table123", "a", judge)).come_back is None

    asyncio.run(play())
    assert (inner, judged) == ([0], [0, 1]), "it is judged anew on what the other has written"
    assert post.delivered == [1, 2]
