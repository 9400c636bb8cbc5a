"""Every card of every golden game, in every language, fits into a pop-up of 200 characters."""

from __future__ import annotations

import pytest

from engine import Refused, decide, evolve, view_for
from handlers import names
from handlers.languages import LANGUAGES
from handlers.record import Person
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
