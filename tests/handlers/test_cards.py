"""Every card of every golden game, in every language, fits into a pop-up of 200 characters."""

from __future__ import annotations

import pytest

from engine import Fact, Refused, decide, evolve, view_for
from handlers import names
from handlers.languages import LANGUAGES
from handlers.record import Person, Reply
from handlers.telegram.paper import Html
from handlers.wording import popups
from handlers.wording.scribe import Scribe
from tests.engine.golden import GAMES, Golden, instant, stored_commands
from tests.engine.simulation import NOON

LONG_NAME = "👨‍👩‍👧‍👦 Extraordinarily long 名字 of somebody who likes to be noticed"


def utf16(text: str) -> int:
    """Characters as Telegram counts them."""
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_every_card_fits(golden: Golden, language: str) -> None:
    game = golden.table.begin().game
    people = tuple(Person(seat, names.clean(LONG_NAME), language) for seat in range(1, len(game.seats) + 1))
    scribe = Scribe(language, people, Html(), NOON)
    cards = 0
    for command, at in stored_commands(golden.path.read_text(encoding="utf-8")):
        outcome = decide(game, command, instant(game, command, at))
        assert not isinstance(outcome, Refused)
        for event in outcome:
            game = evolve(game, event)
        for seat in range(1, len(people) + 1):
            card = popups.card(scribe, view_for(game, seat))
            assert 0 < utf16(card) <= popups.LONGEST
            cards += 1
    assert cards > 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_to_a_press_fits(language: str) -> None:
    """However many were chosen, and whatever they are called."""
    people = tuple(Person(seat, "🐺" * names.LONGEST, language) for seat in range(1, 19))
    text = popups.reply(Scribe(language, people, Html(), NOON), Reply("chosen", chosen=tuple(range(1, 19))))
    assert utf16(text) <= popups.LONGEST
    assert text.endswith("…")
    assert "1 🐺" in text
    assert "\ufffd" not in text


def test_a_card_says_in_which_night_the_claw_lay_where() -> None:
    """It is read long after that night."""
    people = tuple(Person(seat, f"P{seat}", "en") for seat in range(1, 5))
    fact = Fact(seat=2, about="3a", what="claw", day=2, occasion="trap.use")
    assert popups.fact_line(Scribe("en", people, Html(), NOON), fact) == "The claw of night 2: 3a P3"
