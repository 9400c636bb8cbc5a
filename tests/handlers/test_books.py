"""Every rule book in the group: chosen in the lobby, played to its end through the door, read by everybody."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any

import pytest

from engine import RULE_BOOKS, choices, view_for
from engine import events as e
from handlers import buttons, cards, lobby, moves, settings
from handlers.record import Person, Table
from handlers.telegram import keyboards
from handlers.wording import houses, options, popups
from handlers.wording import public as public_wording
from handlers.wording.scribe import Plain, Scribe
from tests.handlers.meter import Meter, busiest
from tests.handlers.script import Script
from tests.handlers.test_words import KEY
from tests.handlers.town import MOMENT, Town, data_under, public, town

MINUTE = 60


def seen(here: Town) -> Any:
    """What everybody sees, of which each test knows what is there."""
    return public(here)


async def at(here: Town, script: Script, name: str, **fields: Any) -> None:
    """Begin, and play until a step of that name (or kind) is open."""
    await script.begin(**fields)

    def is_open() -> bool:
        step = seen(here).step
        return step is not None and name in (step.name, step.kind)

    await script.until(is_open)


# The lobby -----------------------------------------------------------------------------------------------


def open_lobby(people: int = 9, **fields: Any) -> Table:
    seated = tuple(Person(100 + seat, f"P{seat}", "en") for seat in range(people))
    return Table(id="k3x9a7bc", chat=-1, language="en", people=seated, **{"opener": 100, **fields})


@pytest.mark.parametrize("book", RULE_BOOKS)
def test_every_book_can_be_chosen_in_the_lobby_and_dealt(book: str) -> None:
    seats = RULE_BOOKS[book].fewest
    table, reply = settings.choose(open_lobby(seats), book)
    assert (table.book, reply.code, reply.word) == (book, "book", book)
    table, reply = lobby.begin(table, may=True, now=MOMENT, seed=lambda: bytes(32))
    assert reply.code == "started"
    assert view_for(table.play(), None).book == book


def test_what_two_books_mean_alike_stays_and_the_rest_is_the_new_books() -> None:
    options = {"night_s": 120, "speech": "turns", "girl_noticed": 1.0}
    table, _ = settings.choose(open_lobby(options=options, specials=("witch",)), "elder")
    # Elder speaks in turns anyway, and has no little girl; a night of two minutes is one in both.
    assert table.options == {"night_s": 120}
    assert table.specials is None


def test_a_book_for_fewer_players_than_have_joined_is_not_taken() -> None:
    table, reply = settings.choose(open_lobby(9), "lupusburg")
    assert (table.book, reply.code, reply.number) == ("classic", "book_full", 8)


def test_the_book_is_chosen_by_buttons() -> None:
    async def play() -> None:
        async with town(8, direct=True) as here:
            await here.open_lobby()
            here.press(here.members[0], here.group, here.newest(here.group), buttons.BOOK)
            await here.deliver()
            page = here.newest(here.group)
            assert all(f"{book.fewest}–{book.most}" in page["text"] for book in RULE_BOOKS.values())
            place = list(RULE_BOOKS).index("handbook")
            query = here.press(here.members[0], here.group, page, buttons.BOOK, str(place))
            await here.pass_time(MINUTE)
            assert here.answer(query)["text"] == "规则书：进阶手册。"
            assert here.table().book == "handbook"
            assert any("进阶手册" in text and "房主" in text for text in here.texts(here.group))

    asyncio.run(play())


def test_where_the_book_sets_the_deck_nothing_is_offered_to_change_it() -> None:
    table = open_lobby(6, book="lupusburg")
    scribe = Scribe("en", table.people, Plain(), MOMENT)
    page = options.card(scribe, table, cards.DECK)
    assert "add it or take it out" not in page
    keyboard = keyboards.settings(scribe, table, cards.DECK)
    codes_under = {data.code for text in labels_data(keyboard) if (data := buttons.parse(text)) is not None}
    assert codes_under == {buttons.SETTINGS, buttons.CLOSE}


def labels_data(markup: Any) -> list[str]:
    """What the buttons of a keyboard say to the bot."""
    return [button.callback_data for row in markup.inline_keyboard for button in row]


@pytest.mark.parametrize(("option", "office"), [("mayor", "mayor"), ("first_welcome", "welcome")])
def test_the_host_takes_the_office_that_the_table_gives_him(option: str, office: str) -> None:
    book, value = {"mayor": ("lupusburg", "chosen"), "welcome": ("lupus", "host")}[office]
    table = open_lobby(8, book=book, opener=104, options={option: value})
    table, reply = lobby.begin(table, may=True, now=MOMENT, seed=lambda: bytes(32))
    assert reply.code == "started"
    view = view_for(table.play(), None)
    assert (view.town.mayor if view.town else view.welcome) == 5


# Whole games ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("book", RULE_BOOKS)
def test_a_game_of_every_book_is_played_to_its_end(book: str, seed: int, caplog: pytest.LogCaptureFixture) -> None:
    seats = min(RULE_BOOKS[book].fewest + 4 * seed, RULE_BOOKS[book].most)

    async def play() -> None:
        async with town(seats, seed, direct=True, deal=bytes([seed]) * 32) as here:
            script = Script(here, seed)
            await script.begin(book=book)
            await script.play()
            texts = here.texts(here.group)
            assert sum("🏁" in text for text in texts) == 1
            sent = [str(call.params["text"]) for call in here.world.calls if "text" in call.params]
            said = [re.sub("<code>.*?</code>|<[^>]*>", "", text) for text in sent]
            assert not [text for text in said if KEY.search(text)], "every sentence is written"
            wrong = [call.error for call in here.world.calls if call.error is not None]
            assert all("not modified" in str(error) for error in wrong)
            left = {code for m in here.world.messages(here.group) for code in codes(m)}
            assert left <= {buttons.AGAIN, buttons.ANOTHER, buttons.CHECK}
            assert not any(codes(m) for member in here.members for m in here.world.messages(member))

    with caplog.at_level(logging.ERROR):
        asyncio.run(play())
    assert not caplog.records, "every effect could be put into words"


def codes(message: dict[str, Any]) -> set[str]:
    """What the buttons under a message are for."""
    found = (buttons.parse(text) for text in data_under(message))
    return {data.code for data in found if data is not None}


# Self-destruct -------------------------------------------------------------------------------------------


def test_only_wolves_can_blow_themselves_up_in_private_and_by_two_presses() -> None:
    async def play() -> None:
        async with town(10, 3, direct=True, deal=bytes([3]) * 32) as here:
            await at(here, Script(here, 3), "speech", book="elder", options={"sheriff": "off"})
            game, code = here.table().play(), buttons.code_of("wolf.explode")
            wolves = {prompt.seat for prompt in choices(game) if prompt.action == "wolf.explode"}
            assert wolves
            for seat in range(1, 11):
                user = here.table().person(seat).user
                offered = any(code in codes(message) for message in here.world.messages(user))
                assert offered == (seat in wolves)
            assert not any(code in codes(message) for message in here.world.messages(here.group))
            wolf = here.table().person(min(wolves)).user
            sheet = next(m for m in reversed(here.world.messages(wolf)) if code in codes(m))
            here.press(wolf, wolf, sheet, code)
            await here.deliver()
            assert seen(here).phase == "talk", "one press only asks whether he is sure"
            sheet = next(m for m in reversed(here.world.messages(wolf)) if code in codes(m))
            here.press(wolf, wolf, sheet, code, buttons.done(1))
            await here.deliver()
            assert seen(here).phase == "night"
            assert any("💥" in text and "狼人" in text for text in here.texts(here.group))

    asyncio.run(play())


def test_who_has_no_self_destruct_is_told_nothing_by_a_made_up_press() -> None:
    async def play() -> None:
        async with town(10, 3, direct=True, deal=bytes([3]) * 32) as here:
            await at(here, Script(here, 3), "speech", book="elder", options={"sheriff": "off"})
            game, table = here.table().play(), here.table()
            wolves = {prompt.seat for prompt in choices(game) if prompt.action == "wolf.explode"}
            serial = next(prompt.serial for prompt in choices(game) if prompt.action == "wolf.explode")
            villager = next(seat for seat in range(1, 11) if seat not in wolves)
            data = buttons.Data(table.id, serial, buttons.code_of("wolf.explode"), buttons.done(1))
            user = table.person(villager).user
            press = moves.Press(user, "x", "zh_Hans", data, private=True)
            after, reply = moves.press(table, press, here.clock.now())
            assert after.game == table.game
            assert reply.code in ("stale", "not_asked")

    asyncio.run(play())


def test_a_self_destruct_has_no_clock_and_nobody_is_reminded_of_it() -> None:
    async def play() -> None:
        async with town(10, 3, direct=True, deal=bytes([3]) * 32) as here:
            await at(here, Script(here, 3), "candidacy", book="elder")
            wolves = [prompt.seat for prompt in choices(here.table().play()) if prompt.action == "wolf.explode"]
            chats = [here.table().person(seat).user for seat in wolves]
            assert chats
            before = [here.texts(chat) for chat in chats]
            assert all("💥" in texts[-1] and "⏳" not in texts[-1] for texts in before)
            await here.pass_time(55.0)
            assert seen(here).step.kind == "candidacy"
            assert [here.texts(chat) for chat in chats] == before

    asyncio.run(play())


def test_who_asks_for_a_self_destruct_is_asked_whether_he_is_sure() -> None:
    async def play() -> None:
        async with town(10, 3, direct=True, deal=bytes([3]) * 32) as here:
            await at(here, Script(here, 3), "candidacy", book="elder")
            wolf = next(prompt.seat for prompt in choices(here.table().play()) if prompt.action == "wolf.explode")
            user, code = here.table().person(wolf).user, buttons.code_of("wolf.explode")

            def shown() -> list[str]:
                sheet = next(m for m in reversed(here.world.messages(user)) if code in codes(m))
                return [b["text"] for row in sheet["reply_markup"]["inline_keyboard"] for b in row]

            assert shown() == ["💥 自爆"]
            query = here.press(user, user, here.newest(user), code)
            await here.deliver()
            assert shown() == ["💥 确定自爆", "再想想"]
            assert "确定自爆" in here.answer(query)["text"]
            here.press(user, user, here.newest(user), code, buttons.toggled(1, 0))
            await here.deliver()
            assert shown() == ["💥 自爆"]

    asyncio.run(play())


def test_after_a_withdrawal_it_is_said_who_speaks() -> None:
    async def play() -> None:
        async with town(10, 3, direct=True, deal=bytes([3]) * 32) as here:
            await at(here, Script(here, 3, silent=tuple(range(1, 11))), "candidacy", book="elder")
            for member in here.members:
                here.press(member, here.group, here.newest(here.group), buttons.VOTE, buttons.YES)
                await here.deliver()
            step = seen(here).step
            assert (step.kind, step.name) == ("speech", "candidacy")
            other = here.table().person(step.after[-1]).user
            query = here.press(other, other, here.newest(other), buttons.code_of("sheriff.withdraw"))
            await here.deliver()
            newest = here.newest(here.group)["text"]
            assert "退水" in newest
            assert f"{step.speaker} " in newest
            assert "接着说" in newest
            assert "退水" in here.answer(query)["text"]

    asyncio.run(play())


# Turns ---------------------------------------------------------------------------------------------------


def test_turns_that_follow_each_other_fast_keep_within_the_groups_minute() -> None:
    async def play() -> None:
        async with town(24, 4, direct=True, deal=bytes([4]) * 32) as here:
            script = Script(here, 4)
            await at(here, script, "naming", book="lupus")
            meter = Meter(here)
            await script.until(lambda: seen(here).step.kind == "speech")
            assert 8 <= busiest(meter.instants(here.group, sends=True)) <= 15
            assert busiest(meter.instants(here.group, sends=False)) <= 20
            named = "\n".join(here.texts(here.group))
            assert all(f"\n{seat} " in named for seat in range(1, 25)), "every turn is read somewhere"

    asyncio.run(play())


# What follows from what -----------------------------------------------------------------------------------


def test_a_tie_that_a_scapegoat_pays_for_is_not_said_to_harm_nobody() -> None:
    votes = (e.Vote(1, 2, 1.0), e.Vote(2, 1, 1.0))
    closed = e.BallotClosed("everybody", 7, "vote.lynch", 0, votes, ((1, 1.0), (2, 1.0)), (1, 2), False)
    death = e.Death(3, "scapegoat")
    text = public_news(closed, e.Fell("everybody", "tie", (death,), 1))
    assert "替大家出局" in text
    assert "没有人" not in text


def test_the_card_of_a_wolf_does_not_ask_him_for_a_self_destruct() -> None:
    """Nobody waits for it – in a day's first step either, with which it has begun."""

    async def play() -> None:
        async with town(10, 3, direct=True, deal=bytes([3]) * 32) as here:
            await at(here, Script(here, 3), "speech", book="elder", options={"sheriff": "off"})
            game, people = here.table().play(), here.table().people
            (wolf, *_) = (p.seat for p in choices(game) if p.action == "wolf.explode" and p.serial == serial(here))
            card = popups.card(Scribe("zh_Hans", people, Plain(), MOMENT), view_for(game, wolf))
            assert "狼人" in card
            assert "自爆" not in card

    asyncio.run(play())


