"""Time: nobody has to write for it to pass, and whoever comes after a deadline finds it passed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from handlers import buttons
from handlers.record import Table, unpack
from infra.ports import Item, Store
from tests.handlers.script import Script
from tests.handlers.stores import Wrapped
from tests.handlers.test_presses import at_a_ballot, vote
from tests.handlers.town import Town, open_step, public, say, town

SPEECH_S = 100.0


@asynccontextmanager
async def at_the_first_speech() -> AsyncIterator[Town]:
    """A town in which a seat has just been given the floor."""
    async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
        await here.begin(options={"speech": "turns"})
        await Script(here, 2).until(lambda: (step := public(here).step) is not None and step.kind == "speech")
        yield here


@pytest.mark.parametrize("noise", ["silence", "chatter", "presses"])
def test_a_speech_of_100_seconds_ends_after_100_seconds(noise: str) -> None:
    async def play() -> None:
        async with at_the_first_speech() as here:
            first = open_step(here)
            began, speaker = here.clock.now(), first.speaker
            assert first.deadline == began + SPEECH_S
            others = [member for member in here.members if here.table().seat_of(member) != speaker]
            spoken = [speaker]
            for second in range(1, 320):
                await here.pass_time(1.0)
                if noise == "chatter":
                    here.world.say(others[second % 7], here.group, f"/hello@{here.world.bot.username}")
                if noise == "presses" and second % 3 == 0:
                    newest = here.newest(here.group)
                    here.press(others[second % 7], here.group, newest, buttons.CARD)
                    floor = open_step(here)
                    user = next(m for m in here.members if here.table().seat_of(m) != floor.speaker)
                    here.press(user, here.group, newest, buttons.FLOOR)
                step = open_step(here)
                if step.kind == "speech" and step.speaker != spoken[-1]:
                    assert abs(here.clock.now() - began - SPEECH_S * len(spoken)) <= 2.0
                    spoken.append(step.speaker)
            assert spoken == [speaker, *first.after][: len(spoken)]
            assert len(spoken) == 4
            await here.deliver()
            assert here.unanswered() == []
            called = [found for text in here.texts(here.group) for found in re.findall(r"🗣 (\d+) .* 发言", text)]
            assert [int(seat) for seat in called] == spoken

    asyncio.run(play())


def test_who_has_said_everything_passes_the_floor_on_at_once() -> None:
    async def play() -> None:
        async with at_the_first_speech() as here:
            first = open_step(here)
            user = here.table().person(first.speaker).user
            query = here.press(user, here.group, here.newest(here.group), buttons.FLOOR)
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.speech.end")
            assert open_step(here).speaker == first.after[0]
            assert open_step(here).deadline == here.clock.now() + SPEECH_S

    asyncio.run(play())


class Written(Wrapped):
    """Keeps what is written."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.items: list[Item] = []

    def put(self, item: Item) -> Item | None:
        self.items.append(item)
        return super().put(item)


def written(here: Town) -> list[Table]:
    assert isinstance(here.store, Written)
    return [unpack(item.body) for item in here.store.items if item.sort == "TABLE"]


@pytest.mark.parametrize("late", [0.0, 0.5, 300.0])
def test_a_press_at_the_deadline_finds_it_passed(late: float) -> None:
    """The clock's decision and the press's are one write; no timer has come."""

    async def play() -> None:
        async with at_a_ballot(store=Written) as here:
            assert isinstance(here.store, Written)
            step = open_step(here)
            vote(here, step.voters[0], step.voters[0])
            await here.deliver()
            here.timers.pending.clear()
            here.clock.advance(step.deadline + late - here.clock.now())
            here.store.items.clear()
            query = vote(here, step.voters[1], step.voters[1])
            await here.courier.settle()
            assert here.answer(query)["text"] == say("reply.stale")
            first, *ticks = written(here)
            assert first.receipt(f"c{query}") is not None
            assert all(table.game == first.game for table in ticks)
            assert open_step(here).name == "vote.lynch"
            assert open_step(here).deadline == here.clock.now() + 60.0
            result = next(text for text in here.texts(here.group) if "警长：" in text)
            assert f"{step.voters[0]} " in result
            assert "1 票" in result

    asyncio.run(play())


def test_a_press_just_before_the_deadline_counts() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            step = open_step(here)
            here.clock.advance(step.deadline - 0.01 - here.clock.now())
            query = vote(here, step.voters[0], step.voters[0])
            await here.courier.settle()
            assert here.answer(query)["text"].startswith(say("reply.voted", seat="")[:3])
            assert open_step(here).voted == (step.voters[0],)

    asyncio.run(play())


def test_the_floor_is_not_given_back_at_the_last_moment() -> None:
    async def play() -> None:
        async with at_the_first_speech() as here:
            first = open_step(here)
            here.clock.advance(first.deadline - here.clock.now())
            user = here.table().person(first.speaker).user
            query = here.press(user, here.group, here.newest(here.group), buttons.FLOOR)
            await here.courier.settle()
            assert here.answer(query)["text"] == say("reply.stale")
            assert open_step(here).speaker == first.after[0], "one floor has passed, not two"

    asyncio.run(play())
