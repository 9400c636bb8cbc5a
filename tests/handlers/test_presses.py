"""Presses: many at once, the same one again, old ones, foreign ones, forged ones. Every one gets an answer."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from engine import events as e
from engine import view_for
from handlers import buttons, moves
from handlers.outbox import Delivery
from handlers.record import AnyEffect, Table, key_of, unpack
from handlers.table import Tables
from handlers.wording.keys import KEYS
from infra.ports import Item
from tests.fakes import FakeTimers
from tests.handlers.script import Script
from tests.handlers.stores import Racy, Wrapped
from tests.handlers.town import SECRET, Town, data_under, public, say, town


@asynccontextmanager
async def at_a_ballot(
    members: int = 8,
    seed: int = 2,
    name: str = "sheriff.vote",
    options: dict[str, Any] | None = None,
    **keywords: Any,
) -> AsyncIterator[Town]:
    """A town whose game has just come to a ballot that nobody has voted in."""
    async with town(members, seed, direct=True, deal=bytes([seed]) * 32, **keywords) as here:
        script = Script(here, seed)
        await script.begin(**({"options": options} if options else {}))
        await script.until(lambda: (step := public(here).step) is not None and step.name == name)
        yield here


def vote(here: Town, seat: int, answer: int | str) -> str:
    """The seat presses a ballot's button."""
    message = here.newest(here.group)
    return here.press(here.table().person(seat).user, here.group, message, buttons.VOTE, str(answer))


def closed(here: Town, action: str) -> list[e.BallotClosed]:
    """The results of a game's ballots; a part of a day may have gone into a row of its own already."""
    table = here.table()
    rows = [unpack(row.body).today for row in here.store.list(key_of(table.id), f"GAME#{table.games:04}#")]
    happened = [event for days in (*rows, table.today) for day in days for event in day.events]
    return [event for event in happened if isinstance(event, e.BallotClosed) and event.action == action]


# Many at once ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("racy", [False, True])
def test_eighteen_press_at_once_and_every_press_counts_once(racy: bool) -> None:
    async def play() -> None:
        keywords: dict[str, Any] = {"store": Racy} if racy else {}
        async with at_a_ballot(18, 3, **keywords) as here:
            step = public(here).step
            assert step is not None
            target = int(step.candidates[0])
            queries = [vote(here, seat, target) for seat in step.voters]
            await here.deliver()
            (result,) = closed(here, "sheriff.vote")
            assert [(ballot.seat, ballot.choice) for ballot in result.votes] == [(s, target) for s in step.voters]
            voted = say("reply.voted", seat=f"{target} {here.table().person(target).name}")
            assert {here.answer(query)["text"] for query in queries} == {voted}
            if racy:
                assert isinstance(here.store, Racy)
                assert here.store.races > 5

    asyncio.run(play())


class Together(Wrapped):
    """The first reads of so many threads end at the same moment."""

    def __init__(self, store: Wrapped, threads: int) -> None:
        super().__init__(store)
        self._gate = threading.Barrier(threads)
        self._passed = threading.local()

    def get(self, key: str, sort: str) -> Item | None:
        item = super().get(key, sort)
        if not getattr(self._passed, "yes", False):
            self._passed.yes = True
            self._gate.wait(10)
        return item


class Silence:
    """A messenger that has delivered everything."""

    async def deliver(self, _effect: AnyEffect, _table: Table) -> Delivery:
        return Delivery(sent=True)


def test_eighteen_machines_judge_the_same_record_and_no_vote_is_lost() -> None:
    async def play() -> None:
        async with at_a_ballot(18, 3) as here:
            view = public(here)
            step = view.step
            assert step is not None
            store = Together(Wrapped(here.store), len(step.voters))
            table = here.table()
            failed: list[BaseException] = []

            def machine(seat: int) -> None:
                tables = Tables(store, FakeTimers(), here.clock, Silence())
                data = buttons.Data(table.id, step.serial, buttons.VOTE, str(step.candidates[0]))
                press = moves.Press(table.person(seat).user, "", "zh_Hans", data, private=False)
                try:
                    outcome = asyncio.run(
                        tables.run(table.id, f"c{seat}", lambda current, now: moves.press(current, press, now))
                    )
                    assert outcome.reply is not None
                    assert outcome.reply.code == "voted"
                except BaseException as error:
                    failed.append(error)

            threads = [threading.Thread(target=machine, args=(seat,)) for seat in step.voters]
            for thread in threads:
                thread.start()
            for thread in threads:
                await asyncio.to_thread(thread.join)
            assert failed == []
            (result,) = closed(here, "sheriff.vote")
            assert len(result.votes) == len(step.voters)
            assert all(ballot.choice == step.candidates[0] for ballot in result.votes)

    asyncio.run(play())


