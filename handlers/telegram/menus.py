"""The menus of commands: English where nothing else is known, Chinese by the client's language.

A client says only `zh`, which stands for Simplified; Traditional is set for the chats that have chosen it.
"""

from __future__ import annotations

from collections.abc import Sequence

from telegram import BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats, BotCommandScopeChat

from handlers import languages
from handlers.telegram.client import Client
from handlers.telegram.paper import Html
from handlers.wording import keys, texts
from handlers.wording.scribe import Scribe

_CODES = {"en": "", "zh_Hans": "zh"}


def _commands(language: str, names: Sequence[str]) -> list[tuple[str, str]]:
    scribe = Scribe(language, (), Html(), 0.0)
    return [(name, scribe.say(f"command.{name}")) for name in names]


async def publish(client: Client) -> None:
    """Set the menus of all groups and all private chats."""
    for language, code in _CODES.items():
        groups = _commands(language, keys.COMMANDS)
        await client.menu(groups, BotCommandScopeAllGroupChats(), code)
        privately = _commands(language, texts.IN_PRIVATE)
        await client.menu(privately, BotCommandScopeAllPrivateChats(), code)


async def of_chat(client: Client, chat: int, language: str, private: bool) -> None:
    """Set the menu of one chat in the language it has chosen."""
    if language in languages.LANGUAGES:
        names = texts.IN_PRIVATE if private else keys.COMMANDS
        await client.menu(_commands(language, names), BotCommandScopeChat(chat))
