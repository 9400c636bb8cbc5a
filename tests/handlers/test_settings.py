"""The lobby's options and deck, changed by buttons: by whom, how, and what is said where it is refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine import RULE_BOOKS, OptionRefused, RuleBook, view_for
from handlers import buttons, cards, lobby, settings
from handlers.chats import ChatRow
from handlers.counters import COUNTER_EVERY, COUNTERS_WAIT_FROM
from handlers.moves import Press
from handlers.outbox import sendable
from handlers.post import Post
from handlers.record import Budget, LobbyCard, Notice, Person, Reply, SettingsCard, Table
from handlers.telegram import keyboards
from handlers.telegram.paper import Html
from handlers.wording import lobby as lobby_words
from handlers.wording import options as words
from handlers.wording.scribe import Scribe
from infra.ports import Item
from tests.handlers.town import Town, data_under, say, town

EVERY_ROLE = RULE_BOOKS["classic"].choosable


def turned(option: str, value: str) -> str:
    return say("turned", option=say(f"option.{option}"), value=value)


def scribe(table: Table) -> Scribe:
    return Scribe("zh_Hans", table.people, Html(), 0.0)


def seated(count: int, book: str = "classic", **fields: Any) -> Table:
    people = tuple(Person(seat, f"<{seat}>" * 9, "zh_Hans") for seat in range(1, count + 1))
    return Table(id="abcdefgh", chat=-5, language="zh_Hans", opener=1, book=book, people=people, **fields)


def of_lobby(here: Town) -> dict[str, Any]:
    message = here.world.message(here.group, here.table().messages["lobby"])
    assert message is not None
    return message


def of_settings(here: Town) -> dict[str, Any]:
    message = here.world.message(here.group, here.table().messages["settings"])
    assert message is not None
    return message


async def pressed(here: Town, user: int, message: dict[str, Any], code: str, answer: str = "") -> str:
    query = here.press(user, here.group, message, code, answer)
    await here.deliver()
    return str(here.answer(query)["text"])


async def turn(here: Town, user: int, name: str) -> str:
    """Press an option's button, on whatever page it is."""
    table = here.table()
    page = str(settings.names(table).index(name) // settings.PAGE)
    data = str(buttons.Data(table.id, 0, buttons.SETTINGS, page))
    here.world.press(user, here.group, table.messages["settings"], data)
    await here.pass_time(60)
    answer = str(settings.every(table).index(name))
    return await pressed(here, user, of_settings(here), buttons.OPTION, answer)


def play(scene: Callable[[Town], Any], members: int = 8) -> None:
    async def played() -> None:
        async with town(members, 2, direct=True, deal=bytes([2]) * 32) as here:
            await scene(here)

    asyncio.run(played())


# Who may ---------------------------------------------------------------------------------------------------


def test_the_lobby_has_its_buttons_in_three_rows() -> None:
    async def scene(here: Town) -> None:
        message = await here.ask_for_a_game()
        rows = message["reply_markup"]["inline_keyboard"]
        labels = [[button["text"] for button in row] for row in rows]
        assert labels == [["加入", "离开"], ["规则书", "牌组", "设置"], ["开始"]]

    play(scene)


def test_the_host_and_admins_may_and_nobody_else() -> None:
    async def scene(here: Town) -> None:
        host, admin, other = here.members[:3]
        await here.open_lobby()
        here.world.promote_member(admin, here.group)
        before = here.world.messages(here.group)
        for code in (buttons.SETTINGS, buttons.DECK):
            query = here.press(other, here.group, of_lobby(here), code)
            await here.deliver()
            assert here.answer(query)["text"] == say("reply.settings_host_only")
            assert here.answer(query)["show_alert"]
        assert here.world.messages(here.group) == before
        assert await pressed(here, admin, of_lobby(here), buttons.SETTINGS) == say("reply.settings")
        first = of_settings(here)
        assert first["text"].startswith(say("settings.title", book=say("book.classic")))
        assert await pressed(here, other, first, buttons.OPTION, "0") == say("reply.settings_host_only")
        assert here.table().options == {}
        assert await pressed(here, host, first, buttons.OPTION, "0") == turned("sheriff", say("value.sheriff.off"))
        assert here.table().options == {"sheriff": "off"}
        speech = str(settings.every(here.table()).index("speech"))
        assert await pressed(here, admin, of_settings(here), buttons.OPTION, speech) == turned(
            "speech", say("value.speech.turns")
        )

    play(scene)


def test_who_is_no_longer_host_may_not() -> None:
    async def scene(here: Town) -> None:
        _owner, host, heir = here.members[:3]
        for member in here.members:
            here.world.start_bot(member)
        here.world.say(host, here.group, f"/newgame@{here.world.bot.username}")
        await here.deliver()
        for member in (host, heir):
            await pressed(here, member, of_lobby(here), buttons.JOIN)
        await pressed(here, host, of_lobby(here), buttons.SETTINGS)
        await pressed(here, host, of_lobby(here), buttons.LEAVE)
        said = await pressed(here, host, of_settings(here), buttons.OPTION, "0")
        assert said == say("reply.settings_host_only")
        said = await pressed(here, heir, of_settings(here), buttons.OPTION, "0")
        assert said == turned("sheriff", say("value.sheriff.off"))

    play(scene)


def test_an_admin_of_another_group_has_no_say_here() -> None:
    table = seated(8)
    data = buttons.Data(table.id, 0, buttons.SETTINGS, buttons.YES)
    for chat, code in ((-5, "settings"), (-6, "settings_host_only")):
        press = Press(99, "客", "zh_Hans", data, private=False, admin=True, chat=chat)
        _, reply = lobby.press(table, press, 0.0, lambda: bytes(32))
        assert reply.code == code


# Options ---------------------------------------------------------------------------------------------------


def takes(rules: RuleBook, name: str, value: object) -> bool:
    try:
        rules.freeze({name: value})
    except OptionRefused:
        return False
    return True


@pytest.mark.parametrize("count", [0, 8, 12, 18])
@pytest.mark.parametrize("book", RULE_BOOKS)
def test_every_option_goes_through_all_its_values_and_back(book: str, count: int) -> None:
    table = seated(count, book)
    rules = RULE_BOOKS[book]
    assert set(rules.option_names) <= set(settings.CHOICES)
    for name in settings.every(table):
        wanted = settings.HOUSE.get(name) or settings.CHOICES[name]
        if name == "sage" and settings.seats_of(table) != 8:
            # The sage is for eight.
            assert settings.turn(table, name) == (table, Reply("deck.seats", number=8, alert=True))
            continue
        turning, seen = table, []
        for _ in wanted:
            turning, reply = settings.turn(turning, name)
            assert (reply.code, reply.word) == ("option", name)
            seen.append(settings.value(turning, name))
            rules.freeze(turning.options)
            assert settings.problem(turning) is None
        # What only other books take is passed over; a guard who is dealt forbids that so many seats are asked for.
        passed_over = [value for value in wanted if value not in seen]
        of_others = [] if name in settings.HOUSE else [v for v in wanted if not takes(rules, name, v)]
        assert passed_over == of_others or name == "guard_min_seats"
        assert turning.options == table.options or passed_over
        assert settings.value(table, name) in wanted


def test_a_value_that_is_none_of_the_choices_is_followed_by_the_first() -> None:
    table, reply = settings.turn(seated(8, options={"night_s": 77}), "night_s")
    assert reply.code == "option"
    assert table.options == {}


def test_what_the_book_does_not_take_is_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.CHOICES, "vote_s", (60, 1))
    table = seated(8)
    after, reply = settings.turn(table, "vote_s")
    assert after is table
    assert (reply.code, reply.word, reply.alert) == ("option_refused", "vote_s", True)
    undealable = replace(table, specials=EVERY_ROLE)
    assert settings.turn(undealable, "vote_s") == (undealable, reply)
    assert settings.turn(undealable, "speech")[1].code == "option"


