"""The timers of the cloud: wake-ups as messages of one queue, each with its own delay.

A message cannot wait longer than `MOST_DELAY_S`. One that arrives before its instant is sent on with the rest of
the way: whoever takes it from the queue asks `Wakeup.is_early`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from infra.aws.clients import open_client
from infra.ports import Clock

if TYPE_CHECKING:
    from mypy_boto3_sqs.client import SQSClient

MOST_DELAY_S = 900
"""What the queue can wait, in seconds."""


class Wakeup(msgspec.Struct, frozen=True):
    """What a message says: the row key of a table, the instant, the serial of the step it was armed for."""

    key: str
    at: float
    serial: int

    def is_early(self, now: float) -> bool:
        """Say whether it still has a way to go."""
        return now < self.at


def read(body: str) -> Wakeup:
    """Return what a message says; msgspec.ValidationError or DecodeError for one that `arm` has not written."""
    return msgspec.json.decode(body, type=Wakeup)


class SqsTimers:
    """`Timers` in the queue at `queue_url`.

    Whole seconds are all that a delay knows: a wake-up comes up to a second late, and never early by it.
    """

    def __init__(self, queue_url: str, clock: Clock, client: SQSClient | None = None) -> None:
        self._queue_url = queue_url
        self._clock = clock
        self._client = open_client("sqs") if client is None else client

    async def arm(self, key: str, at: float, serial: int) -> None:
        """Send a message that comes back at `at`, or after the longest delay there is."""
        left = math.ceil(at - self._clock.now())
        self._client.send_message(
            QueueUrl=self._queue_url,
            MessageBody=msgspec.json.encode(Wakeup(key, at, serial)).decode(),
            DelaySeconds=min(max(left, 0), MOST_DELAY_S),
        )
