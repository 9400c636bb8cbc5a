"""The page's own API: what one person sees and does as anybody in the playground."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from infra.local.botapi import BotApi
from infra.local.clock import ScaledClock
from infra.local.errors import WorldError
from infra.local.house import House
from infra.local.state import Change
from infra.local.store import Json
from infra.local.world import World

FAST = 10.0
_PAGE = Path(__file__).parent / "page"
_FILES = {"/": "index.html"} | {
    f"/{name}": name for name in ("style.css", "app.js", "chat.js", "view.js", "words.js", "icon.svg")
}
_MESSAGES_SHOWN = 200
_MOST_AT_ONCE = 24
# A comment is sent on a silent stream this often (wall seconds), so that a dead one is noticed.
_HEARTBEAT = 15.0
# What concerns the courier only.
_NOT_SHOWN = frozenset({"update", "webhook"})
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Act = Callable[["PageApi", Json], Json | None]


@web.middleware
async def only_this_machine(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse what another web page could send: a foreign Host (DNS rebinding) or a foreign Origin."""
    name = urlsplit(f"//{request.host}").hostname
    if name not in ("127.0.0.1", "localhost"):
        raise web.HTTPForbidden(text="the playground answers to 127.0.0.1 and localhost only")
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise web.HTTPForbidden(text="the playground takes orders from its own page only")
    return await handler(request)