def test_a_press_turns_an_option_and_both_messages_show_it() -> None:
    async def scene(here: Town) -> None:
        host = here.members[0]
        await here.open_lobby()
        await pressed(here, host, of_lobby(here), buttons.SETTINGS)
        line = turned("tie", say("value.tie.runoff"))
        index = str(settings.every(here.table()).index("tie"))
        assert await pressed(here, host, of_settings(here), buttons.OPTION, index) == line
        assert f"🔸 {line}\n{say('why.tie')}" in of_settings(here)["text"]
        await here.pass_time(COUNTER_EVERY + 1)
        assert say("lobby.differs", options=line) in of_lobby(here)["text"]
        assert turned("discipline", say("value.discipline.off")) in of_lobby(here)["text"]
        assert await turn(here, host, "discipline") == turned("discipline", say("value.discipline.delete"))
        assert here.table().discipline == "delete"
        await here.pass_time(COUNTER_EVERY + 1)
        assert turned("discipline", say("value.discipline.delete")) in of_lobby(here)["text"]

    play(scene)


def test_what_differs_stands_first_when_the_settings_are_opened_and_keeps_its_place_meanwhile() -> None:
    table = seated(8, options={"vote_s": 90, "badge": "must"}, idle="expel")
    opened, _ = settings.open_at(table, 0)
    assert settings.on_page(opened, 0)[:4] == ["badge", "vote_s", "idle", "sheriff"]
    order = settings.names(opened)
    assert sorted(order) == sorted(settings.every(opened))
    turned_once, _ = settings.turn(opened, "tie")
    assert settings.names(turned_once) == order
    assert settings.on_page(settings.open_at(turned_once, 0)[0], 0)[0] == "tie"