def test_the_last_two_votes_at_once_change_the_phase_once() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            step = public(here).step
            assert step is not None
            *others, last, very_last = step.voters
            for seat in others:
                vote(here, seat, last)
            await here.deliver()
            assert closed(here, "sheriff.vote") == []
            vote(here, last, last)
            vote(here, very_last, last)
            await here.deliver()
            (result,) = closed(here, "sheriff.vote")
            assert result.count == ((last, float(len(step.voters))),)
            assert sum("警长：" in text for text in here.texts(here.group)) == 1
            assert here.unanswered() == []

    asyncio.run(play())


# The same again --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", [False, True])
def test_the_same_callback_again_changes_nothing_and_is_answered_the_same(last: bool) -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            step = public(here).step
            assert step is not None
            *others, voter = step.voters
            if last:
                for seat in others:
                    vote(here, seat, others[0])
                await here.deliver()
            query = vote(here, voter, others[0])
            body = json.dumps(here.world.waiting()[0].update).encode()
            headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
            await here.deliver()
            first = here.answer(query)
            item, messages = here.item(), here.world.messages(here.group)
            for _ in range(2):
                again = await here.moderator.door.handle(headers, body)
                assert again.status == 200
                assert json.loads(again.body)["text"] == first["text"]
            await asyncio.gather(*(here.moderator.door.handle(headers, body) for _ in range(3)))
            assert here.item() == item
            assert here.world.messages(here.group) == messages

    asyncio.run(play())


def test_a_double_tap_is_one_vote_and_one_write() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            voter = here.table().seat_of(here.members[0])
            target = next(seat for seat in range(1, 9) if seat != voter)
            first = vote(here, voter, target)
            await here.deliver()
            version = here.item().version
            second = vote(here, voter, target)
            third = vote(here, voter, target)
            await here.deliver()
            assert here.answer(first)["text"] == here.answer(second)["text"] == here.answer(third)["text"]
            assert here.item().version == version
            step = public(here).step
            assert step is not None
            assert step.voted == (voter,)

    asyncio.run(play())


# Old, foreign, forged --------------------------------------------------------------------------------------


def give_back(here: Town, message: dict[str, Any]) -> None:
    """The message has its old keyboard again, as where the edit that took it off was lost."""
    here.world.put_message(message)


async def answered(here: Town, query: str) -> str:
    version = here.item().version
    await here.deliver()
    assert here.item().version == version, "who is refused changes nothing"
    return str(here.answer(query)["text"])


def test_a_button_of_a_step_that_is_over_says_so_and_goes() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            old = here.newest(here.group)
            step = public(here).step
            assert step is not None
            for seat in step.voters:
                vote(here, seat, buttons.PASS)
            await here.deliver()
            stale = here.world.message(here.group, old["message_id"])
            assert stale is not None
            assert data_under(stale) == [], "a result takes the keyboard off in the same breath"
            give_back(here, old)
            query = here.press(here.members[0], here.group, old, buttons.VOTE)
            assert await answered(here, query) == say("reply.stale")
            after = here.world.message(here.group, old["message_id"])
            assert after is not None
            assert data_under(after) == []

    asyncio.run(play())


def test_a_button_of_a_game_before_says_so_and_goes() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            script = Script(here, 2)
            await script.begin()
            lobby = next(m for m in here.world.messages(here.group) if "🌙 狼人杀" in m.get("text", ""))
            await script.until(lambda: (step := public(here).step) is not None and step.kind == "talk")
            talk = here.newest(here.group)
            await script.play()
            over = here.table_id()
            here.world.say(here.members[0], here.group, f"/newgame@{here.world.bot.username}")
            await here.deliver()
            assert here.table_id() != over
            give_back(here, talk)
            query = here.press(here.members[0], here.group, talk, buttons.READY)
            assert await answered(here, query) == say("reply.over")
            after = here.world.message(here.group, talk["message_id"])
            assert after is not None
            assert data_under(after) == []
            data = str(buttons.Data(over, 0, buttons.JOIN, buttons.YES))
            query = here.world.press(here.members[0], here.group, lobby["message_id"], data)
            assert await answered(here, query) == say("reply.over")

    asyncio.run(play())


