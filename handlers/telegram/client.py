"""The calls to Telegram. What it answers comes back as a value; its errors never carry the address out of here.

The address of every call holds the bot's token, and so does the text of the HTTP client's errors: they are
caught here, and only what kind they were goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct
from telegram import Bot, BotCommandScope, ChatMemberRestricted, InlineKeyboardMarkup, LinkPreviewOptions
from telegram.constants import ParseMode
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from handlers.telegram.pages import pages

_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


TOKEN_WAIT_S = 30.0
"""Seconds to wait when Telegram does not know the bot: a token that was changed loses no message."""


class Said(Enum):
    """What Telegram said to a call."""

    OK = "ok"
    SAME = "same"
    FORBIDDEN = "forbidden"
    BAD = "bad"
    LATER = "later"
    MOVED = "moved"
    LOST = "lost"


class Called(Struct, frozen=True):
    """The outcome of a call. message: of a new message. wait: seconds. moved_to: the chat's new id."""

    said: Said
    message: int | None = None
    wait: float = 0.0
    moved_to: int | None = None


class Client:
    """Sends, edits and answers as the bot. It never waits and never tries again by itself."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def send(
        self,
        chat: int,
        text: str,
        keyboard: InlineKeyboardMarkup | None = None,
        topic: int | None = None,
        protect: bool = False,
    ) -> Called:
        """Send a message. A private one of a running game is protected: a forwarded card would prove a role.

        A text that is too long goes out as several messages, the keyboard under the last, whose id comes back.
        """
        *before, last = pages(text)
        for page in before:
            called = await self._send(chat, page, None, topic, protect)
            if called.said is not Said.OK:
                return called
        return await self._send(chat, last, keyboard, topic, protect)

    async def _send(
        self, chat: int, text: str, keyboard: InlineKeyboardMarkup | None, topic: int | None, protect: bool
    ) -> Called:
        try:
            message = await self._bot.send_message(
                chat,
                text,
                parse_mode=ParseMode.HTML,
                reply_markup=keyboard,
                message_thread_id=topic,
                protect_content=protect,
                link_preview_options=_NO_PREVIEW,
            )
        except TelegramError as error:
            return _called(error)
        return Called(Said.OK, message=message.message_id)

    async def edit(
        self, chat: int, message: int, text: str, keyboard: InlineKeyboardMarkup | None = None
    ) -> Called:
        """Replace a message's text and keyboard."""
        try:
            await self._bot.edit_message_text(
                text,
                chat,
                message,
                parse_mode=ParseMode.HTML,
                reply_markup=keyboard,
                link_preview_options=_NO_PREVIEW,
            )
        except TelegramError as error:
            return _called(error)
        return Called(Said.OK)

    async def keyboard(self, chat: int, message: int, keyboard: InlineKeyboardMarkup | None) -> Called:
        """Replace a message's keyboard, or take it off."""
        try:
            await self._bot.edit_message_reply_markup(chat, message, reply_markup=keyboard)
        except TelegramError as error:
            return _called(error)
        return Called(Said.OK)

    async def status(self, chat: int, user: int) -> str | None:
        """What somebody is in a chat: `creator`, `administrator`, `member` …; None if Telegram does not say."""
        try:
            member = await self._bot.get_chat_member(chat, user)
        except TelegramError:
            return None
        # Somebody restricted may have left: then only this says so.
        gone = isinstance(member, ChatMemberRestricted) and not member.is_member
        return "left" if gone else str(member.status)

    async def delete(self, chat: int, message: int) -> Called:
        """Delete somebody's message; only an admin that may can."""
        try:
            await self._bot.delete_message(chat, message)
        except TelegramError as error:
            return _called(error)
        return Called(Said.OK)

    async def leave(self, chat: int) -> Called:
        """Go out of a group."""
        try:
            await self._bot.leave_chat(chat)
        except TelegramError as error:
            return _called(error)
        return Called(Said.OK)

    async def menu(self, commands: Sequence[tuple[str, str]], scope: BotCommandScope, code: str = "") -> Called:
        """Set the menu of commands: names with a line each. code: of a client's language; empty for all others."""
        try:
            await self._bot.set_my_commands(commands, scope, language_code=code or None)
        except TelegramError as error:
            return _called(error)
        return Called(Said.OK)

    async def answer(self, query: str, text: str, alert: bool = False, url: str = "") -> Called:
        """Answer a press. Too late is no failure: the client has stopped waiting by then."""
        try:
            await self._bot.answer_callback_query(query, text or None, show_alert=alert, url=url or None)
        except TelegramError as error:
            return _called(error)
        return Called(Said.OK)


def _called(error: TelegramError) -> Called:
    match error:
        case RetryAfter():
            wait = error.retry_after
            return Called(Said.LATER, wait=float(wait if isinstance(wait, int) else wait.total_seconds()))
        case ChatMigrated():
            return Called(Said.MOVED, moved_to=error.new_chat_id)
        case Forbidden():
            return Called(Said.FORBIDDEN)
        case BadRequest():
            return Called(Said.SAME if "not modified" in error.message else Said.BAD)
        case NetworkError():
            return Called(Said.LOST)
        case InvalidToken():
            return Called(Said.LATER, wait=TOKEN_WAIT_S)
    return Called(Said.BAD)
