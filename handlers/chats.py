"""What is kept beside the tables: of a chat its table and choices, of a person its language and seat.

These rows are never part of a table's one write. Each changes by a conditional write of its own, which may be
repeated: the same change twice is the same.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine import RULE_BOOKS, OptionRefused
from handlers.record import Options, Person, Table
from handlers.table import Tables
from infra.ports import Item, Missing, Store

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
CHAT, PLAYER = "CHAT", "PLAYER"

Row = TypeVar("Row", "ChatRow", "PlayerRow")


class ChatRow(Struct, frozen=True, omit_defaults=True):
    """A chat (in a forum: a topic): its present table, its language, and what it played with last.

    topics: in the row of a whole forum, those that have had a table. moved_from: its id before it
    became a supergroup.
    """

    table: str = ""
    language: str = ""
    book: str = "classic"
    options: Options = {}
    specials: tuple[str, ...] | None = None
    idle: str = "remind"
    discipline: str = "off"
    topics: tuple[int, ...] = ()
    moved_from: int = 0


class PlayerRow(Struct, frozen=True, omit_defaults=True):
    """A person: may the bot write to him, his language if he chose one, the table he has a seat at."""

    reachable: bool = False
    language: str = ""
    claim: str = ""


class Chats:
    """Finds and opens tables, and knows chats and persons."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables
        tables.moved = self.move

    # Chats -----------------------------------------------------------------------------------------------

    def chat(self, chat: int, topic: int | None) -> ChatRow:
        """What is known of a chat."""
        return self._read(_chat_key(chat, topic), CHAT, ChatRow)

    def table_of(self, chat: int, topic: int | None) -> Table | None:
        """The chat's present table, open, running or over."""
        row = self.chat(chat, topic)
        return self._tables.load(row.table) if row.table else None

    def tables_of(self, chat: int) -> list[Table]:
        """The present tables of a chat and of all its topics."""
        tables = [self.table_of(chat, topic) for topic in (None, *self.chat(chat, None).topics)]
        return [table for table in tables if table is not None]

    def open(
        self, chat: int, topic: int | None, language: str, opener: Person, title: str, afresh: bool = False
    ) -> Table:
        """Open a table where none is open; the one that is there if somebody was faster.

        language: the group's where none was chosen. opener: the host, who has no seat yet. afresh: with the
        book's usual options, not with the chat's last choices.
        """
        key = _chat_key(chat, topic)
        before = self._store.get(key, CHAT)
        row = msgspec.json.decode(before.body, type=ChatRow) if before else ChatRow()
        last = row if not afresh and _can_still_be_played(row) else ChatRow(language=row.language)
        table = Table(
            id="".join(secrets.choice(ID_LETTERS) for _ in range(8)),
            chat=chat,
            topic=topic,
            title=title,
            language=row.language or language,
            opener=opener.user,
            opener_name=opener.name,
            token=secrets.token_hex(8),
            book=last.book,
            options=last.options,
            specials=last.specials,
            idle=last.idle,
            discipline=last.discipline,
            heard_at=self._tables.clock.now(),
        )
        self._tables.create(table)
        version = before.version + 1 if before else 1
        body = msgspec.json.encode(replace(row, table=table.id))
        faster = self._store.put(Item(key, CHAT, version, body))
        if topic is not None:
            self._change(_chat_key(chat, None), CHAT, ChatRow, lambda row: _with_topic(row, topic))
        if faster is None:
            return table
        theirs = self._tables.load(msgspec.json.decode(faster.body, type=ChatRow).table)
        return theirs if theirs is not None else table

    def keep_choices(self, table: Table) -> None:
        """Remember what a chat plays with: its next lobby begins so."""

        def kept(row: ChatRow) -> ChatRow:
            return replace(
                row,
                book=table.book,
                options=table.options,
                specials=table.specials,
                idle=table.idle,
                discipline=table.discipline,
            )

        self._change(_chat_key(table.chat, table.topic), CHAT, ChatRow, kept)

    def speak(self, chat: int, topic: int | None, language: str) -> None:
        """Let a chat have another language."""
        self._change(_chat_key(chat, topic), CHAT, ChatRow, lambda row: replace(row, language=language))

    def move(self, old: int, new: int) -> None:
        """A group has become a supergroup: its table is found from there too. Twice is the same."""
        row = replace(self.chat(old, None), moved_from=old)
        self._store.put(Item(_chat_key(new, None), CHAT, 1, msgspec.json.encode(row)))

    # Persons ---------------------------------------------------------------------------------------------

    def player(self, user: int) -> PlayerRow:
        """What is known of a person."""
        return self._read(player_key(user), PLAYER, PlayerRow)

    def met(self, user: int, reachable: bool) -> None:
        """Remember that the person has started, or blocked, the bot."""
        self._change(player_key(user), PLAYER, PlayerRow, lambda row: replace(row, reachable=reachable))

    def prefer(self, user: int, language: str) -> None:
        """Remember the language a person has chosen for himself."""
        self._change(player_key(user), PLAYER, PlayerRow, lambda row: replace(row, language=language))

    def claim(self, user: int, table: str) -> Table | None:
        """Claim the one seat a person may have for this table; the other table where he has one already.

        A claim is void as soon as its table is over or does not seat him.
        """
        elsewhere: Table | None = None

        def claimed(row: PlayerRow) -> PlayerRow:
            nonlocal elsewhere
            other = self._tables.load(row.claim) if row.claim and row.claim != table else None
            elsewhere = other if other is not None and other.phase != "over" and other.seat_of(user) else None
            return row if elsewhere is not None else replace(row, claim=table)

        self._change(player_key(user), PLAYER, PlayerRow, claimed)
        return elsewhere

    # Rows ------------------------------------------------------------------------------------------------

    def _read(self, key: str, sort: str, kind: type[Row]) -> Row:
        item = self._store.get(key, sort)
        return msgspec.json.decode(item.body, type=kind) if item else kind()

    def _change(self, key: str, sort: str, kind: type[Row], change: Callable[[Row], Row]) -> None:
        """Write a change on what is there, however often somebody else is faster."""
        item = self._store.get(key, sort)
        while True:
            row = msgspec.json.decode(item.body, type=kind) if item else kind()
            changed = change(row)
            if changed == row:
                return
            version = item.version + 1 if item else 1
            try:
                item = self._store.put(Item(key, sort, version, msgspec.json.encode(changed)))
            except Missing:
                item = None
                continue
            if item is None:
                return


def _with_topic(row: ChatRow, topic: int) -> ChatRow:
    return row if topic in row.topics else replace(row, topics=(*row.topics, topic))


def _can_still_be_played(row: ChatRow) -> bool:
    """Say whether the book, as it is by now, still has what the chat chose with an earlier one."""
    try:
        RULE_BOOKS[row.book].options(row.options)
    except (KeyError, OptionRefused):
        return False
    return row.specials is None or set(row.specials) <= set(RULE_BOOKS[row.book].choosable)


def _chat_key(chat: int, topic: int | None) -> str:
    return f"CHAT#telegram:{chat}" + (f":{topic}" if topic is not None else "")


def player_key(user: int) -> str:
    """The row key of a person."""
    return f"PLAYER#telegram:{user}"
