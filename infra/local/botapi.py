"""The Bot API over HTTP: `/bot<token>/<method>` with JSON, forms or a query string."""

import asyncio
import hmac
from contextlib import suppress
from typing import Any

from aiohttp import web

from infra.local.errors import ApiError, ConnectionDropped
from infra.local.state import Change
from infra.local.store import Json
from infra.local.world import World

# A long poll is cut here whatever the bot asks for, in wall seconds.
_LONGEST_POLL = 50.0


class BotApi:
    """Serves one bot's calls from a world."""

    def __init__(self, world: World, token: str) -> None:
        self._world = world
        self._token = token

    def routes(self) -> list[web.RouteDef]:
        """Return the routes for an aiohttp application."""
        return [
            web.get("/bot{token:[^/]+}/{method}", self._serve),
            web.post("/bot{token:[^/]+}/{method}", self._serve),
        ]

    def app(self) -> web.Application:
        """Return an application that serves the Bot API and nothing else."""
        app = web.Application()
        app.add_routes(self.routes())
        return app

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        given = request.match_info["token"].encode()
        if not hmac.compare_digest(given, self._token.encode()):
            return _refuse(ApiError(401, "Unauthorized"))
        method = request.match_info["method"]
        try:
            params = await _params(request)
            result = self._world.call(method, params)
            if method.lower() == "getupdates" and not result:
                result = await self._poll(method, params)
        except ApiError as error:
            return _refuse(error)
        except ConnectionDropped:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        return web.json_response({"ok": True, "result": result})

    async def _poll(self, method: str, params: Json) -> Any:
        came = asyncio.Event()

        def listen(change: Change) -> None:
            if change.kind == "update":
                came.set()

        stop = self._world.subscribe(listen)
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(came.wait(), min(float(params.get("timeout") or 0), _LONGEST_POLL))
        finally:
            stop()
        return self._world.call(method, params)


async def _params(request: web.Request) -> Json:
    params: Json = dict(request.query)
    if request.content_type == "application/json":
        try:
            body = await request.json()
        except ValueError:
            raise ApiError(400, "Bad Request: can't parse JSON object") from None
        if isinstance(body, dict):
            params |= body
    elif request.method == "POST":
        params |= {key: value for key, value in (await request.post()).items() if isinstance(value, str)}
    return params


def _refuse(error: ApiError) -> web.Response:
    headers = {"Retry-After": str(error.parameters["retry_after"])} if error.code == 429 else None
    return web.json_response(error.body(), status=error.code, headers=headers)
