"""People in groups: how they come to a seat, keep one seat, and lose it; who may talk; topics."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from handlers import buttons
from handlers.chats import Chats
from handlers.record import Person
from handlers.table import Tables
from infra.local.store import Json
from infra.ports import Item
from tests.handlers.script import Script
from tests.handlers.stores import Wrapped
from tests.handlers.test_commands import at_night, behind, in_a_lobby, told, typed
from tests.handlers.test_presses import Silence, at_a_ballot
from tests.handlers.town import Town, data_under, public, say, town

TITLE = "A <b> & «B»"


async def joins(here: Town, user: int, group: int = 0) -> Json:
    """Somebody presses "join" in a group; what he is answered."""
    chat = group or here.group
    query = here.press(user, chat, here.newest(chat), buttons.JOIN)
    await here.deliver()
    return here.answer(query)


async def another_group(here: Town, title: str = TITLE) -> int:
    """A second group of the same people, with a lobby."""
    group = here.world.new_group(title, here.members[0])
    for member in here.members[1:]:
        here.world.join_group(member, group)
    here.world.add_bot(group, here.members[0])
    await typed(here, here.members[0], "/newgame", group)
    return group


def seated(here: Town) -> list[int]:
    return [person.user for person in here.table().people]


async def link_of(here: Town, user: int) -> str:
    """The link that somebody gets who has not started the bot."""
    url = str((await joins(here, user))["url"])
    assert url.startswith(f"https://t.me/{here.world.bot.username}?start=join_")
    return url


# Coming to a seat ------------------------------------------------------------------------------------------


def test_who_has_started_the_bot_joins_by_one_press() -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            await here.ask_for_a_game()
            answer = await joins(here, here.members[1])
            assert answer == {"text": say("reply.joined", seat=1), "show_alert": False, "url": ""}
            assert seated(here) == [here.members[1]]

    asyncio.run(play())


@pytest.mark.parametrize("how", ["press", "typed"])
def test_whoever_else_is_led_to_the_private_chat_and_start_joins(how: str) -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            user = here.members[1]
            await typed(here, here.members[0], "/newgame")
            before = here.item()
            if how == "press":
                answer = await joins(here, user)
                url = str(answer["url"])
                assert answer["text"] == ""
            else:
                assert await typed(here, user, "/join") == [say("reply.open_private")]
                keyboard = here.world.messages(here.group)[-1]["reply_markup"]["inline_keyboard"]
                url = keyboard[0][0]["url"]
            assert here.item() == before
            table = here.table()
            assert url == f"https://t.me/{here.world.bot.username}?start=join_{table.id}_{table.token}"
            assert len(table.token) >= 16
            assert here.world.open_link(user, url)
            await here.deliver()
            assert seated(here) == [user]
            assert here.texts(user)[-1] == say("start.joined", seat=1)

    asyncio.run(play())


def test_every_lobby_has_a_token_of_its_own() -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            await typed(here, here.members[0], "/newgame")
            first = here.table()
            old = await link_of(here, here.members[1])
            await typed(here, here.members[0], "/cancel")
            await typed(here, here.members[0], "/newgame")
            second = here.table()
            assert first.token != second.token
            here.world.open_link(here.members[1], old)
            await here.deliver()
            assert len(here.texts(here.members[1])) == 2
            for token in (first.token, "", "x", "é".encode().hex()):
                here.world.start_bot(here.members[1], f"join_{second.id}_{token}")
                await here.deliver()
                assert here.texts(here.members[1])[-1] == say("reply.lobby_gone")
            for payload in ("join", "join_", "join__", "join_zzzzzzzz_x", f"join_{second.id}", "join_-_-_-"):
                here.world.start_bot(here.members[1], payload)
                await here.deliver()
                assert here.texts(here.members[1])[-1] == say("reply.lobby_gone"), payload
            assert seated(here) == []

    asyncio.run(play())


@pytest.mark.parametrize("status", ["left", "kicked"])
def test_a_link_that_was_passed_on_seats_no_outsider(status: str) -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            await typed(here, here.members[0], "/newgame")
            url = await link_of(here, here.members[1])
            stranger = here.world.new_member("客", "zh-hans")
            here.world.set_membership(here.group, stranger, status)
            here.world.open_link(stranger, url)
            await here.deliver()
            assert here.texts(stranger)[-1] == say("reply.not_a_member")
            assert seated(here) == []
            here.world.join_group(stranger, here.group)
            here.world.open_link(stranger, url)
            await here.deliver()
            assert seated(here) == [stranger]

    asyncio.run(play())


def test_where_telegram_does_not_say_nobody_is_a_member() -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            await typed(here, here.members[0], "/newgame")
            url = await link_of(here, here.members[1])
            here.world.faults.broken("getChatMember", here.group)
            here.world.open_link(here.members[1], url)
            await here.deliver()
            assert seated(here) == []
            assert here.texts(here.members[1])[-1] == say("reply.not_a_member")

    asyncio.run(play())


def test_joining_twice_is_told() -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            await typed(here, here.members[0], "/newgame")
            url = await link_of(here, here.members[1])
            here.world.open_link(here.members[1], url)
            await here.deliver()
            version = here.item().version
            assert (await joins(here, here.members[1]))["text"] == say("reply.joined_already", seat=1)
            assert await typed(here, here.members[1], "/join") == [say("reply.joined_already", seat=1)]
            here.world.open_link(here.members[1], url)
            await here.deliver()
            assert here.texts(here.members[1])[-1] == say("reply.joined_already", seat=1)
            here.world.block_bot(here.members[1])
            await here.deliver()
            assert (await joins(here, here.members[1]))["text"] == say("reply.joined_already", seat=1)
            assert await typed(here, here.members[1], "/join") == [say("reply.joined_already", seat=1)]
            assert here.item().version == version

    asyncio.run(play())


def test_a_full_table_is_told() -> None:
    async def play() -> None:
        async with in_a_lobby(18) as here:
            for known in (True, False):
                late = here.world.new_member("迟", "zh-hans")
                here.world.join_group(late, here.group)
                before = here.item()
                if known:
                    here.world.start_bot(late)
                    await here.deliver()
                assert await typed(here, late, "/join") == [say("reply.full", number=18)]
                assert (await joins(here, late))["text"] == say("reply.full", number=18)
                assert here.item() == before

    asyncio.run(play())


def test_a_game_that_runs_already_is_told() -> None:
    async def play() -> None:
        async with at_night() as here:
            for known in (True, False):
                late = here.world.new_member("迟", "zh-hans")
                here.world.join_group(late, here.group)
                if known:
                    here.world.start_bot(late)
                    await here.deliver()
                before = here.item()
                assert await typed(here, late, "/join") == [say("reply.already_started")]
                data = str(buttons.Data(here.table_id(), 0, buttons.JOIN, buttons.YES))
                query = here.world.press(late, here.group, here.newest(here.group)["message_id"], data)
                await here.deliver()
                assert here.answer(query)["text"] == say("reply.already_started")
                table = here.table()
                here.world.start_bot(late, f"join_{table.id}_{table.token}")
                await here.deliver()
                assert here.texts(late)[-1] == say("reply.already_started")
                assert here.item() == before

    asyncio.run(play())


@pytest.mark.parametrize("name", ["join", "newgame"])
def test_a_channel_and_a_bot_have_no_seat(name: str) -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            before = here.item()
            behind(here, f"/{name}", -1001900000001)
            robot = {"id": 5, "is_bot": True, "first_name": "Robot"}
            message = here.world.new_message(here.world.chat(here.group), robot, text=f"/{name}")
            here.world.deliver_message(message)
            here.world.calls.clear()
            await here.deliver()
            assert told(here, here.group) == [say("reply.anonymous")] * 2
            assert here.item() == before

    asyncio.run(play())


# One seat a person -----------------------------------------------------------------------------------------


def test_one_seat_a_person_and_only_he_learns_where() -> None:
    async def play() -> None:
        async with town(3, direct=True) as here:
            await here.ask_for_a_game()
            await joins(here, here.members[1])
            other = await another_group(here)
            answer = await joins(here, here.members[1], other)
            assert answer["text"] == say("reply.seated_elsewhere", name="狼人杀 · 周五")
            words = await typed(here, here.members[1], "/join", other)
            assert words == [say("reply.seated_elsewhere_here")]
            assert "周五" not in words[0]

    asyncio.run(play())


def test_the_name_of_the_other_group_is_harmless_in_private_too() -> None:
    async def play() -> None:
        async with town(3, direct=True) as here:
            other = await another_group(here)
            here.world.start_bot(here.members[1])
            await here.deliver()
            await joins(here, here.members[1], other)
            await typed(here, here.members[0], "/newgame")
            table = here.table()
            before = len(here.texts(here.members[1]))
            here.world.start_bot(here.members[1], f"join_{table.id}_{table.token}")
            await here.deliver()
            assert here.texts(here.members[1])[before + 1 :] == [say("reply.seated_elsewhere", name=TITLE)]
            assert seated(here) == []

    asyncio.run(play())


@pytest.mark.parametrize("how", ["left", "cancelled", "left the group", "the bot removed"])
def test_a_claim_is_void_when_its_table_is_over_or_does_not_seat_him(how: str) -> None:
    async def play() -> None:
        async with town(3, direct=True) as here:
            await here.ask_for_a_game()
            user = here.members[1]
            await joins(here, user)
            other = await another_group(here)
            assert (await joins(here, user, other))["text"] == say("reply.seated_elsewhere", name="狼人杀 · 周五")
            if how == "left":
                await typed(here, user, "/leave")
            elif how == "cancelled":
                await typed(here, here.members[0], "/cancel")
            elif how == "left the group":
                here.world.leave_group(user, here.group)
            else:
                here.world.remove_bot(here.group, here.members[0])
            await here.deliver()
            assert (await joins(here, user, other))["text"] == say("reply.joined", seat=1)

    asyncio.run(play())


def test_a_game_that_is_over_holds_nobody() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            other = await another_group(here)
            user = here.members[1]
            assert say("reply.seated_elsewhere", name="狼人杀 · 周五") == (await joins(here, user, other))["text"]
            await Script(here, 2).play()
            assert (await joins(here, user, other))["text"] == say("reply.joined", seat=1)

    asyncio.run(play())


def test_of_two_claims_at_once_one_stands() -> None:
    """Between the look at somebody's row and the write, another machine seats him elsewhere."""

    async def play() -> None:
        async with town(3, direct=True) as here:
            await here.ask_for_a_game()
            user, table = here.members[1], here.table_id()
            other = here.world.new_group(TITLE, here.members[0])
            here.world.add_bot(other, here.members[0])
            await typed(here, here.members[0], "/newgame", other)
            here.group = other

            class Overtaken(Wrapped):
                def put(self, item: Item) -> Item | None:
                    if item.key.startswith("PLAYER#") and not here.table().people:
                        here.change(people=(Person(user, "乙", "zh_Hans"),))
                        assert Chats(here.store, tables).claim(user, here.table_id()) is None
                    return super().put(item)

            tables = Tables(here.store, here.timers, here.clock, Silence())
            holds = Chats(Overtaken(here.store), tables).claim(user, table)
            assert holds is not None
            assert holds.id == here.table_id()
            assert Chats(here.store, tables).player(user).claim == here.table_id()

    asyncio.run(play())


