"""The functions of the cloud: three doors, each of which hands on what it was called with.

`door` takes Telegram's updates from the HTTP API, `timer` the wake-ups of the queue, `sweep` comes every minute
and asks the queue to wake whom nothing has woken.

What the functions need is put together while they start, where they have a whole processor for it, and stays as
long as they are warm: one event loop, so that connections outlive an invocation; one read of the secrets.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import os
import time
from collections.abc import Coroutine
from functools import cache
from typing import TYPE_CHECKING, Any, NotRequired, Protocol, TypedDict, TypeVar

from infra import sqs
from infra.dynamodb import DynamoStore
from infra.log import context, log, setup_logging
from infra.sqs import SqsTimers

if TYPE_CHECKING:
    from handlers.wiring import Moderator

SWEEP_LAG_S = 15.0
"""Seconds that a timer may be late before the sweep looks after its table."""

SWEEP_LIMIT = 500

Result = TypeVar("Result")


class Invocation(TypedDict):
    """What the HTTP API calls a function with, as far as it is read."""

    headers: dict[str, str]
    body: NotRequired[str]
    isBase64Encoded: bool


class Message(TypedDict):
    """A message of the queue, as far as it is read."""

    body: str
    attributes: dict[str, str]


class Batch(TypedDict):
    """What the queue calls a function with."""

    Records: list[Message]


class Response(TypedDict):
    """What the HTTP API is answered with."""

    statusCode: int
    headers: dict[str, str]
    body: str


class LambdaContext(Protocol):
    """What the runtime says about an invocation, as far as it is read."""

    @property
    def aws_request_id(self) -> str:
        """By which the platform's own log lines name it too."""
        ...


class FunctionFailed(Exception):
    """An invocation went wrong; the log line before says where. Nothing of the error itself is printed."""


class WallClock:
    """The clock on the wall."""

    def now(self) -> float:
        """Return the present in epoch seconds."""
        return time.time()


CLOCK = WallClock()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


@cache
def _store() -> DynamoStore:
    return DynamoStore(os.environ["NIGHTFALL_TABLE"], CLOCK)


@cache
def _timers() -> SqsTimers:
    return SqsTimers(os.environ["NIGHTFALL_QUEUE"], CLOCK)


@cache
def _moderator() -> Moderator:
    """Put the bot together; only now what it consists of is imported, which the sweep has no need of."""
    from handlers import wiring
    from infra.aws.clients import open_client
    from infra.secrets import read_parameter

    secrets = read_parameter(os.environ["NIGHTFALL_SECRETS"], open_client("ssm"))
    return wiring.cloud(os.environ, secrets, _store(), _timers(), CLOCK)


def door(event: Invocation, invocation: LambdaContext) -> Response:
    """Deal with one update."""

    async def handle() -> Response:
        body = event.get("body", "")
        began = CLOCK.now()
        raw = base64.b64decode(body) if event["isBase64Encoded"] else body.encode()
        answer = await _moderator().door.handle(event["headers"], raw)
        log("answered", status=answer.status, seconds=round(CLOCK.now() - began, 3))
        return {"statusCode": answer.status, "headers": dict(answer.headers), "body": answer.body.decode()}

    return _run(handle(), invocation)


def timer(event: Batch, invocation: LambdaContext) -> None:
    """Wake the tables of the messages; one that came before its instant is sent on."""

    async def wake() -> None:
        for message in event["Records"]:
            wakeup, now = sqs.read(message["body"]), CLOCK.now()
            if wakeup.is_early(now):
                await _timers().arm(wakeup.key, wakeup.at, wakeup.serial)
                continue
            # What was armed for an instant that had passed is late only from then on.
            sent = int(message["attributes"]["SentTimestamp"]) / 1000
            log("woken", key=wakeup.key, serial=wakeup.serial, seconds=round(now - max(wakeup.at, sent), 3))
            await _moderator().wake(wakeup.key, wakeup.serial)

    _run(wake(), invocation)


def sweep(_event: object, invocation: LambdaContext) -> None:
    """Have every table woken that is overdue: its timer was lost, or whoever came has died."""

    async def look() -> None:
        now = CLOCK.now()
        keys = _store().due(now - SWEEP_LAG_S, SWEEP_LIMIT)
        for key in keys:
            await _timers().arm(key, now, 0)
        log("swept", count=len(keys))

    _run(look(), invocation)


def _run(work: Coroutine[Any, Any, Result], invocation: LambdaContext) -> Result:
    with context(request_id=invocation.aws_request_id, release=os.environ.get("NIGHTFALL_RELEASE")):
        try:
            return _loop().run_until_complete(work)
        except Exception as error:
            log("failed", level=logging.ERROR, error=error)
        raise FunctionFailed


def _start() -> None:
    """Get ready before the first invocation. The sweep is given no secrets, and needs no bot."""
    setup_logging()
    _store()
    _timers()
    if "NIGHTFALL_SECRETS" in os.environ:
        try:
            _moderator()
        except Exception as error:
            # The platform would print the error's words.
            log("failed", level=logging.ERROR, error=error)
            raise FunctionFailed from None


if "AWS_LAMBDA_FUNCTION_NAME" in os.environ:
    _start()
