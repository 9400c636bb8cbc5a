"""What an operator does to a deployment beside its games: no new tables, and forgetting a person."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from handlers.chats import PLAYER, PlayerRow, player_key
from handlers.record import SORT, Person, Table, pack, unpack
from infra.ports import Item, Store, WholeStore

_KEY, _SORT = "OPERATOR", "DRAIN"
_TABLES = "TABLE#"


class _Drain(Struct, frozen=True):
    """The row that says whether new tables may be opened."""

    on: bool


def is_draining(store: Store) -> bool:
    """Say whether an operator lets no new tables be opened."""
    item = store.get(_KEY, _SORT)
    return item is not None and msgspec.json.decode(item.body, type=_Drain).on


def drain(store: Store, on: bool) -> None:
    """Let no new tables be opened, or let them again; those that are open go on."""
    store.put_same(Item(_KEY, _SORT, 1, msgspec.json.encode(_Drain(on))))


def open_tables(store: Store, most: int) -> int:
    """How many tables are open, counted up to `most`: they all have something due."""
    return len(store.due(float("inf"), most))


class Forgotten(Struct, frozen=True):
    """What forgetting a person came to. tables: of finished games, without his name now; still: open ones."""

    known: bool
    tables: tuple[str, ...]
    still: tuple[str, ...]


def forget(store: WholeStore, user: int) -> Forgotten:
    """Forget a person. At an open table he is still needed: then that one is named, and nothing else is kept."""
    key = player_key(user)
    known = store.get(key, PLAYER) is not None
    # A row that has expired is absent from now on, and deleted by the store in its own time.
    store.put_same(Item(key, PLAYER, 1, msgspec.json.encode(PlayerRow()), expires=0.0))
    tables, still = [], []
    for item in _tables_of(store, user):
        if unpack(item.body).phase != "over":
            still.append(item.key.removeprefix(_TABLES))
        elif _without(store, item, user):
            tables.append(item.key.removeprefix(_TABLES))
    return Forgotten(known, tuple(tables), tuple(still))


def _tables_of(store: WholeStore, user: int) -> Iterator[Item]:
    for key in store.keys(_TABLES):
        item = store.get(key, SORT)
        if item is not None and _is_named(unpack(item.body), user):
            yield item


def _is_named(table: Table, user: int) -> bool:
    return user == table.opener or user in table.joined or table.seat_of(user) > 0


def _without(store: Store, item: Item, user: int) -> bool:
    """Write a finished table without him; whoever writes meanwhile has opened it again, or is still sending."""
    table = unpack(item.body)
    left = replace(
        table,
        opener=0 if table.opener == user else table.opener,
        opener_name="" if table.opener == user else table.opener_name,
        people=tuple(Person(0, "", p.language) if p.user == user else p for p in table.people),
        joined=tuple(0 if other == user else other for other in table.joined),
        receipts=tuple(r for r in table.receipts if not r.trigger.startswith(f"m{user}.")),
    )
    return store.put(replace(item, version=item.version + 1, body=pack(left))) is None
