"""What only the cloud has: requests that count, answers that get lost, pages, an index, rights."""

import base64
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError, ReadTimeoutError
from botocore.retries.standard import ExponentialBackoff

from infra.dynamodb import DUE_INDEX, DynamoStore
from infra.ports import Item, Missing
from tests.fakes import FakeClock
from tests.infra.cloud import TABLE, Cloud, Trouble, cloud

ROOT = Path(__file__).parents[2]
NOW = 1_800_000_000.0
FIRST = Item("TABLE#a", "TABLE", 1, b"one", NOW)
SECOND = Item("TABLE#a", "TABLE", 2, b"two", NOW + 1)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def there() -> Iterator[Cloud]:
    with cloud() as table:
        yield table


@pytest.fixture
def store(there: Cloud, clock: FakeClock) -> DynamoStore:
    return DynamoStore(TABLE, clock, there.client)


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client does not pause before it tries again."""
    monkeypatch.setattr(ExponentialBackoff, "delay_amount", lambda *_: 0)


def refused(store: DynamoStore) -> None:
    assert store.put(FIRST) == FIRST


def missed(store: DynamoStore) -> None:
    with pytest.raises(Missing):
        store.put(Item("TABLE#b", "TABLE", 2, b""))


# What a call costs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "operation"),
    [
        (lambda store: store.get("TABLE#a", "TABLE"), "GetItem"),
        (lambda store: store.get("TABLE#b", "TABLE"), "GetItem"),
        (lambda store: store.put(Item("TABLE#b", "TABLE", 1, b"")), "PutItem"),
        (lambda store: store.put(SECOND), "PutItem"),
        (refused, "PutItem"),
        (missed, "PutItem"),
        (lambda store: store.put_same(FIRST), "PutItem"),
        (lambda store: store.list("TABLE#a", "TABLE"), "Query"),
        (lambda store: store.due(NOW, 10), "Query"),
    ],
    ids=["get", "get_nothing", "first", "next", "lost_race", "missing", "put_same", "list", "due"],
)
def test_every_call_is_one_request(
    there: Cloud, store: DynamoStore, call: Callable[[DynamoStore], object], operation: str
) -> None:
    """Three operations and no other are what the functions have rights to."""
    store.put(FIRST)
    there.requests.clear()
    call(store)
    assert there.operations == [operation]


def test_rows_are_read_as_the_last_write_left_them(there: Cloud, store: DynamoStore) -> None:
    store.get("TABLE#a", "TABLE")
    store.list("TABLE#a", "")
    assert [request.body["ConsistentRead"] for request in there.requests] == [True, True]


def test_boto3_is_not_loaded_where_nothing_is_in_the_cloud() -> None:
    script = "import sys, infra.local.__main__; sys.exit('boto3' in sys.modules or 'botocore' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0


# Troubles on the way -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_at_once")
@pytest.mark.parametrize("before", [[], [FIRST]], ids=["first", "next"])
def test_a_write_whose_answer_was_lost_is_repeated_and_meets_itself(
    there: Cloud, store: DynamoStore, before: list[Item]
) -> None:
    for item in before:
        store.put(item)
    there.requests.clear()
    there.troubles.append(Trouble.LOST)
    written = SECOND if before else FIRST
    assert store.put(written) == written
    assert there.operations == ["PutItem", "PutItem"]
    assert store.get("TABLE#a", "TABLE") == written


@pytest.mark.usefixtures("_at_once")
def test_put_same_does_not_mind_a_lost_answer(there: Cloud, store: DynamoStore) -> None:
    there.troubles.append(Trouble.LOST)
    store.put_same(FIRST)
    assert store.get("TABLE#a", "TABLE") == FIRST


@pytest.mark.usefixtures("_at_once")
@pytest.mark.parametrize("trouble", [Trouble.UNREACHED, Trouble.THROTTLED, Trouble.FAILED])
def test_what_passes_is_not_noticed(there: Cloud, store: DynamoStore, trouble: Trouble) -> None:
    there.troubles += [trouble, trouble]
    assert store.put(FIRST) is None
    assert there.operations == ["PutItem"] * 3


@pytest.mark.usefixtures("_at_once")
@pytest.mark.parametrize("item", [FIRST, SECOND], ids=["first", "next"])
@pytest.mark.parametrize(
    ("trouble", "code"),
    [(Trouble.THROTTLED, "ThrottlingException"), (Trouble.FAILED, "InternalServerError")],
)
def test_what_does_not_pass_is_an_error_and_nothing_is_missing(
    there: Cloud, store: DynamoStore, item: Item, trouble: Trouble, code: str
) -> None:
    there.troubles += [trouble] * 3
    with pytest.raises(ClientError) as error:
        store.put(item)
    assert error.value.response["Error"]["Code"] == code
    assert there.operations == ["PutItem"] * 3
    assert store.get("TABLE#a", "TABLE") is None


@pytest.mark.usefixtures("_at_once")
@pytest.mark.parametrize(
    "call",
    [
        lambda store: store.get("TABLE#a", "TABLE"),
        lambda store: store.put_same(FIRST),
        lambda store: store.list("TABLE#a", ""),
        lambda store: store.due(NOW, 10),
    ],
    ids=["get", "put_same", "list", "due"],
)
def test_nobody_answering_is_not_nothing_there(
    there: Cloud, store: DynamoStore, call: Callable[[DynamoStore], object]
) -> None:
    store.put(FIRST)
    there.troubles += [Trouble.UNREACHED] * 3
    with pytest.raises(BotoCoreError):
        call(store)


@pytest.mark.usefixtures("_at_once")
def test_an_error_leaves_open_whether_it_was_written(there: Cloud, store: DynamoStore) -> None:
    there.troubles += [Trouble.LOST] * 3
    with pytest.raises(ReadTimeoutError):
        store.put(FIRST)
    assert store.get("TABLE#a", "TABLE") == FIRST


def test_a_table_that_is_gone_is_an_error(there: Cloud, clock: FakeClock) -> None:
    store = DynamoStore("another", clock, there.client)
    with pytest.raises(ClientError, match="ResourceNotFound"):
        store.get("TABLE#a", "TABLE")
    with pytest.raises(ClientError, match="ResourceNotFound"):
        store.put(SECOND)


# Pages ---------------------------------------------------------------------------------------------------


def test_a_listing_goes_on_over_the_pages(there: Cloud, store: DynamoStore) -> None:
    """A page ends at a megabyte."""
    days = [Item("TABLE#a", f"GAME#1#{day:02}", 1, bytes([day]) * 300_000) for day in range(8)]
    for day in days:
        store.put_same(day)
    there.requests.clear()
    assert store.list("TABLE#a", "GAME#") == days
    assert there.operations == ["Query"] * 3


def test_a_change_of_a_row_that_leaves_its_due_time_leaves_the_index(there: Cloud, store: DynamoStore) -> None:
    """Such a write costs nothing there: of all that changes, the index holds nothing."""
    store.put(Item("TABLE#a", "TABLE", 1, b"", NOW, NOW + 10))
    before = indexed_rows(there)
    store.put(Item("TABLE#a", "TABLE", 2, b"body", NOW, NOW + 20))
    assert indexed_rows(there) == before
    store.put(Item("TABLE#a", "TABLE", 3, b"body", NOW + 1, NOW + 20))
    assert indexed_rows(there) != before


def test_the_sweep_asks_for_no_more_than_it_was_asked_for(there: Cloud, store: DynamoStore) -> None:
    for number in range(5):
        store.put(Item(f"TABLE#{number}", "TABLE", 1, b"", NOW + number))
    there.requests.clear()
    assert store.due(NOW + 10, 2) == ["TABLE#0", "TABLE#1"]
    assert [request.body["Limit"] for request in there.requests] == [2]


def test_infinity_is_sent_as_a_number_that_the_table_knows(there: Cloud, store: DynamoStore) -> None:
    store.due(float("inf"), 1)
    assert there.requests[0].body["ExpressionAttributeValues"][":until"] == {"N": "9e+125"}


# The index -----------------------------------------------------------------------------------------------


def indexed(there: Cloud) -> list[set[str]]:
    """The attributes of each row of the index."""
    return [set(row) for row in indexed_rows(there)]


def indexed_rows(there: Cloud) -> list[dict[str, Any]]:
    return list(there.client.scan(TableName=TABLE, IndexName=DUE_INDEX)["Items"])


def test_the_index_holds_what_has_a_due_time_and_no_bodies(there: Cloud, store: DynamoStore) -> None:
    store.put(Item("TABLE#a", "TABLE", 1, b"body"))
    store.put_same(Item("TABLE#a", "GAME#1#01", 1, b"body", expires=NOW + 10))
    assert indexed(there) == []
    store.put(Item("TABLE#a", "TABLE", 2, b"body", NOW, NOW + 10))
    assert indexed(there) == [{"key", "sort", "swept", "due"}]
    store.put(Item("TABLE#a", "TABLE", 3, b"body"))
    assert indexed(there) == []


# Silence -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_at_once")
def test_no_body_is_logged(there: Cloud, store: DynamoStore, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = Item("TABLE#a", "TABLE", 1, b"seat 3 is the seer")
    there.troubles += [Trouble.LOST, Trouble.THROTTLED]
    store.put(secret)
    store.get("TABLE#a", "TABLE")
    store.list("TABLE#a", "")
    assert "seer" not in caplog.text
    assert base64.b64encode(secret.body).decode() not in caplog.text


def test_missing_drags_no_row_along(store: DynamoStore, clock: FakeClock) -> None:
    """The refusal of the table holds the row; an error that is reported must not."""
    store.put(Item("TABLE#a", "TABLE", 1, b"seat 3 is the seer", expires=NOW + 10))
    clock.advance(10)
    with pytest.raises(Missing) as missing:
        store.put(SECOND)
    assert missing.value.__context__ is None