def test_a_press_on_another_table_does_not_lose_ones_seat() -> None:
    async def play() -> None:
        async with town(3, direct=True) as here:
            await here.ask_for_a_game()
            user = here.members[1]
            await joins(here, user)
            other = await another_group(here)
            await joins(here, user, other)
            await typed(here, user, "/join", other)
            assert await typed(here, user, "/leave", user) == [say("reply.left")]
            assert seated(here) == []

    asyncio.run(play())


# Going -----------------------------------------------------------------------------------------------------


def test_who_leaves_the_group_leaves_the_lobby() -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            here.world.leave_group(here.members[3], here.group)
            await here.deliver()
            assert here.members[3] not in seated(here)
            here.world.leave_group(here.members[1], here.group)
            update = here.world.waiting()[0].update
            await here.deliver()
            after = here.item()
            here.world.queue_update("message", update["message"], "again")
            await here.deliver()
            assert here.item() == after
            assert len(seated(here)) == 6

    asyncio.run(play())


def test_who_leaves_the_group_leaves_the_game() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            seat = next(s.number for s in reversed(public(here).seats) if s.alive)
            here.world.leave_group(here.table().person(seat).user, here.group)
            await here.deliver()
            assert not public(here).seats[seat - 1].alive
            assert any(f"{seat} {here.table().person(seat).name}" in text for text in here.texts(here.group)[-3:])

    asyncio.run(play())