@pytest.mark.parametrize(
    "data", ["hello", "", "a.b.c.d", "zzzzzzzz.0.c.y.extra", "ZZZZZZZZ.0.c.y", "甲乙丙丁戊己庚辛.0.c.y", "x" * 64]
)
def test_garbage_is_answered(data: str) -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            newest = here.newest(here.group)
            query = here.world.press(here.members[0], here.group, newest["message_id"], data)
            assert await answered(here, query) == say("reply.gone")
            assert here.newest(here.group) == newest

    asyncio.run(play())


def test_a_button_of_a_table_that_is_gone_is_answered_and_goes() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            old = next(m for m in here.world.messages(here.group) if "🌙 狼人杀" in m.get("text", ""))
            data = str(buttons.Data("zzzzzzzz", 0, buttons.JOIN, buttons.YES))
            keyboard = {"inline_keyboard": [[{"text": "加入", "callback_data": data}]]}
            give_back(here, {**old, "reply_markup": keyboard})
            query = here.world.press(here.members[0], here.group, old["message_id"], data)
            assert await answered(here, query) == say("reply.gone")
            after = here.world.message(here.group, old["message_id"])
            assert after is not None
            assert data_under(after) == []

    asyncio.run(play())


@pytest.mark.parametrize("forged", ["zzzzzzzz.0.c.y", "{table}.1.v.1", "{table}.zzz.v.1"])
def test_a_forged_press_does_not_take_the_keyboard_from_everybody(forged: str) -> None:
    """A made-up client may send any text with any message: only what is under it can be old."""

    async def play() -> None:
        async with at_a_ballot() as here:
            stranger = here.world.new_member("客", "zh-hans")
            here.world.join_group(stranger, here.group)
            newest = here.newest(here.group)
            data = forged.format(table=here.table_id())
            for user in (stranger, here.members[0]):
                query = here.world.press(user, here.group, newest["message_id"], data)
                await answered(here, query)
            assert here.world.message(here.group, newest["message_id"]) == newest

    asyncio.run(play())


def test_who_has_no_seat_is_told_so() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            stranger = here.world.new_member("客", "zh-hans")
            here.world.join_group(stranger, here.group)
            newest = here.newest(here.group)
            for code in (buttons.VOTE, buttons.CARD):
                query = here.press(stranger, here.group, newest, code)
                assert await answered(here, query) == say("reply.no_seat")
            assert here.newest(here.group) == newest

    asyncio.run(play())


def test_the_dead_only_watch() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            view = public(here)
            (dead,) = (seat.number for seat in view.seats if not seat.alive)
            living = next(seat.number for seat in view.seats if seat.alive)
            assert await answered(here, vote(here, dead, living)) == say("reply.dead")

    asyncio.run(play())


def test_what_is_not_on_the_keyboard_is_not_taken() -> None:
    async def play() -> None:
        async with at_a_ballot(name="vote.lynch") as here:
            view = public(here)
            step = view.step
            assert step is not None
            (dead,) = (seat.number for seat in view.seats if not seat.alive)
            voter = next(seat.number for seat in view.seats if seat.alive)
            user, message = here.table().person(voter).user, here.newest(here.group)["message_id"]
            refusals = {
                str(dead): say("reply.dead_target"),
                str(voter): say("reply.self"),
                "99": say("reply.not_listed"),
                "0": say("reply.not_listed"),
                "zff": None,
                "t1": None,
                "y": say("reply.not_listed"),
                "i0": None,
                "x": None,
            }
            for answer, text in refusals.items():
                data = str(buttons.Data(here.table_id(), step.serial, buttons.VOTE, answer))
                query = here.world.press(user, here.group, message, data)
                said = await answered(here, query) if text is not None else ""
                assert said == (text or "")
                await here.deliver()
            assert here.unanswered() == []

    asyncio.run(play())


def test_the_floor_is_somebody_elses() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            await here.begin(options={"speech": "turns"})
            script = Script(here, 2)
            await script.until(lambda: (step := public(here).step) is not None and step.kind == "speech")
            step = public(here).step
            assert step is not None
            other = here.table().person(step.speaker % 8 + 1)
            query = here.press(other.user, here.group, here.newest(here.group), buttons.FLOOR)
            name = here.table().person(step.speaker).name
            assert await answered(here, query) == say("reply.not_your_floor", seat=f"{step.speaker} {name}")

    asyncio.run(play())


# What the buttons say --------------------------------------------------------------------------------------


