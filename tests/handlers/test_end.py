"""The end: the story tells what happened, long texts are split, and the buttons lead to the next game."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from engine import Event, Fate, Game, verify
from engine import events as e
from handlers import buttons, chronicle, notices
from handlers.record import Person, Table, key_of, unpack
from handlers.telegram import client as telegram_client
from handlers.telegram.pages import LONGEST, pages
from handlers.wording.ending import check_text, ending
from handlers.wording.scribe import Plain, Scribe
from handlers.wording.story import story
from infra.local.formatting import parse_html, utf16
from tests.engine.simulation import BOOKS_AND_SEATS, random_game, tables
from tests.handlers.oracle import is_death, judge, label
from tests.handlers.process import SENDS
from tests.handlers.script import Script
from tests.handlers.town import NAMES, Town, data_under, say, town, without_clock

EVERYBODY = ("witch", "hunter", "cupid", "guard", "thief", "little_girl")
EMOJI_NAME = "🐺" * 24


def people(count: int) -> tuple[Person, ...]:
    return tuple(Person(seat, NAMES[seat - 1], "zh_Hans") for seat in range(1, count + 1))


def scribe(table: Table, death: bool = False) -> Scribe:
    return Scribe("zh_Hans", table.people, Plain(), 0.0, death)


# The story -------------------------------------------------------------------------------------------------


def chronicled(seats: int, course: Iterator[Any]) -> tuple[Table, list[Event]]:
    """A game as notices keep it, and all that has happened in it."""
    table = Table(id="a" * 8, chat=-1, language="zh_Hans", opener=1, people=people(seats), began=0.0)
    before: Game | None = None
    happened: list[Event] = []
    for moment in course:
        table = notices.notice(table, before, moment.game, moment.events, moment.now)
        table = replace(table, outbox=(), messages={}, today=())
        before = moment.game
        happened += moment.events
    return table, happened


@pytest.mark.parametrize(("book", "seats"), BOOKS_AND_SEATS)
def test_the_story_of_random_games_is_what_happened(book: str, seats: int) -> None:
    for setup, house in tables(book, seats):
        table, happened = chronicled(seats, random_game(setup, house))
        judge(story(scribe(table, is_death(happened)), table.chronicle), happened)


def test_an_idiot_who_lives_falls_with_the_elder() -> None:
    """What random games hardly ever come to."""
    table, happened = chronicled(8, random_game(*next(tables("new_moon", 8))))
    ended = next(event for event in happened if isinstance(event, e.Ended))
    fates = [replace(fate, fate={2: "lynch", 5: "curse"}.get(fate.seat, "alive")) for fate in ended.result.fates]
    course = (
        next(event for event in happened if isinstance(event, e.Started)),
        e.NightFell("everybody", 1),
        e.Fell("everybody", "night", (), 1),
        e.BallotClosed("everybody", 9, "vote.lynch", 0, (), ((5, 4), (1, 2)), (5,), again=False),
        e.TurnedOver("everybody", 5, "idiot"),
        e.NightFell("everybody", 2),
        e.Wounded("nobody", 2, 1),
        e.Fell("everybody", "night", (), 2),
        e.BallotClosed("everybody", 12, "vote.lynch", 0, (), ((2, 3),), (2,), again=False),
        e.Fell("everybody", "lynch", (e.Death(2),), 2),
        e.PowersLost("nobody", 2),
        e.Fell("everybody", "curse", (e.Death(5),), 2, by=2),
        replace(ended, result=replace(ended.result, fates=tuple(fates))),
    )
    text = story(scribe(table), [part for event in course if (part := chronicle.for_the_story(event)) is not None])
    judge(text, course)
    assert "5 戊 被投出 4:2，翻牌是白痴，活了下来" in text
    assert text.endswith("第 2 天：放逐 2 乙 3:0；2 乙 一死，好人的能力全失；5 戊 随 2 乙 倒下。")


def test_a_chronicle_is_kept_small() -> None:
    setup, house = next(tables("classic", 18))
    table, happened = chronicled(18, random_game(setup, house))
    assert len(table.chronicle) < len(happened) / 2
    assert not any(isinstance(event, e.BallotClosed) and event.votes for event in table.chronicle)
    assert not any(isinstance(event, e.Begun | e.CardDealt) for event in table.chronicle)


def test_before_its_end_a_game_has_no_story() -> None:
    setup, house = next(tables("classic", 12))
    course = list(random_game(setup, house))
    table, _ = chronicled(12, iter(course[: len(course) // 2]))
    assert table.chronicle
    assert story(scribe(table), table.chronicle) == ""


def test_a_new_game_begins_a_new_chronicle() -> None:
    first, _ = chronicled(8, random_game(*next(tables("classic", 8))))
    moment = next(random_game(*next(tables("classic", 8))))
    again = notices.notice(first, None, moment.game, moment.events, moment.now)
    assert not any(isinstance(event, e.Ended | e.Fell) for event in again.chronicle)


def archived(here: Town) -> list[Event]:
    """All that has happened at the group's table, from the rows of its days."""
    table = here.table()
    rows = here.store.list(key_of(table.id), f"GAME#{table.games:04}#")
    return [event for row in rows for day in unpack(row.body).today for event in day.events]


