"""`new_moon` – 狼人變 with the New Moon expansion: `classic`, and five roles more."""

from __future__ import annotations

from engine.game import Game, Step
from engine.options import Options
from engine.rulebooks import classic
from engine.rulebooks.book import Deck, Problem, RuleBook, hunters_wave, sheriff_day, waves
from engine.rulebooks.decks import FEWEST, MOST, deck_with, extra_cards, problems

NIGHT = waves(("thief",), ("cupid",), ("guard", "seer", "wolves", "little_girl"), ("witch",), ("piper",))


def script(game: Game) -> tuple[Step, ...]:
    """A night that ends with the piper, and a day as in `classic`."""
    return (*NIGHT, *hunters_wave(game), *sheriff_day(game))


def recommended(seats: int) -> tuple[str, ...]:
    """The special roles of `classic`, and the expansion's one after the other (N1)."""
    specials = list(classic.recommended(seats))
    for role, fewest in (("idiot", 10), ("elder", 12), ("scapegoat", 14), ("piper", 16)):
        if seats >= fewest:
            specials.append(role)
    return tuple(specials)


def problems_of(seats: int, deck: Deck, options: Options) -> list[Problem]:
    """Why the book would not deal this deck; nothing if it would."""
    return problems(BOOK.roles, seats, deck, options)


BOOK = RuleBook(
    name="new_moon",
    fewest=FEWEST,
    most=MOST,
    roles=(
        "werewolf",
        "seer",
        "witch",
        "hunter",
        "cupid",
        "guard",
        "idiot",
        "elder",
        "scapegoat",
        "piper",
        "thief",
        "little_girl",
        "villager",
    ),
    defaults={"hunter_shoots_when": "any", "guard_covers_girl": False},
    option_names=(
        *classic.BOOK.option_names,
        "elder_lives",
        "elder_curse",
        "idiot",
        "idiot_votable",
        "piper_targets",
    ),
    choosable=(
        "witch",
        "hunter",
        "cupid",
        "guard",
        "idiot",
        "elder",
        "scapegoat",
        "piper",
        "thief",
        "little_girl",
    ),
    recommended=recommended,
    deck_with=deck_with,
    problems_of=problems_of,
    extra_cards=extra_cards,
    script=script,
)
