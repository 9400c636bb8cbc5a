"""Which table is a chat's, and what is known of a person: small rows beside the tables."""

from __future__ import annotations

import secrets
from typing import TypeVar

import msgspec
from msgspec import Struct

from handlers.record import Table
from handlers.table import Tables
from infra.ports import Item, Store

T = TypeVar("T")

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
POINTER, PLAYER = "CHAT", "PLAYER"


class Pointer(Struct, frozen=True, omit_defaults=True):
    """The table of a chat (in a forum: of a topic)."""

    table: str


class Player(Struct, frozen=True, omit_defaults=True):
    """A person: whether the bot may write to him."""

    reachable: bool = False


class Chats:
    """Finds and opens tables."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables

    def table_of(self, chat: int, topic: int | None) -> Table | None:
        """The chat's present table, open, running or over."""
        item = self._store.get(_chat_key(chat, topic), POINTER)
        return self._tables.load(_read(item, Pointer).table) if item else None

    def open(self, chat: int, topic: int | None, language: str, opener: int) -> Table:
        """Open a table where none is open; the one that is there if somebody was faster."""
        key = _chat_key(chat, topic)
        before = self._store.get(key, POINTER)
        table = Table(
            id="".join(secrets.choice(ID_LETTERS) for _ in range(8)),
            chat=chat,
            topic=topic,
            language=language,
            opener=opener,
            token=secrets.token_hex(8),
        )
        self._tables.create(table)
        version = before.version + 1 if before else 1
        faster = self._store.put(Item(key, POINTER, version, msgspec.json.encode(Pointer(table.id))))
        if faster is None:
            return table
        theirs = self._tables.load(_read(faster, Pointer).table)
        return theirs if theirs is not None else table

    def move(self, old: int, new: int) -> None:
        """A group has become a supergroup: its table is found from there too. Twice is the same."""
        item = self._store.get(_chat_key(old, None), POINTER)
        if item is not None:
            self._store.put(Item(_chat_key(new, None), POINTER, 1, item.body))

    def is_reachable(self, user: int) -> bool:
        """Say whether the person has opened a chat with the bot, as far as is known."""
        item = self._store.get(_player_key(user), PLAYER)
        return item is not None and _read(item, Player).reachable

    def met(self, user: int, reachable: bool) -> None:
        """Remember that the person has started, or blocked, the bot."""
        key = _player_key(user)
        while True:
            item = self._store.get(key, PLAYER)
            if item is not None and _read(item, Player).reachable == reachable:
                return
            version = item.version + 1 if item else 1
            if self._store.put(Item(key, PLAYER, version, msgspec.json.encode(Player(reachable)))) is None:
                return


def _chat_key(chat: int, topic: int | None) -> str:
    return f"CHAT#telegram:{chat}" + (f":{topic}" if topic is not None else "")


def _player_key(user: int) -> str:
    return f"PLAYER#telegram:{user}"


def _read(item: Item, kind: type[T]) -> T:
    return msgspec.json.decode(item.body, type=kind)