def test_a_wolf_who_stands_for_sheriff_has_a_message_for_each_of_his_rights() -> None:
    """To withdraw takes the keyboard off the one and leaves the other."""

    async def play() -> None:
        async with town(10, 3, direct=True, deal=bytes([3]) * 32) as here:
            await at(here, Script(here, 3, silent=tuple(range(1, 11))), "candidacy", book="elder")
            for member in here.members:
                here.press(member, here.group, here.newest(here.group), buttons.VOTE, buttons.YES)
                await here.deliver()
            game, table = here.table().play(), here.table()
            speaker = seen(here).step.speaker
            wolf = next(p.seat for p in choices(game) if p.action == "wolf.explode" and p.seat != speaker)
            user = table.person(wolf).user
            explode, withdraw = (buttons.code_of(action) for action in ("wolf.explode", "sheriff.withdraw"))

            def sheets() -> list[list[str]]:
                return [sorted({explode, withdraw} & codes(m)) for m in here.world.messages(user) if codes(m)]

            assert sheets() == [[explode], [withdraw]]
            here.press(user, user, here.newest(user), withdraw)
            await here.deliver()
            assert wolf not in seen(here).step.candidates
            assert sheets() == [[explode]]

    asyncio.run(play())


def serial(here: Town) -> int:
    """Of the open step."""
    return int(seen(here).step.serial)