WORDS = {
    part for key in KEYS if key.startswith(("role.", "ask.")) for part in key.split(".")[1:] if len(part) > 2
} | {"wolf", "wolves", "heal", "poison", "lynch", "sheriff"}
GROUP_CODES = (
    *buttons.OF_THE_LOBBY,
    *(buttons.CARD, buttons.VOTE, buttons.FLOOR, buttons.READY),
    *(*buttons.OPENING, buttons.CHECK),
)


@pytest.mark.parametrize(
    ("members", "seed", "fields"),
    [
        (8, 1, {}),
        (14, 5, {}),
        (18, 3, {"options": {"ballots": "open", "tie": "runoff"}}),
        (
            10,
            4,
            {"specials": ("witch", "hunter", "cupid", "little_girl")},
        ),
    ],
)
def test_callback_data_is_short_and_says_nothing(members: int, seed: int, fields: dict[str, Any]) -> None:
    async def play() -> None:
        async with town(members, seed, direct=True, deal=bytes([seed]) * 32) as here:
            await here.begin(**fields)
            script = Script(here, seed)
            while not script.is_over():
                await here.deliver()
                _keyboard_of_the_group(here)
                if not script.is_over():
                    script.go_on()
            sent = [
                (int(call.params["chat_id"]), json.loads(call.params["reply_markup"]))
                for call in here.world.calls
                if call.params.get("reply_markup")
            ]
            assert len(sent) > 20
            for chat, markup in sent:
                for data in data_under({"reply_markup": markup}):
                    assert len(data.encode()) <= 64
                    parsed = buttons.parse(data)
                    assert parsed is not None
                    assert str(parsed) == data
                    assert not [word for word in WORDS if word in data.partition(".")[2]]
                    if chat == here.group:
                        assert parsed.code in GROUP_CODES
            assert here.unanswered() == []

    asyncio.run(play())


def _keyboard_of_the_group(here: Town) -> None:
    """Under a ballot stand the living seats of the public view – not what this or that person may choose."""
    table = here.table()
    if table.phase != "playing" or table.outbox or (step := public(here).step) is None or step.kind != "ballot":
        return
    parsed = [buttons.parse(data) for data in data_under(here.newest(here.group))]
    answers = [data.answer for data in parsed if data and data.code == buttons.VOTE and data.serial == step.serial]
    living = [str(seat.number) for seat in public(here).seats if seat.alive]
    assert answers == [*(living if not step.round else [str(seat) for seat in step.candidates]), buttons.PASS]


def test_a_choice_of_two_is_stored_when_it_is_done_and_not_before() -> None:
    async def play() -> None:
        async with town(10, 1, direct=True, deal=bytes([1]) * 32) as here:
            await here.begin()
            table = here.table()
            cupid = next(
                seat
                for seat in range(1, 11)
                if (mine := view_for(table.play(), seat).mine) and mine.prompts and mine.prompts[0].most == 2
            )
            user = table.person(cupid).user
            code = buttons.code_of("cupid.link")

            def toggle(label: str) -> str:
                message = here.newest(user)
                for row in message["reply_markup"]["inline_keyboard"]:
                    for button in row:
                        if button["text"].startswith(label):
                            return here.world.press(user, user, message["message_id"], button["callback_data"])
                raise LookupError(label)

            def ticked() -> list[str]:
                rows = here.newest(user)["reply_markup"]["inline_keyboard"]
                return [button["text"].split()[0] for row in rows for button in row if "✔" in button["text"]]

            assert await answered(here, toggle("3 ")) == say("reply.toggled", number=1)
            assert ticked() == ["3"]
            too_few = toggle(say("button.done", chosen=1, wanted=2))
            assert await answered(here, too_few) == say("reply.how_many", number=2)
            await answered(here, toggle("4 "))
            await answered(here, toggle("3 "))
            assert ticked() == ["4"]
            await answered(here, toggle("5 "))
            assert ticked() == ["4", "5"]
            assert await answered(here, toggle("6 ")) == say("reply.how_many", number=2)
            assert ticked() == ["4", "5"]
            assert all(f".{code}." in data for data in data_under(here.newest(user)))
            done = toggle(say("button.done", chosen=2, wanted=2))
            await here.deliver()
            linked = "、".join(f"{seat} {here.table().person(seat).name}" for seat in (4, 5))
            assert here.answer(done)["text"] == say("reply.chosen", seat=linked)
            lovers = [event for day in here.table().today for event in day.events if isinstance(event, e.Linked)]
            assert [event.lovers for event in lovers] == [(4, 5)]
            for lover in (4, 5):
                assert sum("情侣" in text for text in here.texts(here.table().person(lover).user)) == 1

    asyncio.run(play())
