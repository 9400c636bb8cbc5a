"""What the world does to a game: odd names, a group that moves, a bot that is thrown out. Over real HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import permutations
from typing import Any

import pytest

from handlers import buttons
from infra.local.errors import bad_request, too_many
from infra.local.state import Waiting
from tests.handlers.script import Script
from tests.handlers.test_commands import told, typed
from tests.handlers.town import Town, data_under, public, say, town

DEAL = bytes([2]) * 32
NOT_MODIFIED = bad_request("message is not modified: specified new message content and reply markup are the same")


@asynccontextmanager
async def at_a_vote(kind: str = "supergroup", **keywords: Any) -> AsyncIterator[Town]:
    """A town in the middle of a game, on the local server."""
    async with town(8, 2, deal=DEAL, kind=kind, **keywords) as here:
        script = Script(here, 2)
        await script.begin()
        await script.until(lambda: (step := public(here).step) is not None and step.kind == "ballot")
        yield here


# Names -----------------------------------------------------------------------------------------------------

NAMES = {
    "<b>bold</b> & <a href='tg://user?id=1'>x</a>": "<b>bold</b> & <a href='…",
    "\u202eevil\u202c name\u200f": "evil name",
    "👨\u200d👩\u200d👧 👍🏽": "👨\u200d👩\u200d👧 👍🏽",
    "长" * 64: "长" * 23 + "…",
    "\u3164\u200b\u2800": "",
    "\n\t\r\n": "",
    "{seat} {0} %s \\": "{seat} {0} %s \\",
    "Z\u0335\u0321a\u0335l\u0335g\u0335o": "Zalgo",
}


def test_a_game_of_odd_names_is_played_to_its_end() -> None:
    async def play() -> None:
        async with town(1, 2, deal=DEAL) as here:
            here.members = [here.world.new_member(name, "zh-hans") for name in NAMES]
            for member in here.members:
                here.world.join_group(member, here.group)
            script = Script(here, 2)
            await script.begin()
            assert {p.user: p.name for p in here.table().people} == dict(
                zip(here.members, NAMES.values(), strict=True)
            )
            (words,) = await typed(here, here.members[0], "/players")
            for seat, person in enumerate(here.table().people, start=1):
                shown = person.name or say("nameless", seat=seat)
                escaped = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
                assert f"{seat} {escaped}" in words
            await typed(here, here.members[0], "/extend 5")
            await typed(here, here.members[0], "/warn 5")
            await typed(here, here.members[0], "/expel 6")
            label = here.newest(here.group)["reply_markup"]["inline_keyboard"][0][0]["text"]
            assert len(label) < 40
            await script.play()
            assert [call for call in here.world.calls if call.error is not None] == []
            for text in [t for chat in (here.group, *here.members) for t in here.texts(chat)]:
                assert "\u202e" not in text
                assert "长" * 24 not in text

    asyncio.run(play())


def test_a_host_without_a_visible_name_still_has_a_lobby() -> None:
    async def play() -> None:
        async with town(1) as here:
            host = here.world.new_member("\u3164", "zh-hans")
            here.world.join_group(host, here.group)
            here.world.start_bot(host)
            await typed(here, host, "/newgame")
            here.press(host, here.group, here.newest(here.group), buttons.JOIN)
            await here.deliver()
            assert say("nameless", seat=1) in here.newest(here.group)["text"]

    asyncio.run(play())


def test_a_group_with_an_odd_title_and_a_crowd_of_admins() -> None:
    async def play() -> None:
        async with town(2) as here:
            group = here.world.new_group("<b>&amp;\u202e{0}" + "长" * 100, here.members[0])
            here.world.add_bot(group, here.members[0])
            assert len(await typed(here, here.members[0], "/newgame", group)) == 1
            assert all(call.error is None for call in here.world.calls)

    asyncio.run(play())


# A group becomes a supergroup ------------------------------------------------------------------------------


def take(here: Town, new: int) -> tuple[Waiting, Waiting]:
    """Both updates of a migration, taken out of what waits: from the old group, and from the new one."""
    found = {}
    for waiting in here.world.waiting():
        message = waiting.update.get("message", {})
        for kind in ("migrate_to_chat_id", "migrate_from_chat_id"):
            if kind in message:
                found[kind] = waiting
                here.world.taken(waiting.update_id)
    assert len(found) == 2
    assert found["migrate_from_chat_id"].update["message"]["chat"]["id"] == new
    return found["migrate_to_chat_id"], found["migrate_from_chat_id"]


def put_back(here: Town, waiting: Waiting) -> None:
    here.world.queue_update("message", waiting.update["message"], waiting.queue)


ORDERS = sorted({order[:n] for n in (1, 2, 3) for order in permutations(("to", "from", "400"))})


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_a_game_goes_on_in_the_supergroup_whichever_news_comes_first(order: tuple[str, ...]) -> None:
    async def play() -> None:
        async with at_a_vote("group") as here:
            old, table = here.group, here.table_id()
            here.group = here.world.migrate(old)
            news = dict(zip(("to", "from"), take(here, here.group), strict=True))
            for what in order:
                if what == "400":
                    before = len(here.world.messages(here.group))
                    here.clock.advance(200.0)
                    await here.deliver()
                    assert len(here.world.messages(here.group)) > before, "the next word is said there"
                else:
                    put_back(here, news[what])
                    await here.deliver()
            assert here.table_id() == table
            assert len(await typed(here, here.members[0], "/players")) == 1
            assert await typed(here, here.members[0], "/newgame") == [say("reply.running")]
            assert (await typed(here, here.members[0], "/extend 5"))[0] == say("notice.extended", by="甲")
            await Script(here, 2).play()
            assert here.table().phase == "over"
            assert here.table().chat == here.group
            assert here.table().outbox == ()

    asyncio.run(play())


@pytest.mark.parametrize("order", [("to",), ("from",), ("to", "from"), ("from", "to")], ids="-".join)
def test_a_lobby_moves_too(order: tuple[str, ...]) -> None:
    async def play() -> None:
        async with town(8, 2, deal=DEAL, kind="group") as here:
            await here.ask_for_a_game()
            new = here.world.new_member("新", "zh-hans")
            here.world.join_group(new, here.group)
            await here.deliver()
            table = here.table()
            old, here.group = here.group, here.world.migrate(here.group)
            news = dict(zip(("to", "from"), take(here, here.group), strict=True))
            for what in order:
                put_back(here, news[what])
                await here.deliver()
            here.world.start_bot(new, f"join_{table.id}_{table.token}")
            await here.deliver()
            assert here.texts(new)[-1] == say("start.joined", seat=1), "membership is asked of the new group"
            await typed(here, here.members[0], "/newgame")
            assert here.table_id() == table.id
            for member in here.members[:7]:
                here.press(member, here.group, here.newest(here.group), buttons.JOIN)
                await here.deliver()
            here.world.leave_group(here.members[6], here.group)
            await here.deliver()
            assert here.members[6] not in [person.user for person in here.table().people]
            here.press(here.members[7], here.group, here.newest(here.group), buttons.JOIN)
            await here.deliver()
            here.press(here.members[0], here.group, here.newest(here.group), buttons.START)
            await here.deliver()
            assert here.table().phase == "playing"
            assert here.table().chat == here.group
            assert here.world.chat(old)["migrated_to"] == here.group

    asyncio.run(play())


@pytest.mark.parametrize("what", ["to", "from"])
def test_an_expulsion_after_the_move_is_by_the_admins_of_the_supergroup(what: str) -> None:
    async def play() -> None:
        async with at_a_vote("group") as here:
            here.group = here.world.migrate(here.group)
            news = dict(zip(("to", "from"), take(here, here.group), strict=True))
            put_back(here, news[what])
            await here.deliver()
            chief = here.world.new_member("头", "zh-hans")
            here.world.join_group(chief, here.group)
            here.world.promote_member(chief, here.group)
            seat = next(s.number for s in public(here).seats if s.alive)
            await typed(here, chief, f"/expel {seat}")
            here.press(chief, here.group, here.newest(here.group), buttons.EXPEL)
            await here.deliver()
            assert not public(here).seats[seat - 1].alive

    asyncio.run(play())


# The bot and the chats it is in ----------------------------------------------------------------------------


def test_a_bot_that_is_removed_ends_the_game_and_may_come_again() -> None:
    async def play() -> None:
        async with at_a_vote() as here:
            table = here.table_id()
            here.world.remove_bot(here.group, here.members[0])
            await here.deliver()
            assert here.table().phase == "over"
            assert here.table().outbox == ()
            for member in here.members:
                codes = {
                    d.code for m in here.world.messages(member) for t in data_under(m) if (d := buttons.parse(t))
                }
                assert codes <= {buttons.CARD}, "nobody is asked any more"
            calls = len(here.world.calls)
            await here.pass_time(3600.0)
            assert len(here.world.calls) == calls
            assert all(answer.status == 200 for answer in here.answers[-10:])
            here.world.calls.clear()
            here.world.add_bot(here.group, here.members[0])
            await here.deliver()
            assert told(here, here.group) == [say("group.hello")]
            assert len(await typed(here, here.members[0], "/newgame")) == 1
            assert here.table_id() != table
            assert here.table().phase == "lobby"

    asyncio.run(play())


def test_a_promotion_is_no_greeting() -> None:
    async def play() -> None:
        async with at_a_vote() as here:
            here.world.calls.clear()
            here.world.promote_bot(here.group, here.members[0], "can_delete_messages")
            here.world.demote_bot(here.group, here.members[0])
            await here.deliver()
            assert told(here, here.group) == []

    asyncio.run(play())


def test_a_player_who_blocks_the_bot_does_not_hold_up_the_game() -> None:
    async def play() -> None:
        async with town(8, 2, deal=DEAL) as here:
            script = Script(here, 2)
            await script.begin()
            blocked = here.members[4]
            here.world.block_bot(blocked)
            await here.deliver()
            await Script(here, 2, silent=(here.table().seat_of(blocked),)).play()
            assert here.table().phase == "over"
            assert not any(
                say("notice.unwritten", seat="\0").split("\0")[1] in text for text in here.texts(here.group)
            ), "after the deal nobody is told who cannot be written to"

    asyncio.run(play())


def test_a_player_who_cannot_be_dealt_his_card_is_named() -> None:
    async def play() -> None:
        async with town(8, 2, deal=DEAL) as here:
            await here.open_lobby()
            blocked = here.members[4]
            here.world.block_bot(blocked)
            await here.deliver()
            here.press(here.members[0], here.group, here.newest(here.group), buttons.START)
            await here.deliver()
            seat = here.table().seat_of(blocked)
            assert say("notice.unwritten", seat=f"{seat} 戊") in here.texts(here.group)
            here.world.start_bot(blocked)
            await here.deliver()
            (words,) = await typed(here, blocked, "/card", blocked)
            assert words
            assert words != say("reply.no_seat_anywhere")

    asyncio.run(play())


def test_not_modified_is_no_failure() -> None:
    async def play() -> None:
        async with at_a_vote() as here:
            for method in ("editMessageText", "editMessageReplyMarkup"):
                here.world.faults.refuse(method, NOT_MODIFIED, here.group, times=3)
            await Script(here, 2).play()
            assert here.table().outbox == ()
            assert {answer.status for answer in here.answers} == {200}

    asyncio.run(play())


@pytest.mark.parametrize("chat", ["group", "player", "everywhere"])
def test_too_many_requests_in_the_middle_of_a_deal(chat: str) -> None:
    async def play() -> None:
        async with town(8, 2, deal=DEAL) as here:
            await here.open_lobby()
            where = {"group": here.group, "player": here.members[3], "everywhere": None}[chat]
            here.world.faults.refuse("sendMessage", too_many(5), where, times=3)
            here.press(here.members[0], here.group, here.newest(here.group), buttons.START)
            await here.deliver()
            await here.pass_time(20.0)
            assert here.table().outbox == ()
            for seat, person in enumerate(here.table().people, start=1):
                cards = [t for t in here.texts(person.user) if any(e in t for e in "🐺🔮🧪🔫👤")]
                assert len(cards) >= 1, seat
                dealt = [call for call in here.world.calls if call.method == "sendMessage" and call.error is None]
                texts = [c.params["text"] for c in dealt if int(c.params["chat_id"]) == person.user]
                assert len(texts) == len(set(texts)), "nobody reads it twice"
            assert sum("🌙" in text and "8" in text for text in here.texts(here.group)) >= 1

    asyncio.run(play())


@pytest.mark.parametrize("error", ["429", "500", "dropped"])
def test_what_telegram_does_not_take_does_not_undo_a_command(error: str) -> None:
    async def play() -> None:
        async with at_a_vote() as here:
            faults = here.world.faults
            if error == "429":
                faults.too_many("sendMessage", 3, here.group)
            elif error == "500":
                faults.broken("sendMessage", here.group)
            else:
                faults.drop("sendMessage", here.group)
            step = public(here).step
            assert step is not None
            await typed(here, here.members[0], "/extend 30")
            await here.pass_time(10.0)
            after = public(here).step
            assert after is not None
            assert after.deadline == step.deadline + 30
            heard = here.texts(here.group).count(say("notice.extended", by="甲"))
            assert heard == 1 if error != "dropped" else heard in (1, 2)
            assert here.table().outbox == ()

    asyncio.run(play())
