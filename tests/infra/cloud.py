"""DynamoDB in this process, as moto plays it, with what moto lacks: turns, and troubles on the way."""

from __future__ import annotations

import json
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ConnectTimeoutError, ReadTimeoutError
from moto import mock_aws
from moto.core.models import botocore_stubber

from infra.aws.clients import open_client
from infra.dynamodb import TTL_ATTRIBUTE, table_definition

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.client import DynamoDBClient

TABLE = "nightfall"

# The types of the library have it that what a handler returns is of no use; here it is the answer.
Handler = Callable[..., Any]


class Trouble(Enum):
    """What becomes of one request."""

    NONE = auto()
    UNREACHED = auto()  # it does not arrive
    LOST = auto()  # it is done, and the answer does not arrive
    THROTTLED = auto()
    FAILED = auto()


class Request(NamedTuple):
    """One request as it came over the wire."""

    operation: str
    body: dict[str, Any]


class Cloud:
    """One table. `requests` is all that was sent to it; `troubles` befall the next requests, one each."""

    def __init__(self, client: DynamoDBClient) -> None:
        self.client = client
        self.requests: list[Request] = []
        self.troubles: deque[Trouble] = deque()
        self._turn = threading.Lock()

    @property
    def operations(self) -> list[str]:
        return [request.operation for request in self.requests]

    def serve(self, event_name: str, request: AWSPreparedRequest, **_: object) -> AWSResponse:
        # moto judges a condition and writes in two steps; a table does both in one.
        with self._turn:
            assert isinstance(request.body, bytes)
            self.requests.append(Request(event_name.rpartition(".")[2], json.loads(request.body)))
            trouble = self.troubles.popleft() if self.troubles else None
            match trouble:
                case Trouble.UNREACHED:
                    raise ConnectTimeoutError(endpoint_url=request.url)
                case Trouble.THROTTLED:
                    return _error(request, 400, "ThrottlingException")
                case Trouble.FAILED:
                    return _error(request, 500, "InternalServerError")
            answer = botocore_stubber(event_name, request)
            assert answer is not None
            if trouble is Trouble.LOST:
                raise ReadTimeoutError(endpoint_url=request.url)
            return answer


def _error(request: AWSPreparedRequest, status: int, code: str) -> AWSResponse:
    body = json.dumps({"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "later"})
    return AWSResponse(request.url, status, HTTPHeaders(), _Raw(body.encode()))


class _Raw(BytesIO):
    """A body as urllib3 hands it out."""

    def stream(self) -> Iterator[bytes]:
        yield self.read()


@cache
def _client() -> DynamoDBClient:
    """One for all tests, because making it takes longer than most of them."""
    client = open_client("dynamodb")
    # moto's own handler would answer as well as the cloud's, not instead.
    moto: Handler = botocore_stubber
    client.meta.events.unregister("before-send", moto)
    return client


@contextmanager
def cloud() -> Iterator[Cloud]:
    """A new, empty table; whatever account this machine has access to is out of sight."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment |= {"AWS_DEFAULT_REGION": "eu-central-1", "AWS_CONFIG_FILE": os.devnull}
    with mock.patch.dict(os.environ, environment, clear=True), mock_aws():
        client = _client()
        there = Cloud(client)
        serve: Handler = there.serve
        client.meta.events.register("before-send.dynamodb", serve)
        try:
            client.create_table(**table_definition(TABLE))
            client.update_time_to_live(
                TableName=TABLE, TimeToLiveSpecification={"Enabled": True, "AttributeName": TTL_ATTRIBUTE}
            )
            there.requests.clear()
            yield there
        finally:
            client.meta.events.unregister("before-send.dynamodb", serve)