@pytest.mark.parametrize(("candidates", "oneself"), [((1, 2, 3), True), ((1, 2), False)])
def test_that_one_may_elect_oneself_is_said_where_everybody_may(
    candidates: tuple[int, ...], oneself: bool
) -> None:
    opened = e.BallotOpened("everybody", 5, "sheriff.vote", (1, 2, 3), candidates, 0, False, MOMENT)
    assert ("投自己" in public_news(opened)) == oneself


def test_a_suspect_who_votes_is_told_that_suspects_do_not() -> None:
    async def play() -> None:
        async with town(9, 3, direct=True, deal=bytes([3]) * 32) as here:
            await at(here, Script(here, 3), "vote.verdict", book="lupus")
            suspect = seen(here).suspects[0]
            user = here.table().person(suspect).user
            query = here.press(user, here.group, here.newest(here.group), buttons.VOTE, str(suspect))
            await here.deliver()
            assert here.answer(query)["text"] == "受审的人不投这一票。"

    asyncio.run(play())


def test_who_blew_up_is_read_before_what_follows() -> None:
    death = e.Death(3, "werewolf")
    text = public_news(e.CutShort("everybody", "postponed"), e.Fell("everybody", "explode", (death,), 1))
    assert text.index("自爆") < text.index("作废") < text.index("推迟")


