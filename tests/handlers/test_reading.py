"""Rules, roles, words: true to the table, short enough for a phone, turned by anybody, by no made-up button."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from engine import RULE_BOOKS, OptionRefused
from handlers import buttons, languages, rulebook_pages, settings
from handlers.record import Person, Table
from handlers.telegram import reading
from handlers.telegram.desk import TURNS_A_MINUTE
from handlers.telegram.keyboards import NO_TABLE
from handlers.telegram.pages import pages
from handlers.telegram.paper import Html
from handlers.wording.rules import glossary, lines, roles, shelf
from handlers.wording.rules.pages import Guide, in_order
from handlers.wording.rules.shelf import Copy
from handlers.wording.scribe import BOOKS, EMOJI, Scribe, catalogue
from infra.local.formatting import parse_html, utf16
from tests.handlers.script import Script
from tests.handlers.test_commands import typed, us
from tests.handlers.town import Town, data_under, say, town

PHONE = 1800
"""UTF-16 units of a page: three or four screens at most; the list of all options may be longer."""

WHOLE = 4096
LOUD: dict[str, Any] = {
    "tie": "runoff",
    "seer_sees": "camp",
    "warnings_by_kind": True,
    "explode": True,
    "reveal_on_death": True,
    "sheriff": "after_talk",
}
"""Options under which others first matter."""

QUIET = {"shuffle_seats", "guard_min_seats", "elder_instead_of_cupid", "warnings", "sage_first", "sage_passes_to"}
"""Options that only the deck and the page of the table tell, as it tells all times."""


def takes(book: str, name: str, value: object) -> bool:
    try:
        RULE_BOOKS[book].freeze({name: value})
    except OptionRefused:
        return False
    return True


def guide(language: str) -> Guide:
    return Guide(Scribe(language, (), Html(), 0.0))


def word(key: str, language: str = "zh_Hans", **variables: object) -> str:
    return catalogue(language, "rules").gettext(key).format(**variables)


def seated(count: int, book: str = "classic", **fields: Any) -> Table:
    people = tuple(Person(seat, f"{seat}", "zh_Hans") for seat in range(1, count + 1))
    return Table(id="abcdefgh", chat=-5, language="zh_Hans", opener=1, book=book, people=people, **fields)


def variants(book: str) -> Iterator[dict[str, Any]]:
    """One option at a time set to each of its other values that the book takes; and as many as go at once."""
    together: dict[str, Any] = {}
    for name in RULE_BOOKS[book].option_names:
        for value in settings.CHOICES[name]:
            options = {name: value}
            try:
                changed = RULE_BOOKS[book].differs(RULE_BOOKS[book].freeze(options)) != "{}"
                RULE_BOOKS[book].freeze({**together, **options})
            except OptionRefused:
                continue
            if changed:
                together.update(options)
                yield options
    yield together


def tables(book: str) -> Iterator[Table]:
    """Small and large, every role that can be switched on, every option."""
    rules = RULE_BOOKS[book]
    for seats in (0, rules.fewest, rules.most):
        yield seated(seats, book)
    for options in variants(book):
        yield seated(rules.most, book, options=options)
        yield seated(rules.most, book, options=options, specials=rules.choosable)


def every_page(writer: Guide, copy: Copy) -> list[str]:
    return [*writer.rules(copy), *writer.roles(copy)]


def assert_readable(text: str, most: int) -> None:
    shown, _ = parse_html(text, lambda _: None)
    assert 20 < utf16(shown) <= most, shown
    assert "{" not in shown
    assert "None" not in shown
    assert all(line == line.rstrip() for line in shown.split("\n"))


# Texts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", languages.LANGUAGES)
@pytest.mark.parametrize("book", RULE_BOOKS)
def test_every_table_can_be_explained_on_short_pages(book: str, language: str) -> None:
    writer, seen = guide(language), 0
    for table in tables(book):
        copy = shelf.played(table)
        *told, settled = writer.rules(copy)
        for text in (*told, *writer.roles(copy)):
            assert_readable(text, PHONE)
        assert_readable(settled, WHOLE)
        seen += 1
    assert seen > 50


@pytest.mark.parametrize("language", languages.LANGUAGES)
@pytest.mark.parametrize("book", BOOKS)
def test_every_book_can_be_explained_as_it_is_printed(book: str, language: str) -> None:
    writer, copy = guide(language), shelf.printed(book)
    *told, settled = writer.rules(copy)
    for text in (*told, *writer.roles(copy), *writer.glossary(), writer.books(BOOKS)):
        assert_readable(text, PHONE)
    assert_readable(settled, WHOLE)
    assert len(writer.roles(copy)) == len(copy.roles) + 1


@pytest.mark.parametrize("book", BOOKS)
def test_what_an_option_changes_for_the_players_is_read_on_the_pages(book: str) -> None:
    writer, copy = guide("en"), shelf.printed(book)
    base = {**copy.options, **{name: value for name, value in LOUD.items() if name in copy.option_names}}
    quiet = set()
    for name in copy.option_names:
        for value in settings.CHOICES[name] if not name.endswith("_s") else ():
            if value in (base[name], copy.options[name]) or (book in RULE_BOOKS and not takes(book, name, value)):
                continue
            copies = (replace(copy, options=base), replace(copy, options={**base, name: value}))
            before, after = (writer.rules(c)[:-1] + writer.roles(c) for c in copies)
            if before == after:
                quiet.add(name)
    assert quiet - QUIET == set()


def test_lines_follow_options_and_deck() -> None:
    writer = guide("zh_Hans")

    def read(**fields: Any) -> str:
        return "\n".join(writer.rules(shelf.played(seated(12, **fields))))

    assert word("tie.none") in read()
    assert word("tie.none") not in read(options={"tie": "runoff"})
    assert word("tie.untied", tie_rounds="2") in read(
        options={"tie": "runoff", "tie_rounds": 2, "tie_voters": "untied"}
    )
    assert word("dawn.hidden") in read(options={"reveal_on_death": False})
    assert word("sheriff.off") in read(options={"sheriff": "off"})
    assert word("badge.may") not in read(options={"sheriff": "off"})
    assert word("vote.lovers") in read(specials=("cupid",))
    assert word("vote.lovers") not in read(specials=("cupid",), options={"lovers_may_vote_each_other": True})
    assert word("vote.lovers") not in read(specials=("witch",))
    assert word("talk.free", talk_s=say("value.minutes", number=5)) in read(options={"talk_s": 300})


def test_the_page_of_the_table_names_what_differs() -> None:
    writer = guide("zh_Hans")
    plain, changed = seated(8), seated(8, options={"tie": "runoff"}, idle="expel")
    assert word("table.as_printed") in writer.rules(shelf.played(plain))[-1]
    page = writer.rules(shelf.played(changed))[-1]
    assert word("table.as_printed") not in page
    assert "🔸 " + say("turned", option=say("option.tie"), value=say("value.tie.runoff")) in page
    assert say("turned", option=say("option.idle"), value=say("value.idle.expel")) in page
    assert page.count("🔸") == 1


def test_the_roles_of_the_deck_are_marked() -> None:
    writer = guide("zh_Hans")
    overview = writer.roles(shelf.played(seated(12, specials=("witch", "guard"))))[0]
    marked = [line for line in overview.split("\n") if line.startswith("✅")]
    for role, number in {"werewolf": 3, "seer": 1, "witch": 1, "guard": 1, "villager": 6}.items():
        assert any(f"{EMOJI[role]} {say(f'role.{role}')} ×{number}" in line for line in marked)
    assert len(marked) == 5
    absent = overview.split("\n")[-1]
    assert all(say(f"role.{role}") in absent for role in ("hunter", "cupid", "thief", "little_girl"))


def test_every_role_and_every_book_has_its_page() -> None:
    assert set(roles.WHO) == set(EMOJI) - {"death"}
    assert set(lines.SCRIPTS) == set(BOOKS)
    assert set(RULE_BOOKS) <= set(BOOKS)
    terms = [term for group in glossary.GROUPS.values() for term in group]
    assert len(terms) == len(set(terms)) > 25


def test_at_a_large_table_the_owl_man_is_death() -> None:
    writer = guide("zh_Hans")
    for seats, name in ((20, "owl_man"), (21, "death")):
        copy = replace(
            shelf.printed("lupus"), seats=seats, deck={"werewolf": 3, "owl_man": 1, "villager": seats - 4}
        )
        page = writer.roles(copy)[1 + in_order(copy).index("owl_man")]
        assert page.startswith(f"<b>{EMOJI[name]} {say(f'role.{name}')}</b>")
        assert (word("who.owl_man") in page) == (name == "owl_man")
        assert (word("who.owl_man.death", death_above=20) in page) == (name == "death")


# Files -----------------------------------------------------------------------------------------------------


def test_the_files_for_readers_say_what_the_bot_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rulebook_pages.problems() == []
    monkeypatch.setattr(rulebook_pages, "FOLDER", tmp_path / "rules")
    assert len(rulebook_pages.problems()) == len(rulebook_pages.pages())
    rulebook_pages.write()
    assert rulebook_pages.main(["check"]) == 0
    (tmp_path / "rules" / "classic.en.md").write_text("old", encoding="utf-8")
    (tmp_path / "rules" / "stray.md").write_text("nobody's", encoding="utf-8")
    assert [problem.split(" ")[0] for problem in rulebook_pages.problems()] == [
        "docs/rules/classic.en.md",
        "docs/rules/stray.md",
    ]
    rulebook_pages.write()
    assert rulebook_pages.problems() == []


def test_links_between_the_files_lead_somewhere() -> None:
    written = rulebook_pages.pages()
    for text in written.values():
        for part in text.split("](")[1:]:
            assert part.partition(")")[0] in written


# Buttons ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [None, seated(18, specials=RULE_BOOKS["classic"].choosable)])
@pytest.mark.parametrize("language", languages.LANGUAGES)
def test_every_button_leads_to_a_page(table: Table | None, language: str) -> None:
    writer, place = guide(language), "t" if table else "n"
    code = buttons.RULES if table else buttons.BOOKS
    start = str(buttons.Data(table.id if table else NO_TABLE, 0, code, place))
    waiting, seen = [start], set[str]()
    while waiting:
        data = buttons.parse(text := waiting.pop())
        assert data is not None
        assert len(text.encode()) <= 64
        shown = reading._show(writer, reading.Leaf(data.code, data.serial, data.answer, data.table), table, "")
        assert shown is not None, text
        assert len(pages(shown[0])) == 1
        seen.add(text)
        keyboard = shown[1]
        assert keyboard is not None
        for row in keyboard.inline_keyboard:
            for button in row:
                assert 0 < utf16(button.text) <= 64
                following = str(button.callback_data)
                if following not in seen and following not in waiting:
                    waiting.append(following)
    codes = {data.code for text in seen if (data := buttons.parse(text))}
    assert codes == set(buttons.OF_THE_RULES)
    pages_of_roles = {data.serial for text in seen if (data := buttons.parse(text)) and data.code == buttons.WHO}
    assert pages_of_roles == set(range(max(len(book.roles) for book in RULE_BOOKS.values()) + 1))


def forged(table: Table | None = None) -> list[buttons.Data]:
    own = table.id if table else NO_TABLE
    return [
        buttons.Data(own, 99, buttons.RULES, "b0"),
        buttons.Data(own, 99, buttons.WHO, "b0"),
        buttons.Data(own, 99, buttons.GLOSSARY, "n"),
        buttons.Data(own, 2, buttons.BOOKS, "n"),
        buttons.Data(own, 0, buttons.RULES, "b9"),
        buttons.Data(own, 0, buttons.WHO, "n"),
        buttons.Data(own, 0, buttons.RULES, "x"),
        buttons.Data(NO_TABLE, 0, buttons.RULES, "t"),
    ]


def test_what_leads_nowhere_is_no_page() -> None:
    for table in (None, seated(8)):
        for data in forged(table):
            leaf = reading.Leaf(data.code, data.serial, data.answer, data.table)
            assert reading._show(guide("en"), leaf, None if data.answer == "t" else table, "") is None, data


# In the chat -----------------------------------------------------------------------------------------------


def newest(here: Town, chat: int) -> dict[str, Any]:
    return here.newest(chat)


def title(book: str, page: str, language: str = "zh_Hans") -> str:
    return word("heading", language, book=say(f"book.{book}", language), title=word(page, language))


async def turned(here: Town, user: int, chat: int, code: str, answer: str = "") -> tuple[str, str]:
    """Press a button of the newest message; what was answered, and what the message says then."""
    message = newest(here, chat)
    query = here.press(user, chat, message, code, answer)
    await here.deliver()
    after = here.world.message(chat, message["message_id"])
    assert after is not None
    return str(here.answer(query).get("text", "")), str(after["text"])


def arrows(message: dict[str, Any]) -> list[str]:
    (row,) = [
        row for row in message["reply_markup"]["inline_keyboard"] if any(b["text"] in ("◀", "▶") for b in row)
    ]
    return [button["callback_data"] for button in row]


def test_without_a_table_a_group_chooses_a_book() -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            for command, code, first in (
                ("rules", buttons.RULES, title("classic", "title.aim")),
                ("roles", buttons.WHO, word("heading.roles", book=say("book.classic"))),
            ):
                (words,) = await typed(here, here.members[0], f"/{command}@{us(here)}")
                assert word("books") in words
                labels = [
                    b["text"] for row in newest(here, here.group)["reply_markup"]["inline_keyboard"] for b in row
                ]
                assert f"{say('book.classic')} ✔" in labels
                offered = [d for t in data_under(newest(here, here.group)) if (d := buttons.parse(t))]
                assert {d.answer for d in offered if d.code == code} == {f"b{BOOKS.index(b)}" for b in RULE_BOOKS}
                said, text = await turned(here, here.members[1], here.group, code, "b0")
                assert said == say("reply.page")
                assert text.startswith(first)
            assert here.unanswered() == []

    asyncio.run(play())


def test_anybody_turns_the_pages_of_the_tables_rules_round() -> None:
    async def play() -> None:
        async with town(8, direct=True) as here:
            await here.open_lobby()
            here.change(options={"tie": "runoff"})
            stranger = here.world.new_member("客", "en")
            here.world.join_group(stranger, here.group)
            before, count = here.item(), len(here.world.messages(here.group))
            await typed(here, here.members[0], "/rules")
            message = newest(here, here.group)
            assert message["text"].startswith(title("classic", "title.aim"))
            seen = []
            for number in range(len(lines.SCRIPTS["classic"])):
                message = newest(here, here.group)
                seen.append(message["text"].split("\n")[0])
                data = arrows(message)[2]
                query = here.world.press(
                    (stranger, here.members[3])[number % 2], here.group, message["message_id"], data
                )
                await here.pass_time(10.0)
                assert here.answer(query)["text"] == say("reply.page", "en" if number % 2 == 0 else "zh_Hans")
            assert seen == [title("classic", key) for key, _ in lines.SCRIPTS["classic"]]
            assert newest(here, here.group)["text"].startswith(title("classic", "title.aim"))
            assert len([m for m in here.world.messages(here.group) if m.get("text", "").startswith("📖")]) == 1
            assert here.item() == before, "to read is to write nothing"
            assert len(here.world.messages(here.group)) == count + 2, "the command and its answer"

    asyncio.run(play())


def test_the_roles_are_those_of_the_game() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            await Script(here, 2).begin()
            await typed(here, here.members[0], "/roles")
            deck = here.table().play().deck
            text = newest(here, here.group)["text"]
            for role, number in deck.items():
                assert f"✅ {EMOJI[role]} {say(f'role.{role}')} ×{number}" in text
            assert text.count("✅") == len(deck)
            message, shown = newest(here, here.group), in_order(shelf.printed("classic"))
            data = str(buttons.Data(here.table_id(), shown.index("witch") + 1, buttons.WHO, "t"))
            here.world.press(here.members[5], here.group, message["message_id"], data)
            await here.deliver()
            page = newest(here, here.group)["text"].split("\n")
            assert page[0] == f"{EMOJI['witch']} {say('role.witch')}"
            assert page[1] == word("role.dealt", number=1)
            assert f"• {word('who.witch.self')}" in page

    asyncio.run(play())


def test_in_private_the_own_tables_rules_are_read_in_the_own_language() -> None:
    async def play() -> None:
        async with town(8, direct=True) as here:
            await here.open_lobby()
            user = here.members[4]
            here.moderator.door._desk.chats.prefer(user, "en")
            (words,) = await typed(here, user, "/rules", user)
            assert title("classic", "title.aim", "en") in words
            said, text = await turned(here, user, user, buttons.WHO)
            assert said == say("reply.page", "en")
            assert text.startswith(word("heading.roles", "en", book=say("book.classic", "en")))
            assert "✅" in text
            stranger = here.world.new_member("客", "zh-hant")
            here.world.start_bot(stranger)
            await here.deliver()
            (words,) = await typed(here, stranger, "/roles", stranger)
            assert word("books", "zh_Hant") in words
            (words,) = await typed(here, stranger, "/glossary", stranger)
            assert word("group.check", "zh_Hant") in words

    asyncio.run(play())


def test_the_language_of_a_group_stays_whoever_turns_the_page() -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            here.moderator.door._desk.chats.speak(here.group, None, "zh_Hant")
            await typed(here, here.members[0], f"/glossary@{us(here)}")
            said, text = await turned(here, here.members[1], here.group, buttons.GLOSSARY)
            assert text.startswith("💬")
            assert word("group.fair", "zh_Hant") in text.split("\n")[0]
            assert said == say("reply.page")

    asyncio.run(play())


def test_a_made_up_or_old_button_is_refused_with_a_word() -> None:
    async def play() -> None:
        async with town(8, direct=True) as here:
            lobby = await here.open_lobby()
            await typed(here, here.members[0], "/rules")
            message, table = newest(here, here.group), here.table()
            gone = say("reply.page_gone")

            async def press(chat: int, message: dict[str, Any], data: str) -> None:
                query = here.world.press(here.members[2], chat, message["message_id"], data)
                await here.deliver()
                assert here.answer(query)["text"] == gone
                assert here.answer(query)["show_alert"]
                assert here.world.message(chat, message["message_id"]) == message

            for data in forged(table):
                await press(here.group, message, str(data))
            # A page's own button, pressed on a message that does not have it.
            await press(here.group, here.world.message(here.group, lobby["message_id"]) or {}, arrows(message)[2])
            # A table that is no more, and that of another group.
            other = here.world.new_group("别处", here.members[2])
            here.world.add_bot(other, here.members[2])
            own = arrows(message)[2]
            for chat, text in ((here.group, own.replace(table.id, "zzzzzzzz")), (other, own)):
                keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("▶", callback_data=text)]])
                await here.moderator.door._desk.client.send(chat, "…", keyboard)
                await press(chat, newest(here, chat), text)
            assert here.unanswered() == []

    asyncio.run(play())


def test_who_turns_too_fast_is_asked_to_wait() -> None:
    async def play() -> None:
        async with town(2, direct=True) as here:
            await typed(here, here.members[0], f"/glossary@{us(here)}")
            answers = []
            for _ in range(TURNS_A_MINUTE + 2):
                await here.pass_time(2.0)
                message = newest(here, here.group)
                query = here.world.press(here.members[1], here.group, message["message_id"], arrows(message)[2])
                await here.deliver()
                answers.append(str(here.answer(query)["text"]))
            waits = [say("reply.page_later", number=60 - 2 * (TURNS_A_MINUTE + more)) for more in range(2)]
            assert answers == [say("reply.page")] * TURNS_A_MINUTE + waits
            await here.pass_time(60.0)
            assert (await turned(here, here.members[1], here.group, buttons.GLOSSARY))[0] == say("reply.page")
            assert here.unanswered() == []

    asyncio.run(play())
