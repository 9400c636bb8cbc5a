"""What is typed: what is ours, who may, what it does; nothing that is meant for us meets with silence."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from engine import view_for
from handlers import buttons, languages
from handlers.telegram.desk import RIGHTS_S, Answer
from handlers.wording import keys, texts
from infra.local.state import BotAccount
from infra.local.store import Json
from tests.handlers.script import Script
from tests.handlers.test_presses import at_a_ballot
from tests.handlers.town import SECRET, Town, data_under, public, say, town

DEAL = bytes([2]) * 32
IN_GROUPS = (
    "newgame", "join", "leave", "cancel", "players", "card", "extend", "skip", "warn", "expel", "draw", "rules",
    "roles", "glossary", "language", "help",
)  # fmt: skip
IN_PRIVATE = ("start", "card", "leave", "rules", "roles", "glossary", "language", "help")
HOSTED = ("skip", "extend 30", "warn 3", "cancel")
SIGNATURE = "老板 <i>&"


def told(here: Town, chat: int) -> list[str]:
    """What was sent to a chat, as it was sent, since the calls were last forgotten."""
    return [
        str(call.params["text"])
        for call in here.world.calls
        if call.method == "sendMessage" and call.error is None and int(call.params["chat_id"]) == chat
    ]


async def typed(here: Town, user: int, text: str, chat: int = 0, **where: Any) -> list[str]:
    """Somebody types; what was sent there on that."""
    await here.deliver()
    here.world.calls.clear()
    here.world.say(user, chat or here.group, text, **where)
    await here.deliver()
    return told(here, chat or here.group)


def behind(here: Town, text: str, identity: int, **fields: object) -> Json:
    """Somebody types under the name of a chat: the group's own (an anonymous admin) or a channel's."""
    anonymous = identity == here.group
    number, name = (1087968824, "Group") if anonymous else (136817688, "Channel")
    sender = {"id": number, "is_bot": True, "first_name": name}
    kind = {"id": identity, "title": "A", "type": "supergroup" if anonymous else "channel"}
    group = here.world.chat(here.group)
    message = here.world.new_message(group, sender, sender_chat=kind, text=text, **fields)
    here.world.deliver_message(message)
    return message


async def from_behind(here: Town, text: str, identity: int, **fields: object) -> list[str]:
    """The same, and what the group was told on that."""
    await here.deliver()
    here.world.calls.clear()
    behind(here, text, identity, **fields)
    await here.deliver()
    return told(here, here.group)


async def bring(here: Town, update: object) -> Answer:
    """Deliver an update by hand, as when Telegram has not heard of its end."""
    headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
    return await here.moderator.door.handle(headers, json.dumps(update).encode())


def us(here: Town) -> str:
    return str(here.world.bot.username)


@asynccontextmanager
async def at_night(members: int = 8, **keywords: Any) -> AsyncIterator[Town]:
    """A town in the first night of its game."""
    async with town(members, 2, direct=True, deal=DEAL, **keywords) as here:
        await Script(here, 2).begin()
        yield here


@asynccontextmanager
async def in_a_lobby(members: int = 8, **keywords: Any) -> AsyncIterator[Town]:
    """A town that has joined and not begun."""
    async with town(members, 2, direct=True, deal=DEAL, **keywords) as here:
        await here.open_lobby()
        yield here


# Whose word it is ------------------------------------------------------------------------------------------


def test_where_no_table_is_open_a_bare_word_is_somebody_elses() -> None:
    async def play() -> None:
        async with town(1, direct=True) as here:
            for name in IN_GROUPS:
                if name != "newgame":
                    assert await typed(here, here.members[0], f"/{name}") == []
                    assert not here.world.calls

    asyncio.run(play())


@pytest.mark.parametrize("open_table", [False, True])
def test_a_word_with_our_name_is_always_answered(open_table: bool) -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            if open_table:
                await typed(here, here.members[0], "/newgame")
            for name in (*IN_GROUPS[1:], "shrug", "newgame"):
                for whose in (us(here), us(here).upper()):
                    words = await typed(here, here.members[1], f"/{name.upper()}@{whose}")
                    assert len(words) == 1
                    assert words[0]

    asyncio.run(play())


def test_a_bare_newgame_opens_a_table_and_then_bare_words_are_ours() -> None:
    async def play() -> None:
        async with town(8, direct=True) as here:
            (card,) = await typed(here, here.members[0], "/newgame")
            assert say("lobby.empty") in card
            for name in IN_GROUPS:
                if name != "cancel":
                    assert len(await typed(here, here.members[0], f"/{name}")) == 1, name
            assert await typed(here, here.members[0], "/cancel") == [say("notice.cancelled", by="甲")]
            assert await typed(here, here.members[0], "/players") == []
            assert await typed(here, here.members[0], f"/players@{us(here)}") == [say("reply.no_table")]

    asyncio.run(play())


def test_another_bots_command_is_none_of_ours() -> None:
    async def play() -> None:
        # As an admin the bot hears all that is said.
        async with in_a_lobby() as here:
            here.world.promote_bot(here.group, here.members[0])
            await here.deliver()
            before = here.item()
            for text in ("/leave@SomeOtherBot", "/cancel@SomeOtherBot", "/newgame@SomeOtherBot", "hello /leave"):
                assert await typed(here, here.members[0], text) == []
            assert here.item() == before

    asyncio.run(play())


def test_a_bare_word_that_we_do_not_know_is_another_bots() -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            for text in ("/ban", "/shrug 3", "/start", "/"):
                assert await typed(here, here.members[1], text) == [], text

    asyncio.run(play())


def test_a_command_may_end_with_a_line() -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            before = here.item().version
            assert await typed(here, here.members[3], f"/leave@{us(here)}\nsorry") == [say("reply.left")]
            assert here.item().version > before

    asyncio.run(play())


def test_in_private_every_command_is_answered() -> None:
    async def play() -> None:
        async with town(1, direct=True) as here:
            (user,) = here.members
            here.world.start_bot(user)
            await here.deliver()
            for name in IN_PRIVATE:
                for text in (f"/{name}", f"/{name}@{us(here)}"):
                    (words,) = await typed(here, user, text, user)
                    assert words

    asyncio.run(play())


def test_in_private_the_groups_commands_lead_to_the_group() -> None:
    async def play() -> None:
        async with town(1, direct=True) as here:
            (user,) = here.members
            here.world.start_bot(user)
            await here.deliver()
            for name in IN_GROUPS:
                if name not in IN_PRIVATE:
                    assert await typed(here, user, f"/{name}", user) == [say("group.only")], name
            assert say("help.intro") in (await typed(here, user, "/unheard", user))[0]

    asyncio.run(play())


# Who may ---------------------------------------------------------------------------------------------------


def test_who_is_neither_host_nor_admin_is_refused() -> None:
    async def play() -> None:
        async with at_night() as here:
            before = here.item()
            stranger = here.world.new_member("客", "zh-hans")
            for text in (*HOSTED, "draw", "expel 3"):
                assert await typed(here, here.members[1], f"/{text}") == [say("reply.host_only")]
                assert await from_behind(here, f"/{text}", -1001900000001) == [say("reply.host_only")]
                group = here.world.chat(here.group)
                message = here.world.new_message(group, here.world.user(stranger), text=f"/{text}")
                here.world.calls.clear()
                here.world.deliver_message(message)
                await here.deliver()
                assert told(here, here.group) == [say("reply.host_only")], "who is not even a member"
            assert here.item() == before

    asyncio.run(play())


NOTICES = {
    "skip": "notice.skipped",
    "extend 30": "notice.extended",
    "warn 3": "notice.warned",
    "cancel": "notice.cancelled",
}


def notice(here: Town, text: str, by: str) -> str:
    """What the group is told of a command, and whose it was."""
    person = here.table().person(3)
    seat = f'<a href="tg://user?id={person.user}">3 {person.name}</a>'
    return say(NOTICES[text], by=by, seat=seat)


@pytest.mark.parametrize("who", ["host", "admin", "anonymous", "signed"])
@pytest.mark.parametrize("text", HOSTED)
def test_the_host_and_the_admins_may_and_the_group_is_told_who_it_was(text: str, who: str) -> None:
    async def play() -> None:
        async with at_night() as here:
            before = here.item()
            if who == "host":
                words, by = await typed(here, here.members[0], f"/{text}"), "甲"
            elif who == "admin":
                chief = here.world.new_member("头", "zh-hans")
                here.world.join_group(chief, here.group)
                here.world.promote_member(chief, here.group)
                words, by = await typed(here, chief, f"/{text}"), "头"
            elif who == "signed":
                words = await from_behind(here, f"/{text}", here.group, author_signature=SIGNATURE)
                by = "老板 &lt;i&gt;&amp;"
            else:
                words, by = await from_behind(here, f"/{text}", here.group), ""
            assert here.item().version > before.version
            if by:
                assert words[0] == notice(here, text, by)
            else:
                start, _, end = notice(here, text, "\0").partition("\0")
                assert words[0].startswith(start)
                assert words[0].endswith(end)
                assert words[0] != notice(here, text, "")

    asyncio.run(play())


def test_an_invisible_name_is_not_nobody() -> None:
    async def play() -> None:
        async with at_night() as here:
            chief = here.world.new_member("\u3164\u200b", "zh-hans")
            here.world.join_group(chief, here.group)
            here.world.promote_member(chief, here.group)
            words = await typed(here, chief, "/skip")
            assert words
            assert say("notice.skipped", by="") != words[0]

    asyncio.run(play())


def test_an_anonymous_admin_has_no_seat() -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            before = here.item()
            for identity in (here.group, -1001900000001):
                assert await from_behind(here, "/join", identity) == [say("reply.anonymous")]
                (words,) = await from_behind(here, "/leave", identity)
                assert words
                assert not words.startswith("reply.")
                assert await from_behind(here, "/newgame", identity) == [say("reply.anonymous")]
            assert here.item() == before

    asyncio.run(play())


def asked(here: Town) -> int:
    return sum(call.method == "getChatMember" for call in here.world.calls)


def test_rights_are_asked_of_telegram_when_they_are_used() -> None:
    async def play() -> None:
        async with at_night() as here:
            chief, group = here.members[1], here.group
            assert await typed(here, chief, "/extend 1") == [say("reply.host_only")]
            assert asked(here) == 1
            here.world.promote_member(chief, group)
            here.clock.advance(RIGHTS_S)
            assert (await typed(here, chief, "/extend 1"))[0] == say("notice.extended", by="乙")
            assert asked(here) == 1
            here.clock.advance(RIGHTS_S - 1)
            assert (await typed(here, chief, "/extend 1"))[0] == say("notice.extended", by="乙")
            assert asked(here) == 0, "an answer up to a minute old will do"
            here.world.set_membership(group, chief, "member")
            here.clock.advance(2)
            assert await typed(here, chief, "/extend 1") == [say("reply.host_only")]
            assert asked(here) == 1

    asyncio.run(play())


def test_where_telegram_does_not_say_nobody_is_an_admin_and_it_is_asked_again() -> None:
    async def play() -> None:
        async with at_night() as here:
            chief = here.members[1]
            here.world.promote_member(chief, here.group)
            here.world.faults.broken("getChatMember", here.group)
            assert await typed(here, chief, "/extend 1") == [say("reply.host_only")]
            assert (await typed(here, chief, "/extend 1"))[0] == say("notice.extended", by="乙")

    asyncio.run(play())


# Numbers ---------------------------------------------------------------------------------------------------

NO_NUMBERS = (
    "", "-1", "+3", "3.5", "1e3", "abc", "@name", "3号", "３", "٣", "三", "½", "³", "0x3", "9" * 4000, "0", "9",
    "99", "999999", "3 nonsense", "3 oath outside",
)  # fmt: skip


@pytest.mark.parametrize("name", ["warn", "expel"])
def test_the_number_of_a_seat(name: str) -> None:
    async def play() -> None:
        async with at_night() as here:
            before = here.item()
            for word in NO_NUMBERS if name == "warn" else NO_NUMBERS[:-2]:
                words = await typed(here, here.members[0], f"/{name} {word}".strip())
                assert words == [say("reply.seat_number")], word
                assert here.item() == before

    asyncio.run(play())


@pytest.mark.parametrize("name", ["warn", "expel"])
def test_a_reply_names_nobody(name: str) -> None:
    async def play() -> None:
        async with at_night() as here:
            before = here.item()
            said = here.world.say(here.members[2], here.group, "我是狼")
            words = await typed(here, here.members[0], f"/{name}", reply_to=said["message_id"])
            assert words == [say("reply.seat_number")]
            assert here.item() == before

    asyncio.run(play())


def test_more_time_is_a_number_of_seconds() -> None:
    async def play() -> None:
        async with at_night() as here:
            before = here.item()
            for word in ("0", "-5", "3601", "999999", "9" * 4000, "６０", "1.5", "soon", "60 s"):
                assert await typed(here, here.members[0], f"/extend {word}") == [say("reply.seconds")], word
                assert here.item() == before

    asyncio.run(play())


def test_more_time() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            for text, seconds in (("/extend", 60), ("/extend 1", 1), ("/extend   0030 ", 30)):
                before = public(here).step
                words = await typed(here, here.members[0], text)
                after = public(here).step
                assert before is not None
                assert after is not None
                assert (after.serial, after.deadline) == (before.serial, before.deadline + seconds)
                assert words[0] == say("notice.extended", by="甲")

    asyncio.run(play())


# What they do ----------------------------------------------------------------------------------------------


def test_in_a_lobby_there_is_nothing_to_hurry() -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            before = here.item()
            for text in ("skip", "extend", "warn 3", "expel 3", "draw", "card"):
                assert await typed(here, here.members[0], f"/{text}") == [say("reply.not_started")], text
            assert here.item() == before

    asyncio.run(play())


def test_skipping_a_night_step_ends_it_and_the_night_goes_on() -> None:
    async def play() -> None:
        async with at_night() as here:
            before = public(here).step
            assert before is not None
            assert (await typed(here, here.members[0], "/skip"))[0] == say("notice.skipped", by="甲")
            step = public(here).step
            assert step is not None
            assert step.serial > before.serial
            await Script(here, 2).play()
            assert here.table().phase == "over"

    asyncio.run(play())


def test_a_draw_must_be_offered() -> None:
    async def play() -> None:
        async with at_night() as here:
            before = here.item()
            assert await typed(here, here.members[0], "/draw") == [say("reply.not_offered")]
            assert here.item() == before

    asyncio.run(play())


def test_the_second_warning_expels() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            seat = next(s.number for s in public(here).seats if s.alive)
            await typed(here, here.members[0], f"/warn {seat}")
            assert public(here).seats[seat - 1].alive
            (words,) = await typed(here, here.members[0], "/players")
            assert "⚠️1" in words
            await typed(here, here.members[0], f"/warn {seat}")
            assert not public(here).seats[seat - 1].alive

    asyncio.run(play())


def test_the_dead_are_not_warned() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            (dead,) = [s.number for s in public(here).seats if not s.alive]
            before = here.item()
            assert await typed(here, here.members[0], f"/warn {dead}") == [say("reply.dead_target")]
            assert here.item() == before
            await typed(here, here.members[0], f"/expel {dead}")
            query = here.press(here.members[0], here.group, here.newest(here.group), buttons.EXPEL)
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.dead_target")
            assert here.item() == before

    asyncio.run(play())


def test_an_expulsion_wants_a_second_press_by_who_may() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            seat = next(s.number for s in public(here).seats if s.alive)
            person = here.table().person(seat)
            before = here.item()
            (words,) = await typed(here, here.members[0], f"/expel {seat}")
            assert words == say("expel.sure", seat=f"{seat} {person.name}")
            assert here.item() == before
            message = here.newest(here.group)
            stranger = here.members[1]
            query = here.press(stranger, here.group, message, buttons.EXPEL)
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.host_only")
            assert here.item() == before
            assert data_under(here.newest(here.group)) == data_under(message), "the button waits for who may"
            chief = here.world.new_member("头", "zh-hans")
            here.world.join_group(chief, here.group)
            here.world.promote_member(chief, here.group)
            here.world.calls.clear()
            query = here.press(chief, here.group, message, buttons.EXPEL)
            await here.deliver()
            assert here.answer(query)["text"]
            assert not public(here).seats[seat - 1].alive
            mention = f'<a href="tg://user?id={person.user}">{seat} {person.name}</a>'
            assert told(here, here.group)[0] == say("notice.expelled", by="头", seat=mention)
            after = here.world.message(here.group, message["message_id"])
            assert after is not None
            assert data_under(after) == []
            version = here.item().version
            here.world.put_message(message)
            query = here.press(here.members[0], here.group, message, buttons.EXPEL)
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.dead_target")
            assert here.item().version == version

    asyncio.run(play())


def test_the_right_to_expel_is_asked_again_at_the_press() -> None:
    async def play() -> None:
        async with at_night() as here:
            chief = here.members[1]
            here.world.promote_member(chief, here.group)
            await typed(here, chief, "/expel 3")
            here.world.set_membership(here.group, chief, "member")
            here.clock.advance(RIGHTS_S)
            before = public(here).seats
            query = here.press(chief, here.group, here.newest(here.group), buttons.EXPEL)
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.host_only")
            assert public(here).seats == before

    asyncio.run(play())


@pytest.mark.parametrize("code", [buttons.EXPEL, buttons.START])
def test_an_admin_of_another_group_is_none_here(code: str) -> None:
    """A made-up client may send any text with any message of the bot, also with one of its own group."""

    async def play() -> None:
        async with at_night() if code == buttons.EXPEL else in_a_lobby() as here:
            crook = here.members[5]
            own = here.world.new_group("他的群", crook)
            here.world.add_bot(own, crook)
            await here.deliver()
            hello = here.world.messages(own)[-1]
            before = here.item()
            data = str(buttons.Data(here.table_id(), 0, code, "3" if code == buttons.EXPEL else buttons.YES))
            query = here.world.press(crook, own, hello["message_id"], data)
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.host_only")
            assert here.item() == before

    asyncio.run(play())


def test_a_lobby_that_is_cancelled_does_not_say_that_it_began() -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            card = here.newest(here.group)["message_id"]
            await typed(here, here.members[0], "/cancel")
            after = here.world.message(here.group, card)
            assert after is not None
            assert data_under(after) == []
            assert say("lobby.started", count=8) not in after["text"]

    asyncio.run(play())


def test_a_game_that_is_cancelled_asks_nobody_any_more() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            await typed(here, here.members[0], "/cancel")
            assert here.table().phase == "over"
            for chat in (here.group, *here.members):
                for message in here.world.messages(chat):
                    codes = {data.code for text in data_under(message) if (data := buttons.parse(text))}
                    assert codes <= {buttons.CARD}, (chat, message["text"])
            calls = len(here.world.calls)
            await here.pass_time(3600.0)
            assert len(here.world.calls) == calls

    asyncio.run(play())


def test_who_plays_is_said_of_what_all_may_know() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            (words,) = await typed(here, here.members[0], "/players")
            lines = words.splitlines()
            assert len(lines) == 8
            for seat, line in zip(public(here).seats, lines, strict=True):
                assert line.startswith(f"{seat.number} {here.table().person(seat.number).name}")
                assert ("💀" in line) is not seat.alive
                shown = {say(f"role.{card}") for card in seat.cards}
                hidden = {say(f"role.{role}") for role in here.table().play().deck} - shown
                assert all(word in line for word in shown if not seat.alive)
                assert not [word for word in hidden if word in line]

    asyncio.run(play())


def test_at_night_the_list_of_players_stands_still() -> None:
    async def play() -> None:
        async with at_night() as here:
            first = await typed(here, here.members[0], "/players")
            script = Script(here, 2)
            for _ in range(20):
                await here.deliver()
                if public(here).phase != "night":
                    break
                assert await typed(here, here.members[0], "/players") == first
                script.go_on()

    asyncio.run(play())


def test_the_card_is_read_in_private_and_in_the_group_only_called_for() -> None:
    async def play() -> None:
        async with at_night() as here:
            assert await typed(here, here.members[1], "/card") == [say("card.here")]
            assert [d.code for t in data_under(here.newest(here.group)) if (d := buttons.parse(t))] == ["c"]
            for seat in range(1, 9):
                user = here.table().person(seat).user
                (words,) = await typed(here, user, "/card", user)
                mine = view_for(here.table().play(), seat).mine
                assert mine is not None
                assert all(say(f"role.{role}") in words for role in mine.roles)
                sent = here.world.messages(user)[-1]
                assert sent["has_protected_content"]
                actions = [p for p in mine.prompts if p.action not in buttons.PUBLIC_ACTIONS]
                assert bool(data_under(sent)) == bool(actions)
            stranger = here.world.new_member("客", "zh-hans")
            here.world.start_bot(stranger)
            await here.deliver()
            assert await typed(here, stranger, "/card", stranger) == [say("reply.no_seat_anywhere")]

    asyncio.run(play())


# Leaving ---------------------------------------------------------------------------------------------------


def test_leaving_a_lobby_by_typing_in_the_group_or_in_private() -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            assert await typed(here, here.members[2], "/leave") == [say("reply.left")]
            assert await typed(here, here.members[2], "/leave") == [say("reply.not_joined")]
            user = here.members[3]
            assert await typed(here, user, "/leave", user) == [say("reply.left")]
            assert [p.user for p in here.table().people] == [
                m for m in here.members if m not in (user, here.members[2])
            ]
            assert len(await typed(here, user, "/leave", user)) == 1

    asyncio.run(play())


def test_leaving_a_game_by_typing_in_private_is_for_good() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            seat = next(s.number for s in reversed(public(here).seats) if s.alive)
            user = here.table().person(seat).user
            assert await typed(here, user, "/leave", user) == [say("reply.left_game")]
            assert not public(here).seats[seat - 1].alive
            version = here.item().version
            assert await typed(here, user, "/leave", user) == [say("reply.gone_already")]
            stranger = here.world.new_member("客", "zh-hans")
            here.world.join_group(stranger, here.group)
            assert await typed(here, stranger, "/leave") == [say("reply.no_seat")]
            assert here.item().version == version

    asyncio.run(play())


def test_a_host_who_leaves_a_lobby_hands_on() -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            await typed(here, here.members[0], "/leave")
            assert here.table().opener == here.members[1]
            assert (await typed(here, here.members[1], "/cancel"))[0] == say("notice.cancelled", by="乙")

    asyncio.run(play())


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_host_who_leaves_a_game_hands_on_in_the_order_of_joining(shuffled: bool) -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=DEAL) as here:
            await Script(here, 2).begin(options={"shuffle_seats": shuffled})
            assert ([p.user for p in here.table().people] != here.members) is shuffled
            await typed(here, here.members[1], "/leave")
            assert here.table().opener == here.members[0]
            await typed(here, here.members[0], "/leave")
            assert here.table().phase == "playing"
            assert here.table().opener == here.members[2], "the next that lives (G13)"
            assert (await typed(here, here.members[2], "/extend 5"))[0] == say("notice.extended", by="丙")

    asyncio.run(play())


def test_a_dead_host_is_still_the_host() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            seat = here.table().seat_of(here.members[0])
            await typed(here, here.members[0], f"/expel {seat}")
            here.press(here.members[0], here.group, here.newest(here.group), buttons.EXPEL)
            await here.deliver()
            assert not public(here).seats[seat - 1].alive
            assert here.table().opener == here.members[0]
            assert (await typed(here, here.members[0], "/extend 5"))[0] == say("notice.extended", by="甲")

    asyncio.run(play())


# Once ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["skip", "extend 30", "warn 3", "cancel", "cancel@{us}", "leave", "newgame"])
def test_a_command_that_is_delivered_again_happens_once(text: str) -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            user = here.members[0]
            here.world.calls.clear()
            here.world.say(user, here.group, "/" + text.format(us=us(here)))
            update = here.world.waiting()[0].update
            await here.deliver()
            after, words = here.item(), told(here, here.group)
            here.world.calls.clear()
            for _ in range(2):
                assert (await bring(here, update)).status == 200
            assert here.item() == after
            assert set(told(here, here.group)) <= set(words[-1:]), "at most its own answer again"

    asyncio.run(play())


def test_two_who_ask_for_a_game_share_one_lobby() -> None:
    async def play() -> None:
        async with town(3, direct=True) as here:
            here.world.say(here.members[0], here.group, "/newgame")
            first = here.world.waiting()[-1].update
            await here.deliver()
            table = here.table_id()
            await typed(here, here.members[1], "/newgame")
            assert (here.table_id(), here.table().opener) == (table, here.members[0])
            version = here.item().version
            await bring(here, first)
            assert (here.table_id(), here.item().version) == (table, version)

    asyncio.run(play())


def test_a_join_that_is_delivered_again_takes_one_seat() -> None:
    async def play() -> None:
        async with town(3, direct=True) as here:
            await here.ask_for_a_game()
            here.world.say(here.members[1], here.group, "/join")
            update = here.world.waiting()[0].update
            await here.deliver()
            after = here.item()
            await bring(here, update)
            assert here.item() == after
            assert [person.user for person in here.table().people] == [here.members[1]]

    asyncio.run(play())


# Languages -------------------------------------------------------------------------------------------------

CODES = {
    "zh": "zh_Hans",
    "zh-hans": "zh_Hans",
    "zh-CN": "zh_Hans",
    "zh-SG": "zh_Hans",
    "zh-Hans-TW": "zh_Hans",
    "zh-hant": "zh_Hant",
    "zh-TW": "zh_Hant",
    "zh-HK": "zh_Hant",
    "zh-MO": "zh_Hant",
    "zh-Hant-HK": "zh_Hant",
    "en": "en",
    "de": "en",
    "zhx": "en",
    "": "en",
}


@pytest.mark.parametrize(("code", "language"), CODES.items())
def test_a_group_speaks_as_who_opened_its_table(code: str, language: str) -> None:
    async def play() -> None:
        async with town(1, direct=True) as here:
            opener = here.world.new_member("开", code)
            here.world.join_group(opener, here.group)
            (card,) = await typed(here, opener, "/newgame")
            assert here.table().language == language
            assert say("lobby.empty", language) in card
            other = here.world.new_member("客", "zh-hans")
            here.world.join_group(other, here.group)
            assert await typed(here, other, "/cancel") == [say("reply.host_only", language)]

    asyncio.run(play())


def choose(here: Town, user: int, chat: int, language: str) -> str:
    index = languages.LANGUAGES.index(language)
    return here.press(user, chat, here.newest(chat), buttons.LANGUAGE, str(index))


def test_a_language_chosen_in_private_wins_there_and_only_there() -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            user = here.members[3]
            assert await typed(here, user, "/language", user) == [say("language.which")]
            query = choose(here, user, user, "en")
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.language_set", "en", name="English")
            assert say("help.intro", "en") in (await typed(here, user, "/help", user))[0]
            assert here.table().language == "zh_Hans"
            query = here.press(user, here.group, here.newest(here.group), buttons.JOIN)
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.joined_already", "en", seat=4)
            assert (await typed(here, user, "/help"))[0].startswith(say("help.intro"))

    asyncio.run(play())


@pytest.mark.parametrize("language", languages.LANGUAGES)
def test_a_language_is_chosen_for_the_group_by_who_may(language: str) -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            lobby = here.newest(here.group)["message_id"]
            assert await typed(here, here.members[4], "/language") == [say("language.which")]
            query = choose(here, here.members[4], here.group, language)
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.host_only")
            assert here.table().language == "zh_Hans"
            query = choose(here, here.members[0], here.group, language)
            await here.deliver()
            assert here.answer(query)["text"] == say(
                "reply.language_set", language, name=languages.NAMES[languages.LANGUAGES.index(language)]
            )
            assert here.table().language == language
            card = here.world.message(here.group, lobby)
            assert card is not None
            assert say("lobby.enough", language, count=8, fewest=8, most=18) in card["text"]
            await typed(here, here.members[0], "/cancel")
            (card_again,) = await typed(here, here.members[1], "/newgame")
            assert say("lobby.empty", language) in card_again, "it is the group's, whoever opens the next table"

    asyncio.run(play())


def test_menus_are_english_by_default_and_chinese_for_chinese_clients() -> None:
    async def play() -> None:
        async with town(1, direct=True) as here:
            await here.moderator.introduce()
            chinese, german = here.members[0], here.world.new_member("d", "de")
            here.world.join_group(german, here.group)
            for user, language in ((chinese, "zh_Hans"), (german, "en")):
                here.world.start_bot(user)
                for chat, names in ((here.group, keys.COMMANDS), (user, texts.IN_PRIVATE)):
                    menu = {m["command"]: m["description"] for m in here.world.commands_for(chat, user)}
                    assert menu == {name: say(f"command.{name}", language) for name in names}
            assert set(IN_GROUPS) <= set(keys.COMMANDS)
            assert set(IN_PRIVATE) - {"start"} <= set(texts.IN_PRIVATE)
            await here.deliver()

    asyncio.run(play())


def test_a_chat_that_has_chosen_traditional_has_its_menu_so() -> None:
    async def play() -> None:
        async with in_a_lobby() as here:
            await here.moderator.introduce()
            for chat, names in ((here.group, keys.COMMANDS), (here.members[0], texts.IN_PRIVATE)):
                await typed(here, here.members[0], "/language", chat)
                choose(here, here.members[0], chat, "zh_Hant")
                await here.deliver()
                menu = {m["command"]: m["description"] for m in here.world.commands_for(chat, here.members[0])}
                assert menu == {name: say(f"command.{name}", "zh_Hant") for name in names}
            other = here.world.commands_for(here.members[1], here.members[1])
            assert {m["description"] for m in other} == {say(f"command.{n}") for n in texts.IN_PRIVATE}

    asyncio.run(play())


def test_everything_said_is_a_sentence() -> None:
    """No key, no open brace, in any language, in any state of a table."""

    async def play(code: str) -> None:
        async with town(8, 2, direct=True, account=BotAccount(privacy=False)) as here:
            host = here.world.new_member("主", code)
            here.world.join_group(host, here.group)
            here.world.promote_member(host, here.group)
            here.world.start_bot(host)
            said: list[str] = []
            for opening in ("/rules@", "/newgame@"):
                said += await typed(here, host, f"{opening}{us(here)}")
                for name in IN_GROUPS:
                    said += await typed(here, host, f"/{name}@{us(here)}")
                    said += await typed(here, host, f"/{name}", host)
            assert len(said) > 50
            for text in said:
                assert "{" not in text
                assert not text.startswith(("reply.", "command.", "help.", "rules.", "lobby.", "notice."))

    for code in ("zh-hans", "zh-hant", "en"):
        asyncio.run(play(code))