def public_news(*events: Any) -> str:
    """What the group reads of these events."""
    people = tuple(Person(100 + seat, f"P{seat}", "zh_Hans") for seat in range(9))
    return public_wording.news(Scribe("zh_Hans", people, Plain(), MOMENT), events)


# Lupusburg -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("points", [3, 6])
def test_the_goal_of_one_dead_and_one_alive_has_the_tables_points(points: int) -> None:
    table = open_lobby(6, book="lupusburg", options={"one_each_score": points})
    scribe = Scribe("en", table.people, Plain(), MOMENT, one_each=settings.one_each(table))
    assert houses.goal(scribe.plainly(), "one_each") == f"one dead, one alive, {points}"


def test_two_ballots_can_be_shared_between_the_suspects() -> None:
    async def play() -> None:
        async with town(6, 5, direct=True, deal=bytes([5]) * 32) as here:
            await at(here, Script(here, 5), "vote.verdict", book="lupusburg")
            step = seen(here).step
            seat = next(seat for seat, weight in step.weights.items() if weight == 2)
            user = here.table().person(seat).user
            here.press(user, here.group, here.newest(here.group), buttons.VOTE, buttons.done(3))
            await here.deliver()
            (ballot,) = [p for p in choices(here.table().play()) if p.seat == seat and p.action == "vote.verdict"]
            assert ballot.answer == step.candidates

    asyncio.run(play())