def test_the_pages_hold_eight_and_turn_round() -> None:
    async def scene(here: Town) -> None:
        host = here.members[0]
        await here.open_lobby()
        await pressed(here, host, of_lobby(here), buttons.SETTINGS)
        pages = settings.pages(here.table())
        assert pages == 8
        shown: list[str] = []
        for page in range(pages):
            data = [buttons.parse(text) for text in data_under(of_settings(here))]
            options = [d.answer for d in data if d and d.code == buttons.OPTION]
            assert len(options) <= settings.PAGE
            shown += options
            leaf = of_settings(here)["reply_markup"]["inline_keyboard"][-2]
            assert [button["text"] for button in leaf] == ["«", f"{page + 1}/{pages}", "»"]
            following = str((page + 1) % pages)
            said = await pressed(here, host, of_settings(here), buttons.SETTINGS, following)
            assert said == say("reply.settings_page", number=int(following) + 1)
            await here.pass_time(30)
        assert sorted(map(int, shown)) == list(range(len(settings.every(here.table()))))
        assert leaf != of_settings(here)["reply_markup"]["inline_keyboard"][-2]

    play(scene)


def test_made_up_answers_are_refused() -> None:
    async def scene(here: Town) -> None:
        host = here.members[0]
        await here.open_lobby()
        await pressed(here, host, of_lobby(here), buttons.SETTINGS)
        message, table = of_settings(here), here.table()
        for code in (buttons.SETTINGS, buttons.OPTION, buttons.ROLE):
            for answer in ("99", "999999999999", "x", "p"):
                data = str(buttons.Data(table.id, 0, code, answer))
                query = here.world.press(host, here.group, message["message_id"], data)
                await here.deliver()
                assert here.answer(query)["text"] == say("reply.not_listed")
        assert of_settings(here) == message
        assert here.table().options == {}

    play(scene)


# The deck --------------------------------------------------------------------------------------------------


def test_the_deck_is_chosen_by_buttons() -> None:
    async def scene(here: Town) -> None:
        host = here.members[0]
        await here.open_lobby()
        assert await pressed(here, host, of_lobby(here), buttons.DECK) == say("reply.settings")
        assert say("deck.recommended") in of_settings(here)["text"]

        def ticked() -> list[str]:
            rows = of_settings(here)["reply_markup"]["inline_keyboard"]
            return [button["text"] for row in rows for button in row if "✔" in button["text"]]

        assert ticked() == ["🧪 女巫 ✔", "🔫 猎人 ✔"]
        girl = str(EVERY_ROLE.index("little_girl"))
        assert await pressed(here, host, of_settings(here), buttons.ROLE, girl) == say(
            "reply.deck_with", role="🎀 小女孩"
        )
        assert ticked() == ["🧪 女巫 ✔", "🔫 猎人 ✔", "🎀 小女孩 ✔"]
        assert say("deck.chosen") in of_settings(here)["text"]
        await here.pass_time(COUNTER_EVERY + 1)
        assert "🎀" in of_lobby(here)["text"]
        witch = str(EVERY_ROLE.index("witch"))
        assert await pressed(here, host, of_settings(here), buttons.ROLE, witch) == say(
            "reply.deck_without", role="🧪 女巫"
        )
        assert here.table().specials == ("hunter", "little_girl")
        await pressed(here, host, of_settings(here), buttons.RECOMMENDED)
        assert here.table().specials is None
        await pressed(here, host, of_settings(here), buttons.SETTINGS, "0")
        assert of_settings(here)["text"].startswith(say("settings.title", book=say("book.classic")))

    play(scene)


