"""The bot's requests to Telegram: each leaves a line in the log, and none trusts a connection that has died."""

from __future__ import annotations

import time
from typing import Any

import httpx
from telegram.request import HTTPXRequest

from infra.log import log

_FEW = 4
_FRESH_S = 20.0
"""Telegram closes a connection after some 40 seconds, which a frozen function does not notice."""


class Calls(HTTPXRequest):
    """`HTTPXRequest` for a process that is frozen between its invocations."""

    def __init__(self) -> None:
        limits = httpx.Limits(max_connections=_FEW, max_keepalive_connections=_FEW, keepalive_expiry=_FRESH_S)
        super().__init__(httpx_kwargs={"limits": limits})

    async def do_request(self, url: str, *arguments: Any, **named: Any) -> tuple[int, bytes]:
        """Make one request. The address holds the token: only the method's name goes into the log."""
        method, began, status = url.rpartition("/")[2], time.monotonic(), 0
        try:
            status, answer = await super().do_request(url, *arguments, **named)
        finally:
            log("call", method=method, status=status, seconds=round(time.monotonic() - began, 3))
        return status, answer