@pytest.mark.parametrize("name", ["bet.place", "vote.nominate"])
def test_whose_turn_it_is_not_is_told_whose_it_is(name: str) -> None:
    async def play() -> None:
        async with town(5, 6, direct=True, deal=bytes([6]) * 32) as here:
            await at(here, Script(here, 6), name, book="lupusburg")
            step = seen(here).step
            turn = step.speaker or step.voters[0]
            other = next(seat for seat in range(1, 6) if seat != turn)
            user = here.table().person(other).user
            query = here.press(user, here.group, here.newest(here.group), buttons.VOTE, buttons.PASS)
            await here.deliver()
            assert f"{turn} " in here.answer(query)["text"]
            assert seen(here).step.serial == step.serial

    asyncio.run(play())


def test_a_match_goes_on_with_the_same_seats_and_adds_up() -> None:
    async def play() -> None:
        async with town(4, 7, direct=True, deal=bytes([7]) * 32) as here:
            script = Script(here, 7)
            await script.begin(book="lupusburg", options={"match_games": 2})
            await script.play()
            first, people, serial = seen(here).result, here.table().people, seen(here).town.serial
            end = here.newest(here.group)
            assert buttons.NEXT in codes(end)
            stranger = here.press(here.members[1], here.group, end, buttons.NEXT)
            await here.deliver()
            assert here.table().phase == "over", here.answer(stranger)
            here.press(here.members[0], here.group, end, buttons.NEXT)
            await here.deliver()
            view = seen(here)
            assert (here.table().phase, view.town.number, view.town.totals) == ("playing", 2, first.totals)
            assert [p.user for p in here.table().people] == [p.user for p in people]
            assert view.step.serial > serial, "no button of the first game fits a step of the second"
            await script.play()
            second = seen(here).result
            assert second.totals == tuple(a + b.total for a, b in zip(first.totals, second.sheet, strict=True))
            assert second.champion
            assert buttons.NEXT not in codes(here.newest(here.group))

    asyncio.run(play())


def test_the_mayor_sets_the_trap_before_the_night_is_called() -> None:
    async def play() -> None:
        async with town(5, 5, direct=True, deal=bytes([5]) * 32) as here:
            await at(here, Script(here, 5), "trap.set", book="lupusburg", options={"trap": True})
            step, before = seen(here).step, here.newest(here.group)
            assert "🪤" in before["text"]
            assert not any("闭眼" in text for text in here.texts(here.group))
            mayor = here.table().person(step.speaker).user
            here.press(mayor, here.group, before, buttons.VOTE, step.candidates[0])
            await here.deliver()
            assert seen(here).town.trapped == step.candidates[0]
            last, night = here.texts(here.group)[-2:]
            assert f"🪤 陷阱放在 {step.candidates[0]}" in last
            assert "请睁眼" in night
            assert buttons.VOTE not in {code for m in here.world.messages(here.group) for code in codes(m)}

    asyncio.run(play())


