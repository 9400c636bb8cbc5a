"""The one place where the parts are put together: real ones here, other ones in tests."""

from __future__ import annotations

from dataclasses import dataclass
from secrets import token_bytes

from telegram import Bot

from handlers import clock as clock_doors
from handlers.chats import Chats
from handlers.table import Messenger, Tables
from handlers.telegram import menus
from handlers.telegram.client import Client
from handlers.telegram.desk import Desk
from handlers.telegram.door import Door
from handlers.telegram.screen import Screen
from infra.ports import Clock, Store, Timers


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


def telegram(store: Store, timers: Timers, clock: Clock, bot: Bot, secret: str, username: str) -> Moderator:
    """A moderator on Telegram. secret: what the webhook's header must say; username: the bot's, without @."""
    client = Client(bot)
    screen: Messenger = Screen(client, clock.now)
    tables = Tables(store, timers, clock, screen)
    desk = Desk(tables, Chats(store, tables), client, clock, username, lambda: token_bytes(32))
    return Moderator(Door(desk, secret), tables, client)
