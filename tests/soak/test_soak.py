"""A few hundred games under faults, of every book in every weather; and that the checks would see what is wrong.

`make soak` plays many more (docs/soak.md).
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine import RULE_BOOKS
from handlers.record import Table
from handlers.table import Tables
from handlers.telegram.client import Called, Client, Said
from infra.ports import Item
from tests.soak import checks, game, run
from tests.soak.rows import MemoryStore
from tests.soak.weather import KINDS, Case

SEEDS = (1, 2, 3)


@pytest.mark.parametrize("book", RULE_BOOKS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_table_comes_to_its_end_in_every_weather(book: str, seed: int) -> None:
    """The committed commands make the state, the end is as undisturbed, nothing is lost, nothing leaks."""
    for kind in run.ALL:
        # A short game may be over before anything befalls it; then another one has its turn.
        for number in range(seed, seed + 400, 100):
            case = Case(book, RULE_BOOKS[book].fewest, number, kind)
            found, faults = run.judge(case)
            assert found == [], f"python -m tests.soak --replay {case}"
            if faults or kind in ("calm", "migration"):
                break
        else:
            pytest.fail(f"nothing befalls a game in {kind}")


def test_the_same_case_is_the_same_game() -> None:
    case = Case("lupusburg", 4, 1, "chaos")
    assert run.judge(case) == run.judge(case)


def test_where_one_has_stopped_one_goes_on() -> None:
    whole = [case for case, _ in zip(run.cases(7), range(80), strict=False)]
    rest = [case for case, _ in zip(run.cases(7, since=25), range(55), strict=False)]
    assert whole[25:] == rest
    assert {case.book for case in whole} >= {"classic", "lupusburg"}


# The checks see what is wrong ------------------------------------------------------------------------------


def _lost_update(patch: pytest.MonkeyPatch) -> None:
    """Writes that do not look whether another one came first."""

    def put(self: MemoryStore, item: Item) -> None:
        there = self.get(item.key, item.sort)
        self.put_same(replace(item, version=there.version + 1) if there else item)

    patch.setattr(MemoryStore, "put", put)


def _tick_before_sending(patch: pytest.MonkeyPatch) -> None:
    """Effects are taken off the record in the write that brings them."""
    lease = Tables._lease

    def hasty(self: Tables, table: Table, *rest: Any) -> Table:
        leased = lease(self, table, *rest)
        return replace(leased, outbox=()) if len(leased.outbox) > 2 else leased

    patch.setattr(Tables, "_lease", hasty)


def _half_sent(patch: pytest.MonkeyPatch) -> None:
    """What was refused for now is taken for sent."""
    send = Client._send

    async def careless(self: Client, *given: Any) -> Called:
        called = await send(self, *given)
        return Called(Said.BAD) if called.said is Said.LATER else called

    patch.setattr(Client, "_send", careless)


@pytest.mark.parametrize(
    ("plant", "kind"),
    [
        (_lost_update, "conflicts"),
        (_tick_before_sending, "kills"),
        (_half_sent, "later"),
    ],
)
def test_a_bug_is_seen(plant: Any, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case("handbook", 8, 1, kind)
    checks.undisturbed(case.undisturbed)
    plant(monkeypatch)
    # What is stuck is to be seen soon.
    monkeypatch.setattr(game, "MOST_EVENTS", 1500)
    assert run.judge(case)[0]


def test_every_kind_of_fault_has_a_weather() -> None:
    assert {"kills", "triggers", "timers", "conflicts", "store", "network", "migration", "deployment"} <= set(
        KINDS
    )
