"""The shape an update must have before anything is done with it: it comes from outside and is not trusted."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Struct
from telegram import Update

from infra.log import log

Id = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
"""The Bot API promises that ids fit into 52 bits and a sign."""


class _User(Struct):
    id: Id
    is_bot: bool
    first_name: str
    last_name: str = ""
    language_code: str | None = None


class _Chat(Struct):
    id: Id
    type: str
    title: str | None = None


class _Message(Struct):
    message_id: Id
    chat: _Chat
    user: _User | None = msgspec.field(default=None, name="from")
    text: str | None = None
    message_thread_id: Id | None = None
    migrate_to_chat_id: Id | None = None
    migrate_from_chat_id: Id | None = None


class _Query(Struct):
    id: str
    user: _User = msgspec.field(name="from")
    data: str | None = None
    message: _Message | None = None


class _Member(Struct):
    status: str
    user: _User


class _Membership(Struct):
    chat: _Chat
    old_chat_member: _Member
    new_chat_member: _Member
    user: _User = msgspec.field(name="from")


class _Update(Struct):
    """What is read of an update, in the types that it must have."""

    message: _Message | None = None
    callback_query: _Query | None = None
    my_chat_member: _Membership | None = None


_SHAPE = msgspec.json.Decoder(_Update)
_UNREADABLE = (
    msgspec.DecodeError,
    RecursionError,
    OverflowError,
    LookupError,
    TypeError,
    ValueError,
    OSError,
    AttributeError,
)
"""What the libraries raise at what is no update."""


def read(body: bytes) -> Update | None:
    """The update; None for what is none, or is not in the shape that the Bot API describes."""
    try:
        _SHAPE.decode(body)
        return Update.de_json(msgspec.json.decode(body), None)
    except _UNREADABLE as error:
        log("update_unreadable", error=error)
        return None
