"""The pack's talk at night: who hears it, and that nobody else can tell that there is any."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from engine import view_for
from handlers.record import Whisper
from tests.handlers.script import Script
from tests.handlers.town import SECRET as TOWNS_SECRET
from tests.handlers.town import Town, public, say, town

SECRET_WORDS = "先刀己，<b>装民</b>"


@asynccontextmanager
async def at_night() -> AsyncIterator[Town]:
    """A town of eight in its first night: two wolves, nobody has answered."""
    async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
        await here.begin()
        assert public(here).phase == "night"
        yield here


def wolves(here: Town) -> list[int]:
    """The seats of the pack."""
    game = here.table().play()
    return [seat for seat in range(1, 9) if (mine := view_for(game, seat).mine) and mine.roles == ("werewolf",)]


def hears(here: Town, seat: int) -> tuple[int, ...]:
    mine = view_for(here.table().play(), seat).mine
    assert mine is not None
    return mine.hears


def user_of(here: Town, seat: int) -> int:
    return here.table().person(seat).user


async def write(here: Town, seat: int, text: str) -> list[str]:
    """The seat writes to the bot in private; what it reads then."""
    user = user_of(here, seat)
    before = len(here.sent().get(user, []))
    here.world.say(user, user, text)
    await here.deliver()
    return here.sent().get(user, [])[before:]


def test_at_night_the_others_of_the_pack_hear_it_and_the_speaker_reads_no_echo() -> None:
    async def play() -> None:
        async with at_night() as here:
            speaker, fellow = wolves(here)
            before = {chat: len(texts) for chat, texts in here.sent().items()}
            assert await write(here, speaker, SECRET_WORDS) == []
            after = here.sent()
            fresh = {chat: texts[before[chat] :] for chat, texts in after.items() if len(texts) > before[chat]}
            name = f"{speaker} {here.table().person(speaker).name}"
            escaped = SECRET_WORDS.replace("<", "&lt;").replace(">", "&gt;")
            assert fresh == {user_of(here, fellow): [say("whisper", seat=name, text=escaped)]}
            call = next(c for c in reversed(here.world.calls) if c.method == "sendMessage")
            assert str(call.params["protect_content"]).lower() == "true"

    asyncio.run(play())


def test_it_is_in_no_event_and_gone_from_the_record_when_it_was_sent() -> None:
    async def play() -> None:
        async with at_night() as here:
            speaker, _ = wolves(here)
            today = here.table().today
            await write(here, speaker, SECRET_WORDS)
            table = here.table()
            assert table.today == today
            assert not any(isinstance(effect, Whisper) for effect in table.outbox)
            assert "装民" not in repr(table)

    asyncio.run(play())


def test_the_card_of_a_wolf_with_fellows_says_that_he_can_talk() -> None:
    async def play() -> None:
        async with at_night() as here:
            for seat in range(1, 9):
                told = any(say("card.pack_talk") in text for text in here.texts(user_of(here, seat)))
                assert told == (seat in wolves(here))

    asyncio.run(play())


@pytest.mark.parametrize(("length", "heard"), [(300, True), (301, False)])
def test_a_text_has_three_hundred_characters_at_most(length: int, heard: bool) -> None:
    async def play() -> None:
        async with at_night() as here:
            speaker, fellow = wolves(here)
            answer = await write(here, speaker, "刀" * length)
            assert answer == ([] if heard else [say("private.too_long", number=300)])
            assert any("刀刀刀" in text for text in here.texts(user_of(here, fellow))) == heard

    asyncio.run(play())


def test_one_text_in_two_seconds_a_person() -> None:
    async def play() -> None:
        async with at_night() as here:
            first, second = wolves(here)
            assert await write(here, first, "一") == []
            here.clock.advance(1.9)
            assert await write(here, first, "二") == [say("private.too_fast")]
            assert await write(here, second, "三") == []
            here.clock.advance(0.1)
            assert await write(here, first, "四") == []
            read = "".join(here.texts(user_of(here, second)))
            assert ("「一」" in read, "「二」" in read, "「四」" in read) == (True, False, True)

    asyncio.run(play())


def test_everybody_else_reads_the_same_one_sentence_by_day_and_night() -> None:
    async def play() -> None:
        async with at_night() as here:
            pack = wolves(here)
            villagers = [seat for seat in range(1, 9) if seat not in pack]
            for seat in villagers:
                assert hears(here, seat) == ()
                assert await write(here, seat, "有人吗") == [say("private.unheard")]
                assert await write(here, seat, "刀" * 400) == [say("private.unheard")]
            await Script(here, 2).until(lambda: public(here).phase != "night")
            for seat in (*villagers, *pack):
                assert hears(here, seat) == ()
                assert await write(here, seat, "有人吗") == [say("private.unheard")]

    asyncio.run(play())


def test_who_has_no_seat_reads_it_too() -> None:
    async def play() -> None:
        async with town(2, 2, direct=True) as here:
            stranger, seated = here.members
            await here.ask_for_a_game()
            here.press(seated, here.group, here.newest(here.group), "j")
            await here.deliver()
            for user in (stranger, seated):
                here.world.say(user, user, "在吗")
                await here.deliver()
                assert here.sent()[user][-1] == say("private.unheard")

    asyncio.run(play())


def test_who_has_left_is_neither_heard_nor_hears() -> None:
    async def play() -> None:
        async with at_night() as here:
            first, second = wolves(here)
            here.world.say(user_of(here, second), user_of(here, second), "/leave")
            await here.deliver()
            assert not public(here).seats[second - 1].alive
            for seat in (first, second):
                assert hears(here, seat) == ()
                assert await write(here, seat, "喂") == [say("private.unheard")]

    asyncio.run(play())


def test_after_a_restart_the_pack_goes_on_and_a_repeated_update_says_nothing_twice() -> None:
    async def play() -> None:
        async with at_night() as here:
            first, second = wolves(here)
            assert await write(here, first, "一") == []
            here.boot()
            assert await write(here, first, "快") == [say("private.too_fast")]
            here.clock.advance(2.0)
            user = user_of(here, first)
            here.world.say(user, user, "二")
            body = json.dumps(here.world.waiting()[0].update).encode()
            await here.deliver()
            item, read = here.item(), here.texts(user_of(here, first))
            here.boot()
            answer = await here.moderator.door.handle({"X-Telegram-Bot-Api-Secret-Token": TOWNS_SECRET}, body)
            assert answer.status == 200
            assert here.item() == item
            assert here.texts(user_of(here, first)) == read
            assert sum("「二」" in text for text in here.texts(user_of(here, second))) == 1

    asyncio.run(play())


@pytest.mark.parametrize("seed", [2, 5, 9])
def test_who_hears_whom_is_mutual_and_no_secret_between_them(seed: int) -> None:
    async def play() -> None:
        async with town(14, seed, direct=True, deal=bytes([seed]) * 32) as here:
            await here.begin(specials=("witch", "hunter", "thief", "cupid"))
            script, heard = Script(here, seed), 0
            while not script.is_over():
                await here.deliver()
                game = here.table().play()
                for seat in range(1, 15):
                    mine = view_for(game, seat).mine
                    assert mine is not None
                    known = {fact.about for fact in mine.facts if fact.what == "pack"}
                    assert set(mine.hears) <= known
                    assert all(seat in hears(here, fellow) for fellow in mine.hears)
                    assert not mine.hears or game.phase == "night"
                    heard += len(mine.hears)
                if not script.is_over():
                    script.go_on()
            assert heard

    asyncio.run(play())


def test_nobody_outside_the_pack_can_tell_whether_it_talks() -> None:
    async def course(talking: bool) -> dict[int, list[str]]:
        async with at_night() as here:
            pack = wolves(here)
            users = {user_of(here, seat) for seat in pack}
            for text in ("一", "二", "三"):
                for seat in pack if talking else []:
                    await write(here, seat, text)
                await here.pass_time(3.0)
            await here.pass_time(200.0)
            return {chat: texts for chat, texts in here.sent().items() if chat not in users}

    silent, talking = asyncio.run(course(False)), asyncio.run(course(True))
    assert len(silent) == 7
    assert silent == talking
