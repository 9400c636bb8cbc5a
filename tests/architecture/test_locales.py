"""Every sentence is in every catalogue, takes what it is given, is used, and fits where it is shown."""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

import engine
import handlers
from engine import RULE_BOOKS, Fact, Setup, replay, start, view_for
from handlers import names
from handlers.locales import __main__ as catalogues
from handlers.record import Person, Reply
from handlers.telegram import keyboards
from handlers.wording import popups
from handlers.wording.keys import KEYS
from handlers.wording.scribe import BOOKS, EMOJI, Plain, Scribe
from infra.local.formatting import utf16
from tests.handlers.script import Script
from tests.handlers.town import town

LANGUAGES = catalogues.languages()
POP_UP, BUTTON = 200, 64
LONG_NAMES = ["囧" * 24, "W" * 24, "🐺" * 24, "👨‍👩‍👧" * 8, "<&>" * 8]
ROLES = [key.removeprefix("role.") for key in KEYS if key.startswith("role.")]


def scribe(language: str, name: str) -> Scribe:
    people = tuple(Person(seat, names.clean(name), language) for seat in range(1, 19))
    return Scribe(language, people, Plain(), 0.0)


# Complete --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_these_sentences_with_these_variables_and_no_others(language: str) -> None:
    assert catalogues.problems(language) == []
    assert catalogues.problems_of_rules(language) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("pattern", "planted", "complaint"),
    [
        (r'(msgid "night\.calls"\nmsgstr ".*?)\{calls\}', r"\1{call}", "night.calls takes"),
        (r'(msgid "day"\nmsgstr ".*?)\{day\}', r"\1", "day takes"),
        ('msgid "night"', 'msgid "nights"', "missing night"),
        ('msgid "night"', 'msgid "nights"', "unused nights"),
    ],
)
def test_what_is_wrong_in_a_catalogue_is_found(
    language: str, pattern: str, planted: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (catalogues.FOLDER / f"{language}.po").read_text(encoding="utf-8")
    wrong, planted_times = re.subn(pattern, planted, text, count=1)
    assert planted_times == 1
    (tmp_path / f"{language}.po").write_text(wrong, encoding="utf-8")
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    assert [problem for problem in catalogues.problems(language) if complaint in problem]


@pytest.mark.parametrize(
    ("language", "pattern", "planted", "complaint"),
    [
        ("en", r'(msgid "vote\.lynch"\nmsgstr ".*?)\{vote_s\}', r"\1{vote}", "vote.lynch takes"),
        ("zh_Hant", r'(msgid "vote\.lynch"\nmsgstr ".*?)\{vote_s\}', r"\1", "vote.lynch takes"),
        ("zh_Hans", r'(msgid "vote\.lynch"\nmsgstr ".*?)\{vote_s\}', r"\1{vote}", "vote.lynch takes"),
        ("en", 'msgid "tie.none"', 'msgid "tie.no"', "missing tie.none"),
        ("en", 'msgid "tie.none"', 'msgid "tie.no"', "unused tie.no"),
    ],
)
def test_what_is_wrong_in_the_catalogue_of_the_rules_is_found(
    language: str, pattern: str, planted: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (f"rules.{each}.po" for each in LANGUAGES):
        text = (catalogues.FOLDER / name).read_text(encoding="utf-8")
        wrong, planted_times = re.subn(pattern, planted, text, count=1)
        assert planted_times == 1
        (tmp_path / name).write_text(wrong if name == f"rules.{language}.po" else text, encoding="utf-8")
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    assert [problem for problem in catalogues.problems_of_rules(language) if complaint in problem]


def test_every_role_has_a_sign_of_its_own_and_every_book_a_name() -> None:
    assert len(set(EMOJI.values())) == len(EMOJI)
    assert tuple(RULE_BOOKS) == BOOKS, "in the order in which they are offered"
    for book in RULE_BOOKS.values():
        assert set(book.roles) <= set(EMOJI)


# Used ------------------------------------------------------------------------------------------------------


def _trees(package: str) -> Iterator[ast.Module]:
    folder = Path(package).parent
    for path in sorted(folder.rglob("*.py")):
        if path.name != "keys.py":
            yield ast.parse(path.read_text(encoding="utf-8"))


def _constants(tree: ast.Module) -> Iterator[str]:
    """The texts in a module that are values: no docstrings."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def _patterns(tree: ast.Module) -> Iterator[str]:
    """The keys that are put together, as patterns with a group for each part that is filled in.

    They begin with what the key is about, or end with what of it: `story.{action}`, `{action}.none`.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and len(node.values) > 1:
            head, tail = (
                str(part.value) if isinstance(part, ast.Constant) else ""
                for part in (node.values[0], node.values[-1])
            )
            if re.fullmatch(r"[a-z_]+(\.[a-z_]+)*\.", head) or (not head and re.fullmatch(r"(\.[a-z_]+)+", tail)):
                yield "".join(
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"([a-z_.]+)"
                    for part in node.values
                )


@cache
def _vocabulary() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Literals of the handlers, literals of handlers and rules, patterns of the handlers."""
    ours = [*_trees(str(handlers.__file__))]
    rules = [*_trees(str(engine.__file__))]
    literal = frozenset(text for tree in ours for text in _constants(tree))
    known = literal | {text for tree in rules for text in _constants(tree)} | frozenset(RULE_BOOKS) | {*ROLES}
    return literal, known, frozenset(pattern for tree in ours for pattern in _patterns(tree))


def is_used(key: str) -> bool:
    """Say whether the handlers can ask for this sentence."""
    literal, known, patterns = _vocabulary()

    def can_be(text: str) -> bool:
        return text in known or any(
            all(can_be(part) for part in match.groups())
            for pattern in patterns
            if (match := re.fullmatch(pattern, text))
        )

    return key in literal or any(
        all(can_be(part) for part in match.groups())
        for pattern in patterns
        if (match := re.fullmatch(pattern, key))
    )


def test_every_sentence_is_used() -> None:
    assert [key for key in KEYS if not is_used(key)] == []


def test_an_unused_sentence_is_found() -> None:
    assert not is_used("reply.never_said")
    assert not is_used("nobody.says.this")
    assert not is_used("story.nobody_does.none")
    assert is_used("reply.deck.fixed")


# Short enough ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LONG_NAMES, ids=range(5))
def test_every_answer_to_a_press_fits_into_its_pop_up(language: str, name: str) -> None:
    writer = scribe(language, name)
    for key, variables in KEYS.items():
        if not key.startswith("reply."):
            continue
        given = {
            "seat": writer.seat(18),
            "number": 18,
            "name": names.clean(name * 9),
            "role": max((writer.role(role) for role in ROLES), key=len),
        }
        text = writer.say(key, **{variable: given[variable] for variable in variables})
        assert 0 < utf16(text) <= POP_UP
        code = key.removeprefix("reply.")
        said = popups.reply(writer, Reply(code, seat=18, number=18, word=ROLES[0] if code != "toggled" else ""))
        assert utf16(said) <= POP_UP


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LONG_NAMES, ids=range(5))
def test_every_button_fits(language: str, name: str) -> None:
    writer = scribe(language, name)
    labels = [writer.label(seat) for seat in (1, 18)] + [writer.role(role) for role in ROLES]
    for key, variables in KEYS.items():
        if key.startswith(("button.", "pass.", "yes.")):
            labels.append(writer.say(key, **dict.fromkeys(variables, 18)))
    for label in labels:
        assert 0 < utf16(f"{label} ✔") <= BUTTON


GIRL = ("witch", "hunter", "cupid", "guard", "thief", "little_girl")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LONG_NAMES[:3], ids=range(3))
def test_everybodys_card_fits_into_a_pop_up_at_every_point_of_a_game(language: str, name: str) -> None:
    async def play() -> None:
        async with town(14, 5, direct=True, deal=bytes([5]) * 32) as here:
            await here.begin(specials=GIRL, options={"ballots": "open"})
            people = tuple(replace(person, name=names.clean(name)) for person in here.table().people)
            here.change(people=people)
            script = Script(here, 5)
            longest, version = 0, 0
            while not script.is_over():
                await here.deliver()
                if here.item().version != version:
                    version = here.item().version
                    game = here.table().play()
                    for seat in range(1, 15):
                        text = popups.card(scribe(language, name), view_for(game, seat))
                        longest = max(longest, utf16(text))
                    group = keyboards.group(scribe(language, name), here.table().id, view_for(game, None).step)
                    for row in group.inline_keyboard if group else ():
                        assert all(0 < utf16(button.text) <= BUTTON for button in row)
                if not script.is_over():
                    script.go_on()
            assert 20 < longest <= POP_UP
            assert here.unanswered() == []

    asyncio.run(play())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LONG_NAMES, ids=range(5))
def test_a_card_with_many_facts_is_cut_to_what_fits(language: str, name: str) -> None:
    game = replay(start(Setup(book="classic", seats=18), seed=bytes(32), now=0.0))
    for seat in range(1, 19):
        view = view_for(game, seat)
        assert view.mine is not None
        facts = tuple(
            Fact(seat=seat, what="werewolf", about=about, day=about, occasion="seer.check")
            for about in range(1, 19)
        )
        text = popups.card(scribe(language, name), replace(view, mine=replace(view.mine, facts=facts)))
        assert POP_UP // 2 < utf16(text) <= POP_UP
        assert "\n" in text
