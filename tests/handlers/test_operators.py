"""Whom the bot serves, how many, and what an operator can do to it while games are running."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from handlers import buttons, operators
from handlers.chats import PLAYER
from handlers.cli import main
from handlers.record import SORT, Table, key_of, pack
from handlers.table import KEPT_S
from handlers.telegram import serving
from handlers.telegram.desk import Served
from infra.local.store import Json
from infra.ports import Item, WholeStore
from infra.sqlite import SqliteStore
from tests.fakes import FakeClock
from tests.handlers.test_commands import told, typed
from tests.handlers.town import Town, data_under, say, town


def last(here: Town) -> Json:
    """The newest message of the group that has buttons."""
    return here.newest(here.group)


def store(here: Town) -> WholeStore:
    assert isinstance(here.store, SqliteStore)
    return here.store


def calls(here: Town, method: str) -> int:
    return sum(call.method == method and call.error is None for call in here.world.calls)


# Whom ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "served"),
    [
        ({}, Served()),
        ({"ALLOWED_CHATS": "", "MAX_TABLES": ""}, Served()),
        ({"ALLOWED_CHATS": " -100123, -7,", "MAX_TABLES": " 12 "}, Served(frozenset({-100123, -7}), 12)),
    ],
)
def test_settings_are_read(environ: dict[str, str], served: Served) -> None:
    assert serving.read(environ) == served


@pytest.mark.parametrize("environ", [{"ALLOWED_CHATS": "@friends"}, {"MAX_TABLES": "many"}])
def test_settings_that_are_no_numbers_are_refused(environ: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        serving.read(environ)


def test_a_group_that_is_not_served_is_told_once_and_left() -> None:
    async def play() -> None:
        async with town(2, direct=True, served=Served(frozenset({-5}))) as here:
            here.world.calls.clear()
            await here.deliver()
            assert told(here, here.group) == [say("group.unserved")]
            assert calls(here, "leaveChat") == 1
            assert here.world.membership(here.group, here.world.bot.id)["status"] == "left"
            await here.pass_time(300)
            assert len(told(here, here.group)) == 1

    asyncio.run(play())


def test_a_group_that_was_served_once_is_left_when_it_speaks() -> None:
    async def play() -> None:
        async with town(8, direct=True) as here:
            await here.begin()
            here.served = Served(frozenset({-5}))
            here.boot()
            here.world.calls.clear()
            here.press(here.members[0], here.group, last(here), buttons.CARD)
            await here.deliver()
            assert told(here, here.group) == [say("group.unserved")]
            assert here.table().phase == "over", "where the bot is not, no game goes on"

    asyncio.run(play())


def test_an_allowed_group_and_every_private_chat_are_served() -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            here.served = Served(frozenset({here.group}))
            here.boot()
            here.world.start_bot(here.members[0])
            await here.deliver()
            assert here.texts(here.members[0])[-1] == say("start.hello")
            assert await typed(here, here.members[0], "/newgame")
            assert calls(here, "leaveChat") == 0

    asyncio.run(play())


def test_a_group_stays_allowed_when_it_becomes_a_supergroup() -> None:
    async def play() -> None:
        async with town(2, direct=True, kind="group") as here:
            here.served = Served(frozenset({here.group}))
            here.boot()
            await typed(here, here.members[0], "/newgame")
            here.group = here.world.migrate(here.group)
            await here.deliver()
            assert await typed(here, here.members[1], f"/players@{here.world.bot.username}")
            assert calls(here, "leaveChat") == 0

    asyncio.run(play())


# How many --------------------------------------------------------------------------------------------------


def test_no_more_tables_are_opened_than_there_may_be() -> None:
    async def play() -> None:
        async with town(2, direct=True, served=Served(tables=1)) as here:
            first = here.group
            await typed(here, here.members[0], "/newgame")
            second = here.world.new_group("another", here.members[0])
            here.world.add_bot(second, here.members[0])
            assert await typed(here, here.members[0], "/newgame", second) == [say("reply.all_taken")]
            assert len(await typed(here, here.members[0], "/newgame", first)) == 1, "the open one is posted anew"
            await typed(here, here.members[0], "/cancel", first)
            assert await typed(here, here.members[0], "/newgame", second) != [say("reply.all_taken")]

    asyncio.run(play())


def test_while_draining_no_table_is_opened_and_the_running_one_goes_on() -> None:
    async def play() -> None:
        async with town(8, direct=True) as here:
            await here.begin()
            operators.drain(here.store, on=True)
            table = here.table_id()
            here.house_plays()
            await here.play()
            await here.deliver()
            assert here.table_id() == table
            assert await typed(here, here.members[0], "/newgame") == [say("reply.draining")]
            again = next(m for m in reversed(here.world.messages(here.group)) if data_under(m))
            query = here.press(here.members[0], here.group, again, buttons.OPENING[0])
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.draining")
            assert here.table_id() == table
            operators.drain(here.store, on=False)
            here.press(here.members[0], here.group, again, buttons.OPENING[0])
            await here.deliver()
            assert here.table_id() != table

    asyncio.run(play())


# Memory ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("private", [True, False])
def test_privacy_says_how_long(private: bool) -> None:
    async def play() -> None:
        async with town(1, direct=True) as here:
            user = here.members[0]
            here.world.start_bot(user)
            chat = user if private else here.group
            said = await typed(here, user, f"/privacy@{here.world.bot.username}", chat)
            assert said == [say("privacy", days=round(KEPT_S / 86_400))]

    asyncio.run(play())


def test_who_is_forgotten_leaves_no_trace_in_what_is_over() -> None:
    async def play() -> None:
        async with town(8, direct=True) as here:
            await here.begin()
            user = here.members[0]
            refused = operators.forget(store(here), user)
            assert refused.still == (here.table_id(),), "at an open table he is still needed"
            assert here.table().seat_of(user)
            here.house_plays()
            await here.play()
            await here.pass_time(60)
            forgotten = operators.forget(store(here), user)
            assert (forgotten.still, forgotten.tables) == ((), (here.table_id(),))
            table = here.table()
            assert str(user) not in repr(replace(table, game=b""))
            assert len(table.people) == 8, "the seats of the others are the same"
            assert here.store.get(f"PLAYER#telegram:{user}", PLAYER) is None
            assert here.store.get(f"PLAYER#telegram:{here.members[1]}", PLAYER) is not None
            assert operators.forget(store(here), user) == operators.Forgotten(known=False, tables=(), still=())

    asyncio.run(play())


def test_a_host_without_a_seat_is_forgotten_too() -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            await typed(here, here.members[0], "/newgame")
            await typed(here, here.members[0], "/cancel")
            await here.pass_time(60)
            assert operators.forget(store(here), here.members[0]).tables == (here.table_id(),)
            assert here.table().opener == 0
            assert here.table().opener_name == ""

    asyncio.run(play())


# The console script ----------------------------------------------------------------------------------------


def test_the_script_does_it_on_one_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with SqliteStore(tmp_path / "nightfall.sqlite", FakeClock()) as there:
        assert main(["drain", "--data", str(tmp_path)]) == 0
        assert operators.is_draining(there)
        assert main(["drain", "--off", "--data", str(tmp_path)]) == 0
        assert not operators.is_draining(there)
        assert main(["forget", "5", "--data", str(tmp_path)]) == 0
        assert "Nothing was known" in capsys.readouterr().out
        table = Table(id="ab12cd34", chat=-1, language="en", opener=5)
        there.put_same(Item(key_of(table.id), SORT, 1, pack(table)))
        assert main(["forget", "5", "--data", str(tmp_path)]) == 1
        assert table.id in capsys.readouterr().err
    assert main(["drain", "--data", str(tmp_path / "elsewhere")]) == 1


@pytest.mark.parametrize(
    "given", [["drain"], ["forget", "--stage", "prod"], ["webhook", "--stage", "prod"], ["webhook", "set"]]
)
def test_the_script_wants_to_know_where(given: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(given)
