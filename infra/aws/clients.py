"""Clients of the cloud's services, made once for each process that needs them."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Literal, overload

import boto3
from botocore.config import Config

if TYPE_CHECKING:
    from mypy_boto3_cloudformation.client import CloudFormationClient
    from mypy_boto3_dynamodb.client import DynamoDBClient
    from mypy_boto3_sqs.client import SQSClient
    from mypy_boto3_ssm.client import SSMClient

_CONFIG = Config(
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 3},
    # The types of the calls are checked where they are written; a wrong one is refused by the service.
    parameter_validation=False,
)


@cache
def _session() -> boto3.Session:
    """One session for all clients: it reads the environment and the endpoints once.

    botocore prints requests and answers whole when it debugs; that is turned off for this process.
    """
    logging.getLogger("botocore").setLevel(logging.WARNING)
    return boto3.Session()


@overload
def open_client(service: Literal["cloudformation"]) -> CloudFormationClient: ...
@overload
def open_client(service: Literal["dynamodb"]) -> DynamoDBClient: ...
@overload
def open_client(service: Literal["sqs"]) -> SQSClient: ...
@overload
def open_client(service: Literal["ssm"]) -> SSMClient: ...
def open_client(service: str) -> object:
    """Return a client for region and credentials of the environment, safe for the threads of a process.

    It gives up after three attempts, each of a second to connect and three to wait for the answer, with pauses
    of milliseconds between them, of seconds where the service throttles.
    """
    # Of the two names that a region can have in the environment the library reads only the other one.
    client: Callable[..., object] = _session().client
    return client(service, region_name=os.environ.get("AWS_REGION"), config=_CONFIG)
