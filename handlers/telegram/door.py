"""The webhook door: from an update to what it is about, and from its outcome to the answer of the request.

Only three things are answered with 5xx: what is not durable yet, what ran out of time with effects left, and
what waits for somebody else's lease. All else – what is not ours, bad input, a chat that cannot be written to –
is 200 and handled: an error would block the chat's updates.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping

from telegram import Message
from telegram.constants import ChatType

from handlers.telegram import commands, presses, service, serving, shape
from handlers.telegram.desk import OK, Answer, Desk

SECRET_HEADER = "x-telegram-bot-api-secret-token"  # noqa: S105 - the header's name


class Door:
    """Takes the updates of one bot. secret: what the header of every request must say."""

    def __init__(self, desk: Desk, secret: str) -> None:
        self._desk = desk
        self._secret = secret

    async def handle(self, headers: Mapping[str, str], body: bytes) -> Answer:
        """Deal with one update."""
        if not hmac.compare_digest(_header(headers, SECRET_HEADER).encode(), self._secret.encode()):
            return Answer(401)
        update = shape.read(body)
        if update is None:
            return OK
        if not serving.is_served(self._desk, update):
            return await serving.turn_away(self._desk, update)
        if update.callback_query is not None:
            return await presses.press(self._desk, update.callback_query)
        if update.message is not None:
            return await self._message(update.message)
        if update.my_chat_member is not None:
            return await service.bot_status(self._desk, update.my_chat_member)
        return OK

    async def _message(self, message: Message) -> Answer:
        if service.is_service(message):
            return await service.service(self._desk, message)
        if message.chat.type != ChatType.PRIVATE and not (message.text or "").startswith("/"):
            return await service.discipline(self._desk, message)
        return await commands.command(self._desk, message)


def _header(headers: Mapping[str, str], name: str) -> str:
    """A header by its name in small letters, however it was written."""
    return next((value for written, value in headers.items() if written.lower() == name), "")