def test_who_leaves_another_group_keeps_his_seat() -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            other = await another_group(here)
            before = here.item()
            here.world.leave_group(here.members[3], other)
            await here.deliver()
            assert here.item() == before

    asyncio.run(play())


# Who may talk ----------------------------------------------------------------------------------------------

RIGHT = "can_delete_messages"


async def says(here: Town, seat: int, text: str = "我说") -> bool:
    """A seat writes to the group; whether it still stands there a moment later."""
    message = here.world.say(here.table().person(seat).user, here.group, text)
    await here.deliver()
    return here.world.message(here.group, message["message_id"]) is not None


async def police(here: Town, discipline: str = "delete") -> None:
    here.world.promote_bot(here.group, here.members[0], RIGHT)
    here.change(discipline=discipline)
    await here.deliver()


def test_what_the_dead_write_goes() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            await police(here)
            for seat in public(here).seats:
                assert await says(here, seat.number) is seat.alive

    asyncio.run(play())


def test_the_dead_do_not_talk_in_the_shape_of_a_command() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            await police(here)
            (dead,) = [seat.number for seat in public(here).seats if not seat.alive]
            assert not await says(here, dead, "/ 3号是狼")
            assert not await says(here, dead, "/players@SomeOtherBot 3号是狼")

    asyncio.run(play())


