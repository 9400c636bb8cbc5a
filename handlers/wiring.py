"""The one place where the parts are put together: real ones here, other ones in tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from secrets import token_bytes

from telegram import Bot

from handlers import clock as clock_doors
from handlers.chats import Chats
from handlers.table import Messenger, Tables
from handlers.telegram import menus, serving
from handlers.telegram.calls import Calls
from handlers.telegram.client import Client
from handlers.telegram.desk import Desk, Served
from handlers.telegram.door import Door
from handlers.telegram.screen import Screen
from infra.ports import Clock, Store, Timers
from infra.secrets import EnvSecrets

TELEGRAM_API = "https://api.telegram.org"
ALL = Served()


@dataclass(frozen=True)
class Moderator:
    """A running bot: the door for Telegram's updates, and the one for wake-ups."""

    door: Door
    tables: Tables
    client: Client

    async def introduce(self) -> None:
        """Set the menus of commands; once for each release is enough."""
        await menus.publish(self.client)

    async def wake(self, key: str, _serial: int | None) -> None:
        """Wake the table with this row key; what it was armed for does not matter: the table knows."""
        await clock_doors.wake(self.tables, key)


def telegram(
    store: Store, timers: Timers, clock: Clock, bot: Bot, secret: str, username: str, served: Served = ALL
) -> Moderator:
    """A moderator on Telegram. secret: what the webhook's header must say; username: the bot's, without @."""
    client = Client(bot)
    screen: Messenger = Screen(client, clock.now)
    tables = Tables(store, timers, clock, screen)
    desk = Desk(tables, Chats(store, tables), client, clock, username, lambda: token_bytes(32), served)
    return Moderator(Door(desk, secret), tables, client)


def cloud(
    environ: Mapping[str, str], secrets: EnvSecrets, store: Store, timers: Timers, clock: Clock
) -> Moderator:
    """A moderator in a function of the cloud. environ: its settings."""
    calls = Calls()
    address = environ.get("TELEGRAM_API") or TELEGRAM_API
    # Both kinds of requests by the same client: each would load the certificates anew.
    bot = Bot(secrets.telegram_token(), f"{address}/bot", request=calls, get_updates_request=calls)
    served = serving.read(environ)
    return telegram(store, timers, clock, bot, secrets.webhook_secret(), secrets.username(), served)