def test_what_the_lot_decides_is_said_while_the_deck_is_the_recommended() -> None:
    drawn = "⚱️ 灵媒、😈 着魔者、💂 保镖、🦉 扫把星：发牌时从中抽 3 种。"
    for count, specials, is_said in ((13, None, True), (13, ("medium",), False), (12, None, False)):
        table = seated(count, "lupus", specials=specials)
        for text in (lobby_words.lobby(scribe(table), table), words.card(scribe(table), table, cards.DECK)):
            assert (drawn in text.splitlines()) is is_said


def test_a_deck_that_cannot_be_dealt_is_refused_with_the_reason() -> None:
    async def scene(here: Town) -> None:
        host = here.members[0]
        await here.open_lobby()
        here.change(specials=("witch", "hunter", "cupid", "guard"))
        await pressed(here, host, of_lobby(here), buttons.DECK)
        message = of_settings(here)
        query = here.press(host, here.group, message, buttons.ROLE, str(EVERY_ROLE.index("thief")))
        await here.deliver()
        assert here.answer(query)["text"] == say("reply.deck.at_least", role="👤 平民", number=1)
        assert here.answer(query)["show_alert"]
        assert of_settings(here) == message

    play(scene)


def test_a_deck_that_has_grown_too_large_is_said_and_can_be_made_smaller() -> None:
    table = seated(8, specials=EVERY_ROLE)
    reason = say("reply.deck.at_least", role="👤 平民", number=1)
    assert reason in lobby_words.lobby(scribe(table), table)
    assert reason in words.card(scribe(table), table, cards.DECK)
    after, reply = lobby.begin(table, True, 0.0, lambda: bytes(32))
    assert after is table
    assert reply.code == "deck.at_least"
    fewer, reply = settings.toggle(table, "thief")
    assert reply.code == "deck_without"
    assert settings.toggle(fewer, "thief")[1].code == "deck.at_least"
    assert settings.problem(fewer) is not None
    sound, _ = settings.toggle(fewer, "cupid")
    assert settings.problem(sound) is None
    assert reason not in lobby_words.lobby(scribe(sound), sound)


def test_a_guard_who_is_dealt_forbids_a_number_of_seats_above_ours() -> None:
    table, reply = settings.turn(seated(12), "guard_min_seats")
    assert settings.value(table, "guard_min_seats") == 10
    table, _ = settings.turn(table, "guard_min_seats")
    table, reply = settings.turn(table, "guard_min_seats")
    assert settings.value(table, "guard_min_seats") == 0, "14 is passed over"
    alone, reply = settings.turn(seated(8, specials=("guard",)), "guard_min_seats")
    assert (reply.code, reply.word, reply.number) == ("deck.too_few_seats", "guard", 10)
    assert alone.options == {}


# One message, and its end ----------------------------------------------------------------------------------


def with_settings_keyboard(here: Town) -> list[int]:
    of_them = {buttons.OPTION, buttons.ROLE, buttons.CLOSE}
    return [
        message["message_id"]
        for message in here.world.messages(here.group)
        if any((data := buttons.parse(text)) and data.code in of_them for text in data_under(message))
    ]


def test_there_is_one_message_with_settings() -> None:
    async def scene(here: Town) -> None:
        host = here.members[0]
        await here.open_lobby()
        await pressed(here, host, of_lobby(here), buttons.SETTINGS)
        first = of_settings(here)["message_id"]
        await pressed(here, host, of_lobby(here), buttons.DECK)
        assert with_settings_keyboard(here) == [first]
        here.world.say(host, here.group, f"/newgame@{here.world.bot.username}")
        await here.deliver()
        assert with_settings_keyboard(here) == []
        assert "settings" not in here.table().messages
        await here.pass_time(60)
        await pressed(here, host, of_lobby(here), buttons.SETTINGS)
        second = of_settings(here)
        assert with_settings_keyboard(here) == [second["message_id"]]
        assert await pressed(here, host, second, buttons.CLOSE) == say("reply.settings_closed")
        assert with_settings_keyboard(here) == []
        closed = here.world.message(here.group, second["message_id"])
        assert closed is not None
        assert closed["text"] == say("settings.closed")

    play(scene)


