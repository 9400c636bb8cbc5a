"""The playground: a small Telegram with its clock, its courier, its house players and its page."""

import asyncio
import errno
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from aiohttp import web

from infra.local.botapi import BotApi
from infra.local.clock import ScaledClock
from infra.local.courier import Courier, Door
from infra.local.house import House, Wanted
from infra.local.server import PageApi
from infra.local.state import BotAccount
from infra.local.store import Json, Store
from infra.local.weather import TELEGRAMS_LIMITS, Limits
from infra.local.world import World

_HOST = "127.0.0.1"
_PORTS_TRIED = 50


class Playground:
    """Everything of the small Telegram around one file.

    `start` opens page and Bot API, `deliver_to` begins to bring updates to a door, or without one to the
    webhook that the bot sets.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        token: str,
        secret: str,
        worth_pressing: Wanted,
        joins: Wanted,
        refuses: Callable[[Json], bool] | None = None,
        bot: BotAccount | None = None,
        limits: Limits | None = TELEGRAMS_LIMITS,
        seed: int | None = None,
    ) -> None:
        store = Store(path)
        self.clock = ScaledClock(
            store.get("setting", "clock"), lambda saved: store.put("setting", "clock", 0, dict(saved))
        )
        self.world = World(store, self.clock.now, bot=bot, limits=limits)
        self.house = House(
            self.world, self.clock, worth_pressing=worth_pressing, joins=joins, refuses=refuses, seed=seed
        )
        self.base_url = ""
        self._secret = secret
        self._bot_api = BotApi(self.world, token)
        self._runner: web.AppRunner | None = None
        self._tasks: list[asyncio.Task[None]] = []

    def settle_in(self, group: str, member: str, language_code: str) -> None:
        """Found the first group with its first member and the bot, if the world is still empty."""
        if self.world.chats():
            return
        self.world.store.put("setting", "born", 0, {"at": self.clock.now()})
        first = self.world.new_member(member, language_code)
        chat = self.world.new_group(group, first)
        self.world.add_bot(chat, first)

    async def start(self, port: int) -> str:
        """Serve on 127.0.0.1 at this port or the next free one; returns the address of the page."""
        app = PageApi(self.world, self.clock, self.house).app(self._bot_api)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        bound = await _listen(self._runner, port)
        address = f"http://{_HOST}:{bound}"
        self.base_url = f"{address}/bot"
        self._tasks.append(asyncio.create_task(self.house.run()))
        return address

    def deliver_to(self, door: Door | None) -> None:
        """Begin to deliver updates."""
        courier = Courier(self.world, self.clock, door, secret=self._secret)
        self._tasks.append(asyncio.create_task(courier.run()))

    async def stop(self) -> None:
        """Stop everything and close the file; what was not delivered is delivered after the next start."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task
        self.house.close()
        if self._runner is not None:
            await self._runner.cleanup()
        self.world.close()


async def _listen(runner: web.AppRunner, port: int) -> int:
    for candidate in range(port, port + _PORTS_TRIED):
        try:
            await web.TCPSite(runner, _HOST, candidate).start()
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            continue
        return int(runner.addresses[0][1])
    raise OSError(errno.EADDRINUSE, f"no free port from {port} on")