def test_the_dead_may_still_ask_us() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            await police(here)
            (dead,) = [seat.number for seat in public(here).seats if not seat.alive]
            assert await typed(here, here.table().person(dead).user, "/card") == [say("card.here")]

    asyncio.run(play())


def test_what_is_no_text_goes_too() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            await police(here)
            (dead,) = [seat.number for seat in public(here).seats if not seat.alive]
            user = here.world.user(here.table().person(dead).user)
            photo = [{"file_id": "x", "file_unique_id": "x", "width": 1, "height": 1}]
            message = here.world.new_message(here.world.chat(here.group), user, photo=photo, caption="/狼")
            here.world.deliver_message(message)
            await here.deliver()
            assert here.world.message(here.group, message["message_id"]) is None

    asyncio.run(play())


def test_nobody_talks_at_night() -> None:
    async def play() -> None:
        async with at_night() as here:
            await police(here)
            for seat in range(1, 9):
                assert not await says(here, seat)
            guest = here.world.new_member("客", "zh-hans")
            here.world.join_group(guest, here.group)
            message = here.world.say(guest, here.group, "围观")
            await here.deliver()
            assert here.world.message(here.group, message["message_id"]) is not None, "who does not play may talk"

    asyncio.run(play())


def test_out_of_turn_only_the_floor_is_heard() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            script = Script(here, 2)
            await script.begin(options={"speech": "turns"}, discipline="delete")
            here.world.promote_bot(here.group, here.members[0], RIGHT)
            await script.until(lambda: (step := public(here).step) is not None and step.kind == "speech")
            step = public(here).step
            assert step is not None
            assert [s for s in range(1, 9) if await says(here, s)] == [step.speaker]

    asyncio.run(play())


@pytest.mark.parametrize("discipline", ["off", "delete"])
@pytest.mark.parametrize("right", [True, False])
def test_without_the_wish_or_the_right_all_stands_and_nobody_is_muted(discipline: str, right: bool) -> None:
    async def play() -> None:
        async with at_night() as here:
            here.world.promote_bot(here.group, here.members[0], *((RIGHT,) if right else ()))
            here.change(discipline=discipline)
            await here.deliver()
            assert await says(here, 1) is not (right and discipline == "delete")
            methods = {call.method for call in here.world.calls}
            assert not methods & {"restrictChatMember", "setChatPermissions", "banChatMember"}
            assert all(answer.status == 200 for answer in here.answers)

    asyncio.run(play())