def test_a_closed_message_that_kept_its_buttons_says_so_and_loses_them() -> None:
    async def scene(here: Town) -> None:
        host = here.members[0]
        await here.open_lobby()
        await pressed(here, host, of_lobby(here), buttons.SETTINGS)
        old = of_settings(here)
        await pressed(here, host, old, buttons.CLOSE)
        here.world.put_message(old)
        assert await pressed(here, host, old, buttons.OPTION, "0") == say("reply.settings_closed")
        assert with_settings_keyboard(here) == []
        assert here.table().options == {}

    play(scene)


def test_settings_that_somebody_has_deleted_come_again() -> None:
    async def scene(here: Town) -> None:
        host = here.members[0]
        await here.open_lobby()
        await pressed(here, host, of_lobby(here), buttons.SETTINGS)
        first = of_settings(here)["message_id"]
        here.world.store.delete("message", here.group, first)
        await pressed(here, host, of_lobby(here), buttons.SETTINGS)
        assert of_settings(here)["message_id"] > first
        assert with_settings_keyboard(here) == [of_settings(here)["message_id"]]

    play(scene)


def test_a_started_game_keeps_its_options_and_the_buttons_are_gone() -> None:
    async def scene(here: Town) -> None:
        host = here.members[0]
        await here.open_lobby()
        await pressed(here, host, of_lobby(here), buttons.SETTINGS)
        await pressed(here, host, of_settings(here), buttons.OPTION, "0")
        old = of_settings(here)
        await pressed(here, host, of_lobby(here), buttons.START)
        assert here.table().phase == "playing"
        assert with_settings_keyboard(here) == []
        table = here.table()
        for code, answer in ((buttons.OPTION, "1"), (buttons.DECK, ""), (buttons.CLOSE, "")):
            here.world.put_message(old)
            assert await pressed(here, host, old, code, answer) == say("reply.already_started")
            assert with_settings_keyboard(here) == []
        assert here.table().options == table.options == {"sheriff": "off"}
        assert view_for(here.table().play(), None) == view_for(table.play(), None)

    play(scene)


def test_the_last_choice_is_the_next_lobbys_default() -> None:
    async def scene(here: Town) -> None:
        host = here.members[0]
        await here.open_lobby()
        await pressed(here, host, of_lobby(here), buttons.SETTINGS)
        await pressed(here, host, of_settings(here), buttons.OPTION, "0")
        await turn(here, host, "absent_call_s")
        await turn(here, host, "idle")
        await pressed(here, host, of_settings(here), buttons.DECK)
        await pressed(here, host, of_settings(here), buttons.ROLE, str(EVERY_ROLE.index("cupid")))
        await here.pass_time(60)
        await pressed(here, host, of_lobby(here), buttons.START)
        played = here.table()
        assert played.phase == "playing"
        here.change(phase="over")
        here.world.say(host, here.group, f"/newgame@{here.world.bot.username}")
        await here.deliver()
        table = here.table()
        assert table.id != played.id
        assert table.options == played.options == {"sheriff": "off", "absent_call_s": (3.0, 12.0)}
        assert (table.specials, table.idle) == (("witch", "hunter", "cupid"), "expel")
        assert turned("sheriff", say("value.sheriff.off")) in of_lobby(here)["text"]
        assert turned("idle", say("value.idle.expel")) in of_lobby(here)["text"]

    play(scene)


@pytest.mark.parametrize(
    "kept",
    [
        ChatRow(options={"an_option_of_old": True}),
        ChatRow(options={"sheriff": "by_lot"}),
        ChatRow(specials=("oracle",)),
        ChatRow(book="a_book_of_old"),
    ],
)
def test_choices_that_a_later_book_does_not_have_give_way_to_the_usual(kept: ChatRow) -> None:
    async def scene(here: Town) -> None:
        key = f"CHAT#telegram:{here.group}"
        assert here.store.put(Item(key, "CHAT", 1, msgspec.json.encode(kept))) is None
        await here.ask_for_a_game()
        table = here.table()
        assert (table.book, table.options, table.specials) == ("classic", {}, None)
        assert of_lobby(here)["text"]

    play(scene)


