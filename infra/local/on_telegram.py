"""Nightfall on the real Telegram, from one machine: long polling, SQLite, timers of this process."""

import asyncio
import re
import sys
from pathlib import Path
from secrets import token_urlsafe

from telegram import Bot
from telegram.error import InvalidToken, TelegramError

from handlers.wiring import Moderator, telegram
from infra.local.polling import Poller
from infra.local.timers import LocalTimers, SleepingClock
from infra.secrets import TOKEN_VARIABLE
from infra.sqlite import SqliteStore

_TOKEN = re.compile(r"\d+:[\w-]+", re.ASCII)
_WRONG_TOKEN = f"{TOKEN_VARIABLE} is not the token of a bot: copy it again from @BotFather."


class NotServedError(Exception):
    """Why nobody can be served, in a sentence for whoever started the process."""


def bot_of(token: str) -> Bot:
    """The bot with this token, or NotServedError if no token looks like that."""
    if not _TOKEN.fullmatch(token):
        raise NotServedError(_WRONG_TOKEN)
    return Bot(token)


async def serve_telegram(bot: Bot, folder: Path, clock: SleepingClock, stop: asyncio.Event) -> None:
    """Serve Telegram until told to stop; raises NotServedError if the bot cannot begin."""
    try:
        await _introduce(bot)
        store = SqliteStore(folder / "telegram.sqlite", clock)
        sys.stdout.write(_greeting(bot, folder))
        sys.stdout.flush()
        try:
            await _serve(bot, store, clock, stop)
        finally:
            store.close()
    finally:
        await bot.shutdown()


async def _introduce(bot: Bot) -> None:
    """Ask Telegram who the bot is. The library's errors quote the token: none of them goes on from here."""
    try:
        await bot.initialize()
    except InvalidToken:
        raise NotServedError(_WRONG_TOKEN) from None
    except TelegramError as error:
        raise NotServedError(f"Telegram cannot be reached ({type(error).__name__}): try again later.") from None


async def _serve(bot: Bot, store: SqliteStore, clock: SleepingClock, stop: asyncio.Event) -> None:
    moderator: Moderator | None = None

    async def wake(key: str, serial: int | None) -> None:
        if moderator is not None:
            await moderator.wake(key, serial)

    timers = LocalTimers(clock, wake, store)
    secret = token_urlsafe(24)
    moderator = telegram(store, timers, clock, bot, secret, bot.username)
    poller = Poller(bot, moderator.door.handle, secret, clock)
    await timers.start()
    await moderator.introduce()
    try:
        async with asyncio.TaskGroup() as group:
            polling = group.create_task(poller.run())
            await stop.wait()
            polling.cancel()
    finally:
        await timers.stop()


def _greeting(bot: Bot, folder: Path) -> str:
    lines = [
        f"Nightfall · @{bot.username} on Telegram",
        f"add it to a group: https://t.me/{bot.username}?startgroup=new   then write /newgame there",
    ]
    if not bot.can_join_groups:
        lines.append("it may not join groups yet: allow it with /setjoingroups of @BotFather")
    lines.append(f"data: {folder}   (Ctrl-C stops, nothing is lost)")
    return "\n" + "".join(f"  {line}\n" for line in lines) + "\n"