@pytest.mark.parametrize(
    ("members", "seed", "fields"),
    [
        (8, 1, {}),
        (8, 2, {"options": {"speech": "turns", "ballots": "open"}}),
        (12, 3, {"options": {"reveal_on_death": False, "reveal_on_lynch": False}}),
        (18, 3, {"specials": EVERYBODY}),
        (14, 5, {"specials": EVERYBODY, "options": {"seer_sees": "camp", "tie": "runoff"}}),
    ],
)
def test_the_last_message_of_a_played_game(members: int, seed: int, fields: dict[str, Any]) -> None:
    async def play() -> None:
        async with town(members, seed, direct=True, deal=bytes([seed]) * 32) as here:
            script = Script(here, seed)
            await script.begin(**fields)
            await script.play()
            text = here.texts(here.group)[-1]
            happened = archived(here)
            (ended,) = (event for event in happened if isinstance(event, e.Ended))
            table = here.table()
            minutes = max(1, round((table.ended - table.began) / 60))
            first = text.split("\n")[0]
            assert first == f"{say(f'end.{ended.result.camp}')} {ended.days} 天 · {minutes} 分钟"
            for fate in ended.result.fates:
                (line,) = re.findall(rf"^\S+ {label(fate.seat)} .*$", text, re.MULTILINE)
                assert say(f"role.{fate.roles[0]}") in line
                assert say(f"fate.{fate.fate}") in line
                assert ("🏆" in line) == fate.won
            judge(text[text.index("📖") :], happened)
            assert ended.seed in text
            assert ended.line in text
            assert sha256(ended.line.encode()).hexdigest() in text
            assert verify(ended.line).honest
            (start,) = (said for said in here.texts(here.group) if "对局开始" in said)
            published = re.search("封条 ([0-9a-f]{16})…", start)
            assert published is not None
            assert verify(ended.line).fingerprint.startswith(published[1])
            under = data_under(here.newest(here.group))
            assert [str(buttons.parse(data).code) for data in under] == ["ag", "an", "vf"]  # type: ignore[union-attr]

    asyncio.run(play())


# Nothing before the end ------------------------------------------------------------------------------------


def test_nothing_of_the_chronicle_is_sent_before_the_end() -> None:
    """The same game with its chronicle torn up again and again is the same to everybody until its end."""

    async def course(torn: bool) -> list[tuple[str, str, str]]:
        async with town(14, 5, direct=True, deal=bytes([5]) * 32) as here:
            script = Script(here, 5)
            await script.begin(specials=EVERYBODY)
            while not script.is_over():
                await here.deliver()
                table = here.table()
                if torn and table.phase == "playing" and table.chronicle and table.lease is None:
                    here.change(chronicle=())
                if not script.is_over():
                    script.go_on()
            assert here.table().chronicle
            calls = [
                (call.method, str(call.params["chat_id"]), without_clock(str(call.params.get("text", ""))))
                for call in here.world.calls
                if call.method in SENDS
            ]
            first = next(index for index, call in enumerate(calls) if "🏁" in call[2])
            assert not any("📖" in call[2] for call in calls[:first])
            return calls[:first]

    whole, torn = asyncio.run(course(False)), asyncio.run(course(True))
    assert len(whole) > 50
    assert torn == whole