def test_what_lies_on_the_table_stands_under_the_nights_dead_and_stays() -> None:
    async def play() -> None:
        async with town(6, 5, direct=True, deal=bytes([5]) * 32) as here:
            script = Script(here, 5)
            await at(here, script, "goal.swap", book="lupusburg")
            await script.until(lambda: seen(here).step.name != "goal.swap")
            dawn = next(text for text in here.texts(here.group) if "☀️" in text)
            assert dawn.index("☀️") < dawn.index("👑") < dawn.index("🪙") < dawn.index("🎯")

    asyncio.run(play())


def test_at_a_large_table_the_owl_man_is_death() -> None:
    async def play() -> None:
        async with town(21, 9, direct=True, deal=bytes([9]) * 32) as here:
            await at(here, Script(here, 9, silent=tuple(range(1, 22))), "wave", book="lupus")
            said = {m: here.texts(m) for m in here.members}
            owls = [texts for texts in said.values() if any("死神" in text for text in texts)]
            assert len(owls) == 1
            assert any("☠️ 今晚带走谁" in text for text in owls[0])
            assert any("死神" in text for text in here.texts(here.group)), "he is called by that name"
            assert not any("扫把星" in text for m in (*here.members, here.group) for text in here.texts(m))

    asyncio.run(play())


# Who keeps the time ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("sage", [True, False])
def test_a_night_that_is_counted_says_so(sage: bool) -> None:
    async def play() -> None:
        async with town(8) as here:
            await Script(here, 8).begin(book="lupus", options={"sage": sage})
            night = here.world.messages(here.group)[-1]["text"]
            assert "⏳" in night
            assert ("数完为止" in night) is sage

    asyncio.run(play())


def test_only_the_sage_keeps_the_time() -> None:
    async def play() -> None:
        async with town(8, 8, direct=True, deal=bytes([8]) * 32) as here:
            await at(here, Script(here, 8), "talk", book="lupus", options={"sage": True})
            sage = seen(here).sage
            host = here.table().seat_of(here.members[0])
            other = next(seat for seat in (host, 1, 2) if seat != sage)
            command = f"/skip@{here.world.bot.username}"
            here.world.say(here.table().person(other).user, here.group, command)
            await here.deliver()
            assert seen(here).step.kind == "talk"
            here.world.say(here.table().person(sage).user, here.group, command)
            await here.deliver()
            assert seen(here).step.kind == "naming"

    asyncio.run(play())


def test_a_sentence_meets_nobody_but_a_cupid_who_must_keep_silent() -> None:
    async def play() -> None:
        async with town(10, 9, direct=True, deal=bytes([9]) * 32) as here:
            await at(here, Script(here, 9), "speech", book="elder", options={"sheriff": "off"})
            roles = {seat: mine(here, seat).roles[0] for seat in range(1, 11) if mine(here, seat).alive}
            innocent = next(seat for seat, role in roles.items() if role == "villager")
            await sentence(here, innocent)
            assert mine(here, innocent).alive
            (cupid,) = [seat for seat, role in roles.items() if role == "cupid"]
            (linked,) = [ev for day in here.table().today for ev in day.events if isinstance(ev, e.Linked)]
            assert cupid not in linked.lovers, "or the test needs another deal"
            await sentence(here, cupid)
            assert not mine(here, cupid).alive

    asyncio.run(play())


def mine(here: Town, seat: int) -> Any:
    """What a seat sees of its own."""
    return view_for(here.table().play(), seat).mine


async def sentence(here: Town, seat: int) -> None:
    """The host puts a seat out for having named the lovers."""
    here.world.say(here.members[0], here.group, f"/expel@{here.world.bot.username} {seat} sentence")
    await here.deliver()
    message = next(m for m in reversed(here.world.messages(here.group)) if buttons.EXPEL in codes(m))
    here.press(here.members[0], here.group, message, buttons.EXPEL)
    await here.deliver()