class PageApi:
    """Serves the page, its stream of changes, and the acts of people."""

    def __init__(self, world: World, clock: ScaledClock, house: House) -> None:
        self.world = world
        self.clock = clock
        self.house = house
        self._streams: set[asyncio.Queue[Json | None]] = set()
        self._unsubscribe = world.subscribe(self._spread)

    def app(self, bot_api: BotApi) -> web.Application:
        """Return the application: page and Bot API side by side."""
        app = web.Application(middlewares=[only_this_machine])
        app.add_routes(bot_api.routes())
        app.add_routes([web.get(path, self._file) for path in _FILES])
        app.add_routes(
            [
                web.get("/api/events", self._events),
                web.get("/api/commands", self._commands),
                web.post("/api/{act}", self._act),
            ]
        )
        app.on_shutdown.append(self._end_streams)
        return app

    async def _file(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(_PAGE / _FILES[request.path], headers=_HEADERS)

    async def _act(self, request: web.Request) -> web.StreamResponse:
        act = ACTS.get(request.match_info["act"])
        if act is None or request.content_type != "application/json":
            raise web.HTTPNotFound
        try:
            result = act(self, await request.json())
        except WorldError as error:
            return web.json_response({"error": str(error)}, status=400)
        except (KeyError, TypeError, ValueError):
            return web.json_response({"error": "malformed request"}, status=400)
        return web.json_response(result or {})

    async def _commands(self, request: web.Request) -> web.StreamResponse:
        try:
            commands = self.world.commands_for(int(request.query["chat"]), int(request.query["user"]))
        except (KeyError, ValueError, WorldError):
            raise web.HTTPBadRequest from None
        return web.json_response(commands)

    # The stream: first everything, then every change

    def _spread(self, change: Change) -> None:
        if change.kind not in _NOT_SHOWN:
            for stream in self._streams:
                stream.put_nowait({"kind": change.kind, "body": change.body})

    async def _events(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={**_HEADERS, "Content-Type": "text/event-stream"})
        await response.prepare(request)
        stream: asyncio.Queue[Json | None] = asyncio.Queue()
        stream.put_nowait({"kind": "everything", "body": self._everything()})
        self._streams.add(stream)
        try:
            while True:
                try:
                    event = await asyncio.wait_for(stream.get(), _HEARTBEAT)
                except TimeoutError:
                    await response.write(b":\n\n")
                    continue
                if event is None:
                    break
                await response.write(f"data: {json.dumps(event, ensure_ascii=False)}\n\n".encode())
        except ConnectionError:
            pass  # the page was closed
        finally:
            self._streams.discard(stream)
        return response

    async def _end_streams(self, app: web.Application) -> None:
        self._unsubscribe()
        for stream in self._streams:
            stream.put_nowait(None)

    def _everything(self) -> Json:
        world = self.world
        chats = world.chats()
        return {
            "world": world.store.get("setting", "born"),
            "bot": world.bot.shape(),
            "users": world.members(),
            "chats": [world.chat_view(chat) for chat in chats],
            "messages": [m for chat in chats for m in world.messages(chat["id"], _MESSAGES_SHOWN)],
            "reactions": world.store.all("reaction"),
            "house": {"players": self.house.players()},
            "clock": self.clock_view(),
        }

    def clock_view(self) -> Json:
        """Return what the page needs to run its clocks."""
        return {"now": self.clock.now(), "rate": self.clock.rate}

    # What the page's person does

    def say(self, given: Json) -> Json:
        """Write as somebody."""
        reply_to = given.get("reply_to")
        message = self.world.say(int(given["user"]), int(given["chat"]), str(given["text"]), reply_to=reply_to)
        return {"message_id": message["message_id"]}

    def press(self, given: Json) -> Json:
        """Press as somebody."""
        data = str(given["data"])
        return {"query": self.world.press(int(given["user"]), int(given["chat"]), int(given["message"]), data)}

    def start(self, given: Json) -> None:
        """Open a private chat."""
        self.world.start_bot(int(given["user"]), str(given.get("payload", "")))

    def open(self, given: Json) -> Json:
        """Follow a link."""
        return {"ours": self.world.open_link(int(given["user"]), str(given["url"]))}

    def block(self, given: Json) -> None:
        """Block the bot."""
        self.world.block_bot(int(given["user"]))

    def leave(self, given: Json) -> None:
        """Leave a group."""
        self.world.leave_group(int(given["user"]), int(given["chat"]))

    def join(self, given: Json) -> None:
        """Join a group."""
        self.world.join_group(int(given["user"]), int(given["chat"]))

    def member(self, given: Json) -> Json:
        """Register a member and bring him into a group."""
        name = str(given["name"]).strip()[:64]
        if not name:
            raise WorldError("a member needs a name")
        user_id = self.world.new_member(name, str(given.get("language", "zh-hans")))
        self.world.join_group(user_id, int(given["chat"]))
        return {"user": user_id}

    def bot(self, given: Json) -> None:
        """Add the bot to a group or throw it out."""
        turn = self.world.add_bot if given["on"] else self.world.remove_bot
        turn(int(given["chat"]), int(given["user"]))

    def migrate(self, given: Json) -> Json:
        """Turn a group into a supergroup."""
        return {"chat": self.world.migrate(int(given["chat"]))}

    def play(self, given: Json) -> None:
        """Let the house play for a member, or stop it."""
        self.world.user(int(given["user"]))
        self.house.turn(int(given["user"]), on=bool(given["on"]))

    def fill(self, given: Json) -> Json:
        """Let house players join the game."""
        n = min(max(int(given["n"]), 1), _MOST_AT_ONCE)
        return {"users": self.house.fill(int(given["chat"]), n, str(given.get("language", "zh-hans")))}

    def fast(self, given: Json) -> None:
        """Let time run fast, or as always."""
        self.clock.set_rate(FAST if given["on"] else 1.0)
        self.world.tell("clock", self.clock_view())


ACTS: Final[dict[str, Act]] = {
    "say": PageApi.say,
    "press": PageApi.press,
    "start": PageApi.start,
    "open": PageApi.open,
    "block": PageApi.block,
    "leave": PageApi.leave,
    "join": PageApi.join,
    "member": PageApi.member,
    "bot": PageApi.bot,
    "migrate": PageApi.migrate,
    "play": PageApi.play,
    "fill": PageApi.fill,
    "fast": PageApi.fast,
}
