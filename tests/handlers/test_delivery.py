"""What Telegram answers to a call, and what becomes of the message then."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from infra.local.errors import ApiError, bad_request, forbidden, too_many
from tests.handlers.process import SENDS, Fuse
from tests.handlers.script import Script
from tests.handlers.stores import Forgetful, Racy, Wrapped
from tests.handlers.test_presses import at_a_ballot, vote
from tests.handlers.town import Town, public, say, town, without_clock

DEAL = bytes([2]) * 32

MINUTE = 60.0


@asynccontextmanager
async def lobby(**keywords: Any) -> AsyncIterator[Town]:
    """A town of eight that has joined and not begun."""
    async with town(8, 2, direct=True, deal=DEAL, **keywords) as here:
        await here.open_lobby()
        yield here


async def start(here: Town) -> dict[int, list[str]]:
    """The host starts; what was sent since, by chat, without clocks."""
    before = {chat: len(texts) for chat, texts in here.sent().items()}
    here.press(here.members[0], here.group, here.newest(here.group), "s")
    await here.deliver()
    return _since(here, before)


def _since(here: Town, before: dict[int, int]) -> dict[int, list[str]]:
    return {chat: texts[before.get(chat, 0) :] for chat, texts in here.sent().items()}


def counts(here: Town) -> dict[int, int]:
    return {chat: len(texts) for chat, texts in here.sent().items()}


async def undisturbed() -> dict[int, list[str]]:
    async with lobby() as here:
        return await start(here)


@pytest.mark.parametrize("group", [False, True])
def test_a_chat_that_must_wait_holds_up_no_other_and_keeps_its_order(group: bool) -> None:
    async def play() -> None:
        should = await undisturbed()
        async with lobby() as here:
            before = counts(here)
            chat = here.group if group else here.members[3]
            here.world.faults.too_many("sendMessage", 7, chat)
            first = await start(here)
            assert first.get(chat, []) == []
            assert {c: texts for c, texts in first.items() if c != chat} == {
                c: texts for c, texts in should.items() if c != chat
            }
            assert here.answers[-1].status == 200, "it is not waited for"
            await here.pass_time(6.0)
            assert _since(here, before).get(chat, []) == []
            await here.pass_time(1.5)
            assert _since(here, before) == should
            assert here.table().outbox == ()

    asyncio.run(play())


def test_waiting_again_and_again_ends() -> None:
    async def play() -> None:
        should = await undisturbed()
        async with lobby() as here:
            before = counts(here)
            here.world.faults.refuse("sendMessage", too_many(3), here.group, times=4)
            await start(here)
            await here.pass_time(15.0)
            assert _since(here, before) == should

    asyncio.run(play())


def test_who_has_blocked_the_bot_does_not_stop_the_game() -> None:
    async def play() -> None:
        async with lobby() as here:
            here.world.block_bot(here.members[3])
            await here.deliver()
            await start(here)
            table = here.table()
            seat = table.seat_of(here.members[3])
            assert [p.reachable for p in table.people] == [s != seat for s in range(1, 9)]
            assert table.outbox == ()
            await Script(here, 2, silent=(seat,)).play()
            assert here.table().phase == "over"
            assert here.unanswered() == []

    asyncio.run(play())


def test_a_bot_that_was_thrown_out_of_the_group_goes_on_quietly() -> None:
    async def play() -> None:
        async with lobby() as here:
            await start(here)
            here.world.remove_bot(here.group, here.members[0])
            await here.pass_time(600.0)
            assert here.table().outbox == ()
            assert all(answer.status == 200 for answer in here.answers)

    asyncio.run(play())


@pytest.mark.parametrize(
    "error",
    [
        bad_request(
            "message is not modified: specified new message content and reply markup are exactly the same"
        ),
        bad_request("message to edit not found"),
        bad_request("message can't be edited"),
        forbidden("bot was kicked from the supergroup chat"),
    ],
    ids=lambda error: str(error.code),
)
def test_an_edit_that_is_refused_for_good_is_done_with(error: ApiError) -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            here.world.faults.refuse("editMessageText", error, here.group, times=2)
            step = public(here).step
            assert step is not None
            for seat in step.voters:
                vote(here, seat, step.candidates[0])
            await here.deliver()
            assert here.table().outbox == ()
            assert here.table().lease is None
            assert here.answers[-1].status == 200

    asyncio.run(play())


def test_not_modified_is_as_good_as_modified() -> None:
    async def play() -> None:
        async with at_a_ballot(options={"vote_s": 300}) as here:
            message = here.newest(here.group)
            refused = bad_request(
                "message is not modified: specified new message content and reply markup are the same"
            )
            here.world.faults.refuse("editMessageText", refused, here.group)
            step = public(here).step
            assert step is not None
            vote(here, step.voters[0], step.candidates[0])
            await here.pass_time(MINUTE)
            table = here.table()
            assert table.messages[f"group.{step.serial}"] == message["message_id"], "it is still ours to edit"
            vote(here, step.voters[1], step.candidates[0])
            await here.pass_time(MINUTE)
            assert "2/7" in here.newest(here.group)["text"]

    asyncio.run(play())


@pytest.mark.parametrize("fault", ["broken", "drop"])
@pytest.mark.parametrize("direct", [True, False])
def test_what_may_be_lost_on_the_way_is_sent_again(fault: str, direct: bool) -> None:
    async def play() -> None:
        should = await undisturbed()
        async with town(8, 2, direct=direct, deal=DEAL) as here:
            await here.open_lobby()
            before = counts(here)
            for chat in (here.group, here.members[2]):
                getattr(here.world.faults, fault)("sendMessage", chat)
            await start(here)
            await here.pass_time(5.0)
            since = _since(here, before)
            for chat, texts in should.items():
                twice = fault == "drop" and chat in (here.group, here.members[2])
                assert since[chat] == ([texts[0], *texts] if twice else texts)
            assert here.table().outbox == ()
            assert here.world.faults.waiting == []

    asyncio.run(play())


@pytest.mark.parametrize("fault", ["too_many", "broken"])
def test_a_press_whose_answer_is_refused_is_answered_in_the_response(fault: str) -> None:
    async def play() -> None:
        async with lobby() as here:
            query = here.press(here.members[0], here.group, here.newest(here.group), "s")
            if fault == "too_many":
                here.world.faults.too_many("answerCallbackQuery", 3)
            else:
                here.world.faults.broken("answerCallbackQuery")
            await here.deliver()
            assert here.world.faults.waiting == [], "it was answered by a call"
            assert here.answer(query)["text"] == say("reply.started")

    asyncio.run(play())


def test_a_group_that_became_a_supergroup_is_written_to_under_its_new_id() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=DEAL, kind="group") as here:
            await here.open_lobby()
            table = here.table_id()
            here.press(here.members[0], here.group, here.newest(here.group), "s")
            new = here.world.migrate(here.group)
            await here.deliver()
            said = [without_clock(text) for text in here.texts(new)]
            assert sum("对局开始" in text for text in said) == 1
            assert sum("第 1 夜" in text for text in said) == 1
            record = here.moderator.tables.load(table)
            assert record is not None
            assert (record.chat, record.outbox) == (new, ())

    asyncio.run(play())


def test_the_new_group_and_the_old_one_lead_to_the_same_table() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=DEAL, kind="group") as here:
            await here.begin()
            table = here.table_id()
            new = here.world.migrate(here.group)
            await here.deliver()
            here.group = new
            here.world.say(here.members[0], new, f"/newgame@{here.world.bot.username}")
            await here.deliver()
            assert here.texts(new)[-1] == say("reply.running")
            assert here.table_id() == table

    asyncio.run(play())


@pytest.mark.parametrize("rare", [Forgetful, Racy])
def test_a_save_recognises_its_own_write_and_another_ones(rare: type[Wrapped]) -> None:
    """A write whose answer was lost is repeated, and meets what it wrote itself; or another write came first."""

    async def play() -> None:
        async with town(8, 2, direct=True, deal=DEAL) as here:
            script = Script(here, 2)
            await script.begin()
            await script.play()
            should, took = here.sent(), here.clock.now()
        async with town(8, 2, rare, direct=True, deal=DEAL) as here:
            script = Script(here, 2)
            await script.begin()
            await script.play()
            assert here.sent() == should
            assert here.clock.now() == took, "nobody had to wait for anybody"
            assert {answer.status for answer in here.answers} == {200}

    asyncio.run(play())


def test_wake_ups_that_come_early_twice_or_for_nothing_do_nothing() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            key = here.item().key
            item, calls = here.item(), len(here.world.calls)
            for serial in (0, 1, 99, None):
                await here.moderator.wake(key, serial)
            await here.moderator.wake("TABLE#nowhere1", 3)
            assert here.item() == item
            assert len(here.world.calls) == calls
            step = public(here).step
            assert step is not None
            here.clock.advance(step.deadline - here.clock.now() + 500.0)
            await here.moderator.wake(key, step.serial)
            late = public(here).step
            assert late is not None
            assert late.serial > step.serial, "late is not too late"
            item, calls = here.item(), len(here.world.calls)
            await asyncio.gather(*(here.moderator.wake(key, step.serial) for _ in range(3)))
            assert here.item() == item
            assert len(here.world.calls) == calls

    asyncio.run(play())


def test_several_wake_ups_at_the_same_moment_are_one() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            step = public(here).step
            assert step is not None
            here.clock.advance(step.deadline - here.clock.now())
            await asyncio.gather(*(here.moderator.wake(here.item().key, step.serial) for _ in range(4)))
            assert sum(say("sheriff.nobody") in text for text in here.texts(here.group)) == 1

    asyncio.run(play())


def test_a_wake_up_for_a_finished_table_does_nothing() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=DEAL) as here:
            script = Script(here, 2)
            await script.begin()
            await script.play()
            item, calls = here.item(), len(here.world.calls)
            assert item.due is None
            for timer in here.timers.armed:
                here.clock.advance(max(0.0, timer.at - here.clock.now()))
                await here.moderator.wake(timer.key, timer.serial)
            assert here.item() == item
            assert len(here.world.calls) == calls

    asyncio.run(play())


def test_timers_may_all_be_lost_and_the_sweep_finds_the_table() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=DEAL) as here:
            await here.begin()
            for _ in range(400):
                if here.table().phase == "over" and not here.table().outbox:
                    break
                Script(here, 2).act()
                await here.deliver()
                here.timers.pending.clear()
                here.clock.advance(20.0)
                await here.deliver()
            assert here.is_over()

    asyncio.run(play())


def test_a_wake_up_that_runs_out_of_time_leaves_the_rest_to_the_sweep() -> None:
    async def play() -> None:
        async with at_a_ballot(14, 5) as here:
            step = public(here).step
            assert step is not None
            here.clock.advance(step.deadline - here.clock.now())
            here.boot(Fuse(lasts=9.0))
            await here.moderator.wake(here.item().key, step.serial)
            calls = [call for call in here.world.calls if call.method in SENDS]
            await here.until(lambda: here.table().outbox == ())
            assert [call for call in here.world.calls if call.method in SENDS][: len(calls)] == calls
            assert here.table().lease is None

    asyncio.run(play())