def test_a_bot_that_loses_its_rights_plays_on() -> None:
    async def play() -> None:
        async with at_night() as here:
            await police(here)
            assert not await says(here, 1)
            here.world.demote_bot(here.group, here.members[0])
            await here.deliver()
            assert await says(here, 1)
            await Script(here, 2).play()
            assert here.table().phase == "over"

    asyncio.run(play())


# Topics ----------------------------------------------------------------------------------------------------


def forum(here: Town) -> int:
    group = here.world.new_group("论坛", here.members[0], is_forum=True)
    for member in here.members[1:]:
        here.world.join_group(member, group)
    here.world.add_bot(group, here.members[0])
    for member in here.members:
        here.world.start_bot(member)
    return group


def in_topics(here: Town) -> list[Any]:
    """The topics of what was sent and answered, in order."""
    return [
        call.params.get("message_thread_id")
        for call in here.world.calls
        if call.method == "sendMessage" and int(call.params["chat_id"]) < 0
    ]


def test_a_table_is_its_topics() -> None:
    async def play() -> None:
        async with town(8, direct=True) as here:
            group = forum(here)
            host = here.members[0]
            for topic in (7, 8):
                await typed(here, host, "/newgame", group, thread_id=topic)
                assert [int(t) for t in in_topics(here)] == [topic]
            for text in ("/players", "/join", "/help", "/language", "/rules", "/skip"):
                await typed(here, host, text, group, thread_id=7)
                assert [int(t) for t in in_topics(here)] == [7], text
            assert await typed(here, host, "/players", group) == [], "no table in the general topic"
            assert await typed(here, host, "/players", group, thread_id=9) == []
            await typed(here, host, "/cancel", group, thread_id=7)
            assert {int(t) for t in in_topics(here)} == {7}
            assert await typed(here, host, "/players", group, thread_id=7) == []
            assert await typed(here, host, "/players", group, thread_id=8) == [say("lobby.empty")]

    asyncio.run(play())


def test_a_whole_deal_stays_in_its_topic() -> None:
    async def play() -> None:
        async with town(8, direct=True) as here:
            group = forum(here)
            await typed(here, here.members[0], "/newgame", group, thread_id=7)
            here.group = group
            for member in here.members:
                await joins(here, member)
            here.press(here.members[0], group, here.newest(group), buttons.START)
            await here.deliver()
            await here.pass_time(120.0)
            assert {int(t) for t in in_topics(here)} == {7}
            assert all(call.error is None for call in here.world.calls)
            here.world.leave_group(here.members[5], group)
            await here.deliver()
            assert {int(t) for t in in_topics(here)} == {7}

    asyncio.run(play())


def test_a_bot_that_is_removed_from_a_forum_ends_the_games_of_its_topics() -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            group = forum(here)
            await typed(here, here.members[0], "/newgame", group, thread_id=7)
            await joins(here, here.members[1], group)
            here.world.remove_bot(group, here.members[0])
            await here.deliver()
            await typed(here, here.members[0], "/newgame")
            assert (await joins(here, here.members[1]))["text"] == say("reply.joined", seat=1)

    asyncio.run(play())


def test_a_language_is_its_topics() -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            group = forum(here)
            host = here.members[0]
            await typed(here, host, f"/language@{here.world.bot.username}", group, thread_id=7)
            here.press(host, group, here.newest(group), buttons.LANGUAGE, "2")
            await here.deliver()
            username = here.world.bot.username
            assert await typed(here, host, f"/skip@{username}", group, thread_id=7) == [
                say("reply.no_table", "en")
            ]
            assert await typed(here, host, f"/skip@{username}", group, thread_id=8) == [say("reply.no_table")]

    asyncio.run(play())


def test_a_keyboard_of_a_closed_table_is_gone() -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            await typed(here, here.members[0], "/cancel")
            assert [data_under(m) for m in here.world.messages(here.group) if data_under(m)] == []

    asyncio.run(play())
