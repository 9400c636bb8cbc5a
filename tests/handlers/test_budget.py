"""What a game costs: the group's twenty messages and twenty edits a minute, and the size of what is stored."""

from __future__ import annotations

import asyncio
import re
from itertools import pairwise

import pytest

from handlers.counters import next_count
from handlers.record import Budget
from tests.handlers.meter import Meter, cost_of
from tests.handlers.test_presses import at_a_ballot, vote
from tests.handlers.town import public

MOST_A_MINUTE = 20
COUNTER_EVERY = 5.0
COUNTERS_A_STEP = 8


@pytest.mark.parametrize(
    ("book", "members", "seed"),
    [("classic", 8, 1), ("classic", 12, 1), ("classic", 18, 3), ("elder", 18, 1), ("lupusburg", 8, 1)],
)
def test_a_game_stays_within_what_a_group_may_take(book: str, members: int, seed: int) -> None:
    cost = asyncio.run(cost_of(members, seed, book))
    assert cost.busiest_sends <= MOST_A_MINUTE
    assert cost.busiest_edits <= MOST_A_MINUTE
    assert cost.refused == 0
    assert cost.writes <= 3 * cost.presses + cost.group_sends + cost.group_edits
    assert cost.game_raw < 16 * 1024
    assert cost.record < 6 * 1024


def test_counters_are_edited_every_five_seconds_at_most_and_the_last_count_appears() -> None:
    async def play() -> None:
        async with at_a_ballot(18, 3) as here:
            # What the lobby has cost a moment ago would hold the counter up till the next minute.
            here.change(budget=Budget())
            meter = Meter(here)
            step = public(here).step
            assert step is not None
            for seat in step.voters[:-1]:
                vote(here, seat, step.candidates[0])
                await here.pass_time(2.0)
            edits = meter.instants(here.group, sends=False)
            assert len(edits) > 2
            assert min(b - a for a, b in pairwise(edits)) >= COUNTER_EVERY
            await here.pass_time(next_count(here.table()) - here.clock.now() + 1.0)
            text = here.newest(here.group)["text"]
            assert re.search(rf"\b{len(step.voters) - 1}/{len(step.voters)}\b", text)
            assert not here.table().count.behind

    asyncio.run(play())


def test_a_counter_is_edited_eight_times_a_step_at_most() -> None:
    async def play() -> None:
        async with at_a_ballot(18, 3, options={"vote_s": 3600}) as here:
            step = public(here).step
            assert step is not None
            here.change(budget=Budget())
            meter = Meter(here)
            for voter in step.voters[:-1]:
                vote(here, voter, step.candidates[0])
                await here.pass_time(31.0)
            edits = meter.instants(here.group, sends=False)
            assert len(edits) == COUNTERS_A_STEP

    asyncio.run(play())
