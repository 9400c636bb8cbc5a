"""Timers as messages of a queue: never early, sent on where the queue cannot wait so long."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING
from unittest import mock

import msgspec
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from infra.aws.clients import open_client
from infra.ports import Timers
from infra.sqs import MOST_DELAY_S, SqsTimers, Wakeup, read
from tests.fakes import FakeClock

if TYPE_CHECKING:
    from mypy_boto3_sqs.client import SQSClient

NOW = 1_800_000_000.25


class Queue:
    """The queue, and what was sent to it: delays and what the messages say."""

    def __init__(self, client: SQSClient) -> None:
        self.client = client
        self.url = client.create_queue(QueueName="timers")["QueueUrl"]
        self.sent: list[tuple[int, Wakeup]] = []
        client.meta.events.register("provide-client-params.sqs.SendMessage", self._note)

    def _note(self, params: dict[str, object], **_: object) -> None:
        self.sent.append((int(str(params["DelaySeconds"])), read(str(params["MessageBody"]))))


@pytest.fixture
def there() -> Iterator[Queue]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment |= {"AWS_DEFAULT_REGION": "eu-central-1", "AWS_CONFIG_FILE": os.devnull}
    with mock.patch.dict(os.environ, environment, clear=True), mock_aws():
        yield Queue(open_client("sqs"))


def arm(there: Queue, at: float, now: float = NOW) -> int:
    """Arm a timer; the delay it was sent with."""
    timers: Timers = SqsTimers(there.url, FakeClock(now), there.client)
    asyncio.run(timers.arm("TABLE#a", at, 7))
    delay, wakeup = there.sent[-1]
    assert wakeup == Wakeup("TABLE#a", at, 7)
    return delay


@pytest.mark.parametrize(
    ("left", "delay"),
    [(0, 0), (-5, 0), (0.01, 1), (1, 1), (1.5, 2), (60, 60), (900, 900), (900.5, 900), (86_400, 900)],
)
def test_the_delay_is_in_whole_seconds_and_never_too_short(there: Queue, left: float, delay: int) -> None:
    assert arm(there, NOW + left) == delay


def test_a_long_way_is_gone_in_pieces_and_never_ends_early(there: Queue) -> None:
    """Whoever takes a message that is early arms it again; so it goes on until its instant."""
    at, now, pieces = NOW + 2 * 86_400, NOW, 0
    while Wakeup("TABLE#a", at, 7).is_early(now):
        now += arm(there, at, now)
        pieces += 1
    assert at <= now < at + 1
    assert pieces == 2 * 86_400 / MOST_DELAY_S


def test_what_is_no_wake_up_is_refused() -> None:
    for body in ("", "{}", "null", '{"key":"TABLE#a","at":"soon","serial":1}'):
        with pytest.raises((msgspec.ValidationError, msgspec.DecodeError)):
            read(body)


def test_a_queue_that_is_gone_is_an_error(there: Queue) -> None:
    there.client.delete_queue(QueueUrl=there.url)
    with pytest.raises(ClientError):
        arm(there, NOW)


@pytest.mark.parametrize("name", ["AWS_REGION", "AWS_DEFAULT_REGION"])
def test_a_region_is_known_by_either_name(there: Queue, name: str) -> None:
    environment = {each: value for each, value in os.environ.items() if each != "AWS_DEFAULT_REGION"}
    with mock.patch.dict(os.environ, environment | {name: "eu-north-1"}, clear=True):
        assert open_client("sqs").meta.region_name == "eu-north-1"
