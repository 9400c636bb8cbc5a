"""What the game needs of the world around it: storage, timers, a clock and secrets.

A game is bytes with a version here. Every time is in epoch seconds, every duration in seconds.
"""

import builtins
from typing import Protocol

import msgspec


class Item(msgspec.Struct, frozen=True):
    """One stored row.

    `key` names what it is about ("TABLE#ab12cd34", "CHAT#telegram:-100…", "PLAYER#telegram:42"), `sort` the
    row of it ("TABLE", "GAME#1#03"). `version` is 1 for the first write and grows by one with each; anything
    less is a ValueError. `due` puts the row into the index that the sweep reads. From `expires` on the row
    counts as absent in every respect and may be deleted.
    """

    key: str
    sort: str
    version: int
    body: bytes
    due: float | None = None
    expires: float | None = None

    def __post_init__(self) -> None:
        if self.version < 1:
            raise ValueError("versions begin at 1")


class Missing(Exception):
    """A later version was to be written over a row that is not there: never written, or expired."""


class Store(Protocol):
    """Rows by key and sort. Calls block, and may come from several threads and processes at once.

    A call that returns from writing has made its row durable. Any exception but `Missing` leaves open whether
    the write took place: read again before deciding.
    """

    def get(self, key: str, sort: str) -> Item | None:
        """Return the row as the last finished write left it, or None."""
        ...

    def put(self, item: Item) -> Item | None:
        """Write `item` if its version follows the stored one (version 1: if nothing is stored).

        Returns None when it was written, otherwise the row that is there, read in the same step as the
        condition. Of several writers of one version exactly one wins. Raises `Missing`, and writes nothing,
        if `item.version` is above 1 and nothing is stored.
        """
        ...

    def put_same(self, item: Item) -> None:
        """Write `item` whatever is there: for rows that are the same bytes at every repetition."""
        ...

    def list(self, key: str, sort_prefix: str) -> builtins.list[Item]:
        """Return the rows of `key` whose sort begins so, in the order of the bytes of their sort.

        That order is of text: "GAME#10" comes before "GAME#9", so numbers are written with leading zeros.
        """
        ...

    def due(self, until: float, limit: int) -> builtins.list[str]:
        """Return the keys of at most `limit` rows with due ≤ `until`, oldest first, each key once.

        Rows without `due` are not named. The index may lag behind the rows by seconds, and name an expired one
        for as long as it is not deleted: it is a hint whom to look at, and the row says what is due.
        """
        ...


class WholeStore(Store, Protocol):
    """A store that can be searched, which an operator may do and a bot never needs."""

    def keys(self, prefix: str) -> builtins.list[str]:
        """Return the keys that begin so, each once, in no order. Reads every row there is."""
        ...


class Timers(Protocol):
    """Wake-ups for tables."""

    async def arm(self, key: str, at: float, serial: int) -> None:
        """Have the table with the row key `key` woken at `at` with the serial of the step it belongs to.

        It is never cancelled; the serial tells the woken that the step is over. It comes at `at` or later,
        perhaps twice, and in a breakdown not at all: then the sweep over `Store.due` finds the table.
        An instant that has passed means at once.
        """
        ...


class Clock(Protocol):
    """The present."""

    def now(self) -> float:
        """Return the present in epoch seconds."""
        ...


class Secrets(Protocol):
    """What must never be printed; the `repr` of an implementation shows nothing of it."""

    def telegram_token(self) -> str:
        """Return the token of the bot. Whoever knows it is the bot."""
        ...

    def webhook_secret(self) -> str:
        """Return what Telegram repeats in the header of each of its calls; compare it in constant time."""
        ...
