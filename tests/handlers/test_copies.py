"""A vote is one round trip to the store; and nothing is answered from what may be behind it."""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec.structs import replace

from handlers.copies import Copies
from handlers.record import Budget, Receipt, Table, pack
from infra.ports import Item
from tests.handlers.stores import Wrapped
from tests.handlers.test_presses import at_a_ballot, vote
from tests.handlers.town import MOMENT, Town, public, say


class Counted(Wrapped):
    """Counts what was read, by key."""

    def __init__(self, store: Any) -> None:
        super().__init__(store)
        self.read: list[str] = []

    def get(self, key: str, sort: str) -> Item | None:
        self.read.append(key)
        return super().get(key, sort)


async def cast(here: Town, seat: int, answer: int | str) -> tuple[str, list[str], int]:
    """One vote: what it was answered, what was read for it, how often was written."""
    assert isinstance(here.store, Counted)
    query = vote(here, seat, answer)
    reads, puts = len(here.store.read), here.store.puts
    await here.courier.settle()
    read, written = here.store.read[reads:], here.store.puts - puts
    return here.answer(query)["text"], read, written


def voted(here: Town, seat: int) -> str:
    return say("reply.voted", seat=f"{seat} {here.table().person(seat).name}")


def test_a_vote_is_one_round_trip_and_one_that_sends_is_two() -> None:
    async def play() -> None:
        async with at_a_ballot(12, 3, store=Counted, options={"vote_s": 3600}) as here:
            here.change(budget=Budget())
            step = public(here).step
            assert step is not None
            target = int(step.candidates[0])
            await cast(here, step.voters[0], target)
            costs = [await cast(here, seat, target) for seat in step.voters[1:5]]
            assert {text for text, _, _ in costs} == {voted(here, target)}
            assert [(reads, writes) for _, reads, writes in costs] == 4 * [([], 1)]
            await here.pass_time(6.0)
            here.clock.advance(10.0)
            _, reads, writes = await cast(here, step.voters[5], target)
            assert (reads, writes) == ([], 2), "it edits the counter"

    asyncio.run(play())


def test_a_press_that_changes_nothing_is_judged_on_what_is_stored() -> None:
    async def play() -> None:
        async with at_a_ballot(12, 3, store=Counted) as here:
            step = public(here).step
            assert step is not None
            target = int(step.candidates[0])
            await cast(here, step.voters[0], target)
            here.change(phase="over")
            text, reads, writes = await cast(here, step.voters[0], target)
            assert text == say("reply.over")
            assert writes <= 1
            assert len(reads) <= 1

    asyncio.run(play())


def test_a_vote_counts_although_another_process_has_written_meanwhile() -> None:
    async def play() -> None:
        async with at_a_ballot(12, 3, store=Counted) as here:
            step = public(here).step
            assert step is not None
            target = int(step.candidates[0])
            await cast(here, step.voters[0], target)
            here.change(title="written by another process")
            text, reads, writes = await cast(here, step.voters[1], target)
            assert (text, reads, writes) == (voted(here, target), [], 2)
            assert here.table().title == "written by another process"
            after = public(here).step
            assert after is not None
            assert set(after.voted) == set(step.voters[:2])

    asyncio.run(play())


TABLE = Table(id="ab12cd34", chat=-1, language="en", opener=1)
RECEIPT = Receipt("c1", None, 0)


def row(version: int, name: str = "TABLE#ab12cd34") -> Item:
    return Item(name, "TABLE", version, pack(TABLE))


def test_a_copy_serves_until_the_clock_looks_at_its_table() -> None:
    copies = Copies()
    assert copies.find("TABLE#ab12cd34", "c1", MOMENT) is None
    copies.keep(row(3), TABLE, MOMENT + 10)
    assert copies.find("TABLE#ab12cd34", "c1", MOMENT + 9) == row(3)
    assert copies.find("TABLE#ab12cd34", "c1", MOMENT + 10) is None
    assert copies.find("TABLE#ab12cd34", "", MOMENT) is None, "the clock comes to another process"


def test_no_copy_serves_a_trigger_that_comes_again() -> None:
    copies = Copies()
    copies.keep(row(3), replace(TABLE, receipts=(RECEIPT,)), None)
    assert copies.find("TABLE#ab12cd34", RECEIPT.trigger, MOMENT) is None
    assert copies.find("TABLE#ab12cd34", "c2", MOMENT) is not None


def test_few_tables_are_kept_and_the_newest_row_of_each() -> None:
    copies = Copies()
    for number in range(100):
        copies.keep(row(1, name=f"TABLE#{number}"), TABLE, None)
    copies.keep(row(2, name="TABLE#99"), TABLE, None)
    found = [number for number in range(100) if copies.find(f"TABLE#{number}", "c1", MOMENT)]
    assert found == list(range(68, 100))
    newest = copies.find("TABLE#99", "c1", MOMENT)
    assert newest is not None
    assert newest.version == 2
    copies.forget("TABLE#99")
    assert copies.find("TABLE#99", "c1", MOMENT) is None