# Checking --------------------------------------------------------------------------------------------------


def test_before_the_end_the_check_gives_the_hash_alone_and_then_the_line() -> None:
    setup, house = next(tables("classic", 12))
    course = list(random_game(setup, house))
    (started,) = (event for event in course[0].events if isinstance(event, e.Started))
    early, _ = chronicled(12, iter(course[:5]))
    text = check_text(scribe(early), early)
    assert started.fingerprint in text
    assert setup.seed.hex() not in text
    late, happened = chronicled(12, iter(course))
    (ended,) = (event for event in happened if isinstance(event, e.Ended))
    text = check_text(scribe(late), late)
    assert ended.line in text
    assert f"nightfall verify '{ended.line}' {started.fingerprint}" in text
    lobby = Table(id="a" * 8, chat=-1, language="zh_Hans", opener=1)
    assert check_text(scribe(lobby), lobby) == say("reply.not_started")


# Long texts ------------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    return parse_html(text, lambda _user: None)[0]


def test_a_short_text_is_one_message() -> None:
    assert pages("<b>天黑</b>\n请闭眼") == ["<b>天黑</b>\n请闭眼"]
    assert pages("") == [""]
    assert pages("🐺" * (LONGEST // 2)) == ["🐺" * (LONGEST // 2)]


@pytest.mark.parametrize("longest", [10, 37, 100, LONGEST])
def test_a_long_text_is_split_at_its_lines_and_nothing_is_lost(longest: int) -> None:
    lines = [f"<b>{index}</b> &lt;🐺&gt; &amp;" for index in range(900)]
    parts = pages("\n".join(lines), longest)
    assert "\n".join(parts) == "\n".join(lines)
    assert all(0 < utf16(plain(part)) <= longest for part in parts)
    for one, two in pairwise(parts):
        assert utf16(plain(one)) + 1 + utf16(plain(two.split("\n")[0])) > longest


@pytest.mark.parametrize("longest", [2, 7, 64, LONGEST])
def test_a_line_that_is_too_long_is_split_within_without_breaking_its_tags(longest: int) -> None:
    text = "x\n<b>" + "<code>🐺&amp;狼</code> " * 2000 + '</b>\n<a href="tg://user?id=1">' + "甲" * 5000 + "</a>"
    parts = pages(text, longest)
    assert "".join(map(plain, parts)).replace("\n", "").replace(" ", "") == (
        plain(text).replace("\n", "").replace(" ", "")
    )
    assert all(utf16(plain(part)) <= longest for part in parts)


@pytest.mark.parametrize(("book", "seats"), [("classic", 18), ("new_moon", 18), ("lupus", 24), ("lupusburg", 8)])
def test_the_longest_end_of_all_is_split_where_it_must_be(book: str, seats: int) -> None:
    longest, message = "", 0
    for setup, house in tables(book, seats):
        table, happened = chronicled(seats, random_game(setup, house))
        (ended,) = (event for event in happened if isinstance(event, e.Ended))
        long = replace(table, people=tuple(replace(person, name=EMOJI_NAME) for person in table.people))
        text = ending(scribe(long), long, ended)
        parts = pages(text)
        assert all(utf16(part) <= LONGEST for part in parts)
        assert "\n".join(parts) == text
        longest, message = max((longest, message), (text, len(parts)), key=lambda found: len(found[0]))
    assert utf16(longest) > LONGEST
    assert message > 1


def test_whoever_wins_with_another_side_than_the_card_has_it_beside_the_card() -> None:
    """A wolf in love; the Cupid who wins with two wolves. All others have their card alone."""
    table, happened = chronicled(12, random_game(*next(tables("classic", 12))))
    (ended,) = (event for event in happened if isinstance(event, e.Ended))
    seats = (
        ("werewolf", "lovers", "（情侣阵营）"),
        ("werewolf", "wolves", ""),
        ("villager", "lovers", "（情侣阵营）"),
        ("cupid", "wolves", "（狼人阵营）"),
        ("cupid", "village", ""),
        ("possessed", "wolves", ""),
        ("piper", "piper", ""),
        ("piper", "lovers", "（情侣阵营）"),
        ("werehamster", "werehamster", ""),
    )
    fates = tuple(Fate(n, (role,), camp, "alive", True) for n, (role, camp, _) in enumerate(seats, start=1))
    lines = ending(scribe(table), table, replace(ended, result=replace(ended.result, fates=fates))).split("\n")
    for fate, (role, _, side) in zip(fates, seats, strict=True):
        (line,) = (line for line in lines if f" {label(fate.seat)} " in line and "🏆" in line)
        assert f" {say(f'role.{role}')}{side} · " in line


@pytest.mark.parametrize(
    ("book", "said", "unsaid"), [("lupus", "被处死", "被放逐"), ("classic", "被放逐", "被处死")]
)
def test_whom_a_verdict_has_killed_was_executed(book: str, said: str, unsaid: str) -> None:
    """Where the day ends with a ballot alone, he was voted out."""
    for setup, house in tables(book, 12):
        table, happened = chronicled(12, random_game(setup, house))
        (ended,) = (event for event in happened if isinstance(event, e.Ended))
        text = ending(scribe(table), table, ended)
        assert text.count(f"· {said}") == sum(fate.fate == "lynch" for fate in ended.result.fates)
        assert unsaid not in text


def test_a_split_end_has_its_buttons_under_the_last_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telegram_client, "pages", lambda text: pages(text, 700))

    async def play() -> None:
        async with town(18, 3, direct=True, deal=bytes([3]) * 32) as here:
            script = Script(here, 3)
            await script.begin()
            await script.play()
            messages = here.world.messages(here.group)
            first = next(index for index, m in enumerate(messages) if m.get("text", "").startswith("🏁"))
            end = messages[first:]
            assert len(end) > 2
            assert all(utf16(m["text"]) <= 700 for m in end)
            assert [bool(data_under(m)) for m in end] == [False] * (len(end) - 1) + [True]
            (ended,) = (event for event in archived(here) if isinstance(event, e.Ended))
            whole = "\n".join(m["text"] for m in end)
            assert ended.line in whole.replace("\n", "") or ended.line in whole

    asyncio.run(play())


# The buttons -----------------------------------------------------------------------------------------------


async def finished(here: Town, **fields: Any) -> dict[str, Any]:
    """Play a game to its end; the message with the buttons."""
    script = Script(here, 2)
    await script.begin(**fields)
    await script.play()
    return here.newest(here.group)


def lobbies(here: Town) -> list[dict[str, Any]]:
    """The messages that are lobbies still open."""
    return [
        message
        for message in here.world.messages(here.group)
        if any(data.split(".")[2] == buttons.JOIN for data in data_under(message))
    ]


def test_the_same_again_opens_a_lobby_with_the_same_choices_and_whoever_pressed_is_its_host() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            chosen = {"options": {"vote_s": 90}, "specials": ("hunter",), "idle": "expel"}
            end = await finished(here, **chosen)
            old = here.table_id()
            query = here.press(here.members[4], here.group, end, buttons.AGAIN)
            await here.deliver()
            table = here.table()
            assert here.answer(query)["text"] == say("reply.opened")
            assert table.id != old
            assert (table.phase, table.opener, table.people) == ("lobby", here.members[4], ())
            assert {key: getattr(table, key) for key in chosen} == chosen
            assert len(lobbies(here)) == 1
            left = [data for m in here.world.messages(here.group) for data in data_under(m) if old in data]
            assert [data.split(".")[2] for data in left] == [buttons.CHECK]

    asyncio.run(play())


def test_another_game_begins_with_what_the_book_says() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            end = await finished(here, options={"vote_s": 90}, specials=("hunter",))
            here.press(here.members[1], here.group, end, buttons.ANOTHER)
            await here.deliver()
            table = here.table()
            assert (table.options, table.specials, table.opener) == ({}, None, here.members[1])

    asyncio.run(play())


def test_pressed_by_all_at_once_and_again_it_is_one_lobby() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            end = await finished(here)
            codes = [buttons.AGAIN, buttons.ANOTHER] * 4
            pressed = [here.press(m, here.group, end, code) for m, code in zip(here.members, codes, strict=True)]
            pressed.append(here.press(here.members[0], here.group, end, buttons.AGAIN))
            await here.deliver()
            said = [here.answer(query)["text"] for query in pressed]
            assert said.count(say("reply.opened")) == 1
            assert said.count(say("reply.opened_already")) == len(pressed) - 1
            assert len(lobbies(here)) == 1

    asyncio.run(play())


def test_two_who_open_at_the_same_moment_find_the_same_table() -> None:
    """Both have seen that the last table is over before either has opened the next."""

    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            await finished(here)
            chats = here.moderator.door._desk.chats
            load, opened = chats._tables.create, list[str]()

            def create(table: Table) -> None:
                load(table)
                if len(opened) == 0:
                    opened.append(table.id)
                    opened.append(chats.open(here.group, None, "zh_Hans", Person(2, "乙", "zh_Hans"), "").id)

            chats._tables.create = create  # type: ignore[method-assign]
            mine = chats.open(here.group, None, "zh_Hans", Person(1, "甲", "zh_Hans"), "").id
            assert mine == opened[1] == here.table_id()

    asyncio.run(play())


def test_a_process_that_dies_before_it_has_posted_the_lobby_leaves_it_to_the_next_press() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            end = await finished(here)
            table = here.moderator.door._desk.chats.open(
                here.group, None, "zh_Hans", Person(here.members[3], "丁", "zh_Hans"), ""
            )
            assert lobbies(here) == []
            query = here.press(here.members[3], here.group, end, buttons.AGAIN)
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.opened")
            assert here.table_id() == table.id
            assert len(lobbies(here)) == 1

    asyncio.run(play())


def test_an_old_end_opens_nothing_while_a_game_is_running_and_a_lobby_after_it() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            end = await finished(here)
            script = Script(here, 2)
            await script.begin()
            running = here.table_id()
            query = here.press(here.members[3], here.group, end, buttons.AGAIN)
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.running")
            assert here.table_id() == running
            await script.play()
            query = here.press(here.members[3], here.group, end, buttons.AGAIN)
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.opened")
            assert here.table().opener == here.members[3]

    asyncio.run(play())


def test_a_press_that_was_made_up_opens_nothing() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            end = await finished(here)
            over = here.table_id()
            private = here.world.messages(here.members[0])[-1]
            for chat, message, table in (
                (here.members[0], private, over),
                (here.group, end, "zzzzzzzz"),
            ):
                data = buttons.Data(table, 0, buttons.AGAIN, buttons.YES)
                query = here.world.press(here.members[0], chat, message["message_id"], str(data))
                await here.deliver()
                assert here.answer(query)["text"] == say("reply.gone")
            assert here.table_id() == over

    asyncio.run(play())


def test_how_to_check_is_told_in_a_pop_up_to_anybody_and_changes_nothing() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            end = await finished(here)
            stranger = here.world.new_member("路人", "zh-hans")
            here.world.join_group(stranger, here.group)
            version = here.item().version
            for user in (here.members[0], stranger):
                query = here.press(user, here.group, end, buttons.CHECK)
                await here.deliver()
                answer = here.answer(query)
                assert answer["show_alert"] is True
                assert "SHA-256" in answer["text"]
                assert "nightfall verify" in answer["text"]
                assert utf16(answer["text"]) <= 200
            assert here.item().version == version

    asyncio.run(play())


def test_a_game_has_lasted_from_its_start_to_its_last_event() -> None:
    played, happened = chronicled(8, random_game(*next(tables("classic", 8))))
    (ended,) = (event for event in happened if isinstance(event, e.Ended))
    table = replace(played, began=played.ended - 840.0)
    assert f"{ended.days} 天 · 14 分钟" in ending(scribe(table), table, ended).split("\n")[0]