def test_settings_made_for_the_first_hold_for_eighteen() -> None:
    async def scene(here: Town) -> None:
        host = here.members[0]
        await here.ask_for_a_game()
        await pressed(here, host, of_lobby(here), buttons.DECK)
        for role in ("cupid", "little_girl"):
            await pressed(here, host, of_settings(here), buttons.ROLE, str(EVERY_ROLE.index(role)))
        await turn(here, host, "tie")
        for member in here.members:
            await pressed(here, member, of_lobby(here), buttons.JOIN)
        await pressed(here, host, of_lobby(here), buttons.START)
        table = here.table()
        assert (table.phase, len(table.people)) == ("playing", 18)
        assert table.options == {"tie": "runoff"}
        assert view_for(table.play(), None).deck == settings.deck(table)
        assert table.specials == ("witch", "hunter", "cupid", "little_girl")

    play(scene, 18)


# What it costs the group -----------------------------------------------------------------------------------


def edits(here: Town) -> int:
    calls = [call for call in here.world.calls if call.method.startswith("editMessage")]
    return sum(int(call.params["chat_id"]) == here.group for call in calls)


def test_a_burst_of_presses_stays_within_the_groups_budget() -> None:
    async def scene(here: Town) -> None:
        host = here.members[0]
        await here.open_lobby()
        await here.pass_time(120)
        await pressed(here, host, of_lobby(here), buttons.SETTINGS)
        minutes: dict[int, int] = {}
        for press in range(90):
            for what in (
                pressed(here, host, of_settings(here), buttons.OPTION, str(press % 8)),
                here.pass_time(0.75),
            ):
                before = edits(here)
                await what
                minute = int(here.clock.now() // 60)
                minutes[minute] = minutes.get(minute, 0) + edits(here) - before
        assert COUNTERS_WAIT_FROM - 3 <= max(minutes.values()) <= COUNTERS_WAIT_FROM + 2
        await here.pass_time(70)
        table = here.table()
        assert table.outbox == ()
        plain = words.card(Scribe("zh_Hans", table.people, scribe(table).plainly().paper, 0.0), table, 0)
        assert of_settings(here)["text"] == plain
        assert len(table.options) == 6

    play(scene)


def test_an_edit_that_waits_holds_up_nobody_and_the_next_takes_its_place() -> None:
    table = replace(seated(8), messages={"lobby": 1, "settings": 2}, budget=Budget(7, 0, COUNTERS_WAIT_FROM))
    post = Post(table)
    cards.lobby(post)
    cards.settings(post, 3)
    post.add(Notice, code="cancelled")
    cards.lobby(post, after=400.0)
    assert [type(effect) for effect in sendable(post.table, 470.0)] == [Notice]
    ready = sendable(post.table, 480.0)
    assert [type(effect) for effect in ready] == [SettingsCard, Notice, LobbyCard]
    cards.close_settings(post)
    cards.lobby(post, new=True)
    assert not any(effect.after for effect in post.table.outbox)
    assert not cards.is_open(post.table)


# What it looks like ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 8, 18])
@pytest.mark.parametrize("book", RULE_BOOKS)
def test_every_page_fits_at_every_value(book: str, count: int) -> None:
    table = seated(count, book)
    for _ in range(max(map(len, settings.CHOICES.values()))):
        for name in settings.every(table):
            table, _reply = settings.turn(table, name)
        table, _reply = settings.open_at(table, 0)
        writer = scribe(table)
        for page in (cards.CLOSED, cards.DECK, *range(settings.pages(table))):
            text = words.card(writer, table, page)
            assert len(text.encode("utf-16-le")) // 2 <= 4096
            assert "{" not in text
            assert not [key for key in ("option.", "why.", "value.", "fate.", "role.") if key in text]
            markup = keyboards.settings(writer, table, page)
            for row in json.loads(markup.to_json())["inline_keyboard"] if markup else []:
                assert len(row) <= 3
                for button in row:
                    assert 0 < len(button["text"].encode("utf-16-le")) // 2 <= 24
                    assert len(button["callback_data"].encode()) <= 64
                    data = buttons.parse(button["callback_data"])
                    assert data is not None
                    assert data.code in buttons.OF_THE_SETTINGS
                    assert data.serial == 0
        assert len(lobby_words.lobby(writer, table).encode("utf-16-le")) // 2 <= 4096
