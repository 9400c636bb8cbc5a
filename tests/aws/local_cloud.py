"""A cloud on this machine, with its roles enforced, and what is asked of it from outside."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import botocore.session

# Not resolved: its link is what makes it the environment's own.
PYTHON = Path("build/local-cloud/bin/python").absolute()
_PROGRAM = Path(__file__).with_name("recorded.py")
REGION = "eu-central-1"
_STARTS_WITHIN_S = 30.0


class LocalCloud:
    """A running cloud. `environment` is what commands and clients need to talk to it, and to no other."""

    def __init__(self, port: int, calls: Path) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self._calls = calls
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "NIGHTFALL_"))}
        self.environment = kept | {
            "AWS_ENDPOINT_URL": self.address,
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
        }
        self._session = botocore.session.Session()

    def client(self, service: str) -> Any:
        """Return a client of a service of this cloud."""
        return self._session.create_client(
            service,
            region_name=REGION,
            endpoint_url=self.address,
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )

    def log_lines(self, group: str) -> list[dict[str, Any]]:
        """Return what the functions themselves have written, in order, and nothing of the platform's."""
        pages = self.client("logs").get_paginator("filter_log_events").paginate(logGroupName=group)
        messages = [event["message"] for page in pages for event in page["events"]]
        return [json.loads(message) for message in messages if message.startswith("{")]

    def platform_lines(self, group: str) -> list[str]:
        """Return what the platform has written about the invocations."""
        pages = self.client("logs").get_paginator("filter_log_events").paginate(logGroupName=group)
        return [event["message"] for page in pages for event in page["events"] if event["message"][:1] != "{"]

    def calls_of(self, function: str) -> set[str]:
        """Return what a function has called so far, as actions of a policy are written."""
        configuration = self.client("lambda").get_function_configuration(FunctionName=function)
        # By such a key this cloud knows the role of a function again.
        names = f"{configuration['FunctionArn']}:{configuration['Role']}"
        key = f"ASIA{hashlib.sha256(names.encode()).hexdigest()[:16].upper()}"
        lines = (line.split(" ", 1) for line in self._calls.read_text().splitlines())
        return {call for who, call in lines if who == key}


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def local_cloud(folder: Path) -> AsyncIterator[LocalCloud]:
    """Start a cloud that is empty, and end it. folder: for its files."""
    port, calls = free_port(), folder / "calls.txt"
    calls.touch()
    cloud = LocalCloud(port, calls)
    environment = {name: value for name, value in cloud.environment.items() if name != "AWS_ENDPOINT_URL"}
    # Functions start from byte code, as in the real one.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment |= {
        "BIND_HOST": "127.0.0.1", "GATEWAY_PORT": str(port), "SFTP_ENABLED": "0", "AUTH": "true",
        "TMPDIR": str(folder), "CLOUDTRAIL_RECORDING": "1",
    }  # fmt: skip
    with (folder / "cloud.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            PYTHON,
            _PROGRAM,
            calls,
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
        )
        try:
            await _listening(port)
            yield cloud
        finally:
            process.terminate()
            await process.wait()


async def _listening(port: int) -> None:
    async with asyncio.timeout(_STARTS_WITHIN_S):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.1)
            else:
                writer.close()
                return
