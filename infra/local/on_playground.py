"""Nightfall on one machine without Telegram: the playground stands in for it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from secrets import token_hex, token_urlsafe

from telegram import Bot

from handlers import buttons
from handlers.wiring import Moderator, telegram
from infra.local.house import Button
from infra.local.playground import Playground
from infra.local.timers import LocalTimers
from infra.sqlite import SqliteStore

NOT_FOR_THE_HOUSE = (
    *buttons.OF_THE_LOBBY,
    *buttons.OPENING,
    *buttons.OF_THE_RULES,
    buttons.CHECK,
    buttons.CARD,
)


def plays(button: Button) -> bool:
    """Say whether a button answers one of the game's own questions."""
    data = buttons.parse(button.data)
    return data is not None and data.code not in NOT_FOR_THE_HOUSE


def joins(button: Button) -> bool:
    """Say whether a button takes a seat."""
    data = buttons.parse(button.data)
    return data is not None and data.code == buttons.JOIN


async def serve_playground(folder: Path, port: int, stop: asyncio.Event) -> None:
    """Serve the playground until told to stop."""
    token, secret = f"7000000001:{token_hex(17)}", token_urlsafe(24)
    playground = Playground(
        folder / "playground.sqlite", token=token, secret=secret, worth_pressing=plays, joins=joins
    )
    playground.settle_in("狼人杀 · 周五夜", "甲", "zh-hans")
    address = await playground.start(port)
    store = SqliteStore(folder / "nightfall.sqlite", playground.clock)
    moderator: Moderator | None = None

    async def wake(key: str, serial: int | None) -> None:
        if moderator is not None:
            await moderator.wake(key, serial)

    timers = LocalTimers(playground.clock, wake, store)
    bot = Bot(token, base_url=playground.base_url)
    moderator = telegram(store, timers, playground.clock, bot, secret, playground.world.bot.username)
    await moderator.introduce()
    playground.deliver_to(moderator.door.handle)
    await timers.start()
    sys.stdout.write(f"\n  Nightfall · {address}\n  data: {folder}   (Ctrl-C stops, nothing is lost)\n\n")
    sys.stdout.flush()
    await stop.wait()
    await timers.stop()
    await playground.stop()
    await bot.shutdown()
    store.close()
