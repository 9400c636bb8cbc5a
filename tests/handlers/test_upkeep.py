"""What a table does by itself: reminders, missed turns, and the end of what nobody plays at any more."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine import choices, view_for
from handlers import buttons
from handlers.record import Budget, Remind
from tests.handlers.script import Script
from tests.handlers.test_clock import at_the_first_speech
from tests.handlers.test_presses import at_a_ballot, vote
from tests.handlers.town import Town, data_under, open_step, public, say, town

MINUTE = 60.0


def count(here: Town, chat: int, sentence: str) -> int:
    """How many messages of a chat say this."""
    return sum(sentence in text for text in here.texts(chat))


def ballots_reminded(here: Town) -> list[str]:
    return [text for text in here.texts(here.group) if say("remind.ballot", seats="") in text]


def named(here: Town, *seats: int) -> list[bool]:
    """Whether the newest reminder of a ballot names these seats."""
    text = ballots_reminded(here)[-1]
    return [f"{seat} {here.table().person(seat).name}" in text for seat in seats]


# Reminders -------------------------------------------------------------------------------------------------


def test_in_the_night_those_who_owe_an_answer_are_reminded_once_and_in_private_only() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            await here.begin()
            step = open_step(here)
            owing = {prompt.seat for prompt in choices(here.table().play())}
            assert owing
            group = len(here.sent()[here.group])
            third = here.clock.now() + (step.deadline - here.clock.now()) * 2 / 3
            await here.pass_time(third - here.clock.now() - 0.5)
            assert not any(count(here, member, say("remind.private")) for member in here.members)
            await here.pass_time(1.0)
            here.boot()
            await here.pass_time(step.deadline - here.clock.now() - 1.0)
            for seat in range(1, 9):
                assert count(here, here.table().person(seat).user, say("remind.private")) == (seat in owing)
            assert len(here.sent()[here.group]) == group
            reminder = next(c for c in reversed(here.world.calls) if say("remind.private") in str(c.params))
            assert str(reminder.params["protect_content"]).lower() == "true"
            assert "<b>" in reminder.params["text"]
            assert "⏳" in reminder.params["text"]

    asyncio.run(play())


def test_who_has_answered_is_not_reminded_also_if_he_has_changed_his_answer() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            await here.begin()
            step = open_step(here)
            first, second = (p for p in choices(here.table().play()) if p.action == "wolves.kill")
            user = here.table().person(first.seat).user
            for target in first.options[:2]:
                code = buttons.code_of(first.action)
                here.press(user, user, here.newest(user), code, buttons.chosen(first.options, target))
                await here.deliver()
            await here.pass_time(step.deadline - here.clock.now() - 1.0)
            assert count(here, user, say("remind.private")) == 0
            assert count(here, here.table().person(second.seat).user, say("remind.private")) == 1

    asyncio.run(play())


def test_a_ballot_reminds_in_the_group_once_and_names_those_who_have_not_voted() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            step = open_step(here)
            first, second, *others = step.voters
            here.change(budget=Budget())
            vote(here, first, first)
            vote(here, second, buttons.PASS)
            await here.deliver()
            vote(here, first, second)
            await here.pass_time(step.deadline - here.clock.now() - 1.0)
            assert len(ballots_reminded(here)) == 1
            assert named(here, first, second) == [False, False]
            assert all(named(here, *others))
            assert not any(count(here, member, say("remind.private")) > 1 for member in here.members)

    asyncio.run(play())


def test_nobody_is_reminded_where_all_have_answered_or_the_groups_minute_is_spent() -> None:
    async def play(sends: int) -> int:
        async with at_a_ballot() as here:
            step = open_step(here)
            here.change(budget=Budget())
            await here.pass_time((step.deadline - here.clock.now()) * 2 / 3 - 0.5)
            here.change(budget=Budget(int((here.clock.now() + 0.5) // 60), sends=sends))
            await here.pass_time(1.0)
            assert step.serial in here.table().reminded
            await here.pass_time(10.0)
            return len(ballots_reminded(here))

    assert asyncio.run(play(14)) == 1
    assert asyncio.run(play(15)) == 0


def test_a_speaker_is_reminded_and_a_short_step_reminds_nobody() -> None:
    async def play() -> None:
        async with at_the_first_speech() as here:
            step = open_step(here)
            await here.pass_time(80.0)
            name = f"{step.speaker} {here.table().person(step.speaker).name}"
            last = here.texts(here.group)[-1]
            assert name in last
            assert say("remind.speech", seats="").lstrip("，") in last

    async def short() -> None:
        async with at_a_ballot(options={"vote_s": 19}) as here:
            await here.pass_time(open_step(here).deadline - here.clock.now() - 0.5)
            assert ballots_reminded(here) == []

    asyncio.run(play())
    asyncio.run(short())


def test_more_time_moves_the_reminder() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            here.change(budget=Budget())
            began, user = here.clock.now(), here.members[0]
            here.world.say(user, here.group, f"/extend@{here.world.bot.username} 60")
            await here.deliver()
            whole = open_step(here).deadline - here.table().opened[1]
            assert whole >= 119.0
            await here.pass_time(began + 78.0 - here.clock.now())
            assert ballots_reminded(here) == []
            await here.pass_time(4.0)
            assert len(ballots_reminded(here)) == 1

    asyncio.run(play())


def test_who_leaves_is_not_reminded() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            here.change(budget=Budget())
            seat = open_step(here).voters[-1]
            user = here.table().person(seat).user
            here.world.say(user, user, "/leave")
            await here.pass_time(1.0)
            await Script(here, 2).until(lambda: open_step(here).kind == "ballot")
            here.change(budget=Budget())
            await here.pass_time(open_step(here).deadline - here.clock.now() - 1.0)
            assert named(here, seat) == [False]

    asyncio.run(play())


def test_a_reminder_that_comes_after_the_answer_is_not_sent() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            step = open_step(here)
            late = Remind(seq=0, seat=0, seats=step.voters, serial=step.serial - 1, deadline=step.deadline)
            assert (await here.moderator.tables.messenger.deliver(late, here.table())).sent
            assert ballots_reminded(here) == []

    asyncio.run(play())


# Missed turns ----------------------------------------------------------------------------------------------


async def pass_ballots(here: Town, number: int, voter: int) -> None:
    """So many ballots go by, in which only one seat votes; the night is slept through."""
    for _ in range(number):
        await here.until(lambda: (step := public(here).step) is not None and step.kind == "ballot")
        step = open_step(here)
        vote(here, voter, buttons.PASS)
        await here.deliver()
        await here.pass_time(step.deadline - here.clock.now() + 0.5)


@pytest.mark.parametrize("house", ["remind", "expel"])
def test_three_ballots_let_pass_in_a_row_are_too_many(house: str) -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            here.change(idle=house)
            step = open_step(here)
            voter, returning, *others = step.voters
            await pass_ballots(here, 2, voter)
            assert set(here.table().missed.values()) == {2}
            here.boot()
            user = here.table().person(returning).user
            here.press(user, here.group, here.newest(here.group), buttons.CARD)
            await here.until(lambda: (s := public(here).step) is not None and s.kind == "ballot")
            alive = {seat.number for seat in public(here).seats if seat.alive}
            await pass_ballots(here, 1, voter)
            notices = [text for text in here.texts(here.group) if "/expel" in text]
            if house == "remind":
                assert len(notices) == 1
                assert f"{returning} {here.table().person(returning).name}" not in notices[0]
                for seat in set(others) & alive:
                    assert f"{seat} {here.table().person(seat).name}" in notices[0]
            else:
                assert notices == []
                assert any("被请出了这局" in text for text in here.texts(here.group))
                assert view_for(here.table().play(), None).seats[voter - 1].alive

    asyncio.run(play())


def test_an_abstention_is_no_missed_turn() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            for seat in open_step(here).voters[:-1]:
                vote(here, seat, buttons.PASS)
            await here.pass_time(open_step(here).deadline - here.clock.now() + 0.5)
            assert here.table().missed == {open_step(here).voters[-1]: 1}

    asyncio.run(play())


def test_where_nobody_at_all_votes_nobody_is_put_out() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            here.change(idle="expel")
            await here.pass_time(900.0)
            assert max(here.table().missed.values()) >= 3
            assert not any("被请出了这局" in text for text in here.texts(here.group))

    asyncio.run(play())


# The end of what nobody plays at -----------------------------------------------------------------------------


def test_a_game_that_nobody_touches_for_two_days_is_closed_without_a_winner_at_nightfall() -> None:
    async def play() -> None:
        async with town(8, 1, direct=True, deal=bytes([1]) * 32) as here:
            await here.begin()
            await here.until(lambda: here.table().phase == "over")
            assert public(here).day == 3
            await here.pass_time(30.0)
            assert count(here, here.group, say("notice.abandoned", number=2)) == 1
            assert not any("🏁" in text for text in here.texts(here.group))
            assert not any(text.startswith("<b>🌙 第 4 夜") for text in here.texts(here.group))
            assert here.table().outbox == ()
            assert here.table().today == ()
            for chat in (here.group, *here.members):
                assert not any(data_under(message) for message in here.world.messages(chat))
            query = here.world.press(
                here.members[0], here.group, here.world.messages(here.group)[-1]["message_id"], _a_vote(here)
            )
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.over")

    asyncio.run(play())


def _a_vote(here: Town) -> str:
    return str(buttons.Data(here.table().id, 3, buttons.VOTE, "1"))


def test_one_press_a_day_keeps_a_game_alive() -> None:
    async def play() -> None:
        async with town(8, 1, direct=True, deal=bytes([1]) * 32) as here:
            await here.begin()
            day = 1
            while public(here).day < 5:
                assert here.table().phase == "playing"
                if public(here).day != day:
                    day = public(here).day
                    here.press(here.members[0], here.group, here.newest(here.group), buttons.CARD)
                await here.pass_time(20.0)
            assert here.table().heard_day >= 4

    asyncio.run(play())


def test_a_lobby_is_warned_once_and_closed_after_thirty_minutes() -> None:
    async def play() -> None:
        async with town(3, 1, direct=True) as here:
            lobby = await here.open_lobby()
            warning = say("notice.lobby_closes", number=5)
            await here.pass_time(24 * MINUTE)
            assert count(here, here.group, warning) == 0
            await here.pass_time(2 * MINUTE)
            assert count(here, here.group, warning) == 1
            here.boot()
            await here.pass_time(3 * MINUTE)
            assert here.table().phase == "lobby"
            await here.pass_time(2 * MINUTE)
            assert here.table().phase == "over"
            assert count(here, here.group, warning) == 1
            message = here.world.message(here.group, lobby["message_id"])
            assert message is not None
            assert say("lobby.closed") in message["text"]
            assert data_under(message) == []
            old = here.table_id()
            here.world.say(here.members[0], here.group, f"/newgame@{here.world.bot.username}")
            await here.deliver()
            assert here.table_id() != old
            assert here.table().phase == "lobby"

    asyncio.run(play())


@pytest.mark.parametrize("wakes", ["timer", "sweep"])
def test_a_lobby_that_nobody_ever_joined_closes_too(wakes: str) -> None:
    async def play() -> None:
        async with town(3, 1, direct=True) as here:
            await here.ask_for_a_game()
            if wakes == "sweep":
                here.timers.pending.clear()
            await here.pass_time(31 * MINUTE)
            assert here.table().phase == "over"

    asyncio.run(play())


def test_whoever_touches_a_lobby_keeps_it_open_also_after_the_warning() -> None:
    async def play() -> None:
        async with town(3, 1, direct=True) as here:
            await here.open_lobby()
            await here.pass_time(26 * MINUTE)
            query = here.press(here.members[1], here.group, here.newest(here.group), buttons.JOIN)
            await here.pass_time(24 * MINUTE)
            assert here.answer(query)["text"] == say("reply.joined_already", seat=2)
            assert here.table().phase == "lobby"
            assert count(here, here.group, say("notice.lobby_closes", number=5)) == 1
            await here.pass_time(7 * MINUTE)
            assert here.table().phase == "over"

    asyncio.run(play())


def test_a_press_that_comes_when_a_lobbys_time_is_up_finds_it_closed() -> None:
    async def play() -> None:
        async with town(3, 1, direct=True) as here:
            lobby: dict[str, Any] = await here.open_lobby()
            await here.pass_time(26 * MINUTE)
            here.timers.pending.clear()
            here.clock.advance(here.table().closing - here.clock.now())
            query = here.press(here.members[1], here.group, lobby, buttons.LEAVE)
            await here.courier.settle()
            assert here.answer(query)["text"] == say("reply.over")
            assert here.table().phase == "over"

    asyncio.run(play())
