"""The options of the books: names, defaults, what they take, how they are frozen, and that they are used."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import RULE_BOOKS, OptionRefused, Options, Setup, replay, start
from tests.engine.simulation import NOON

CLASSIC = RULE_BOOKS["classic"]
ENGINE = Path(engine.__file__).parent

# Every option of `classic`: its default, values it takes besides, values it does not take.
CLASSIC_OPTIONS: dict[str, tuple[Any, list[Any], list[Any]]] = {
    "ballots": ("simultaneous", ["open"], ["hidden", True, 1, None]),
    "seer_sees": ("role", ["camp"], ["card", None]),
    "seen_as_wolf": ([], [["hunter"], ["witch", "villager"]], ["hunter", ["idiot"], [1], {}]),
    "wolves_agree": ("plurality", ["unanimous"], ["majority", 1]),
    "wolves_may_pass": (True, [False], ["perhaps", [], None]),
    "wolves_may_attack_wolves": (True, [False], ["perhaps", 7]),
    "witch_potions_per_night": (2, [1], [0, 3, "both"]),
    "witch_self_heal": ("always", ["no_guard", "never"], ["first_night", True]),
    "witch_told": ("always", ["with_antidote"], ["never", False]),
    "witch_told_when_protected": (True, [False], ["perhaps"]),
    "guard_self": (True, [False], ["perhaps"]),
    "guard_repeat": (False, [True], ["perhaps"]),
    "guard_covers_girl": (True, [False], ["perhaps"]),
    "guard_min_seats": (0, [12, 24], [-1, 25, "many"]),
    "guard_and_heal_kills": (False, [True], ["perhaps"]),
    "hunter_shoots_when": (
        ["wolves", "lynch"],
        ["any", [], ["poison"], ["wolves", "lynch", "shot", "heartbreak", "guard_and_heal"]],
        ["never", ["love"], 3],
    ),
    "reveal_on_death": (True, [False], ["perhaps"]),
    "reveal_on_lynch": (True, [False], ["perhaps"]),
    "lovers_know": ("seat", ["role"], ["camp"]),
    "lovers_may_vote_each_other": (False, [True], ["perhaps"]),
    "thief_must_take": ("two_wolves", ["always"], ["never", True]),
    "sheriff": ("after_talk", ["off", False, True], ["on", "mayor", 1, None]),
    "sheriff_weight": (2.0, [1, 1.5, 3], [0, 0.5, 4, "double"]),
    "badge": ("may", ["must"], ["off", True]),
    "speech": ("free", ["turns"], ["silent", True]),
    "tie": ("none", ["runoff"], ["both", False]),
    "tie_rounds": (3, [1, 9], [0, 10]),
    "tie_voters": ("all", ["untied"], ["tied"]),
    "last_words": ([], [["wolves", "shot", "lynch"], ["poison"]], ["all", ["left"], 1]),
    "wolves_win": ("all", ["parity"], ["half", True]),
    "all_dead": ("draw", ["village", "wolves"], ["lovers", None]),
    "abstain": (True, [False], ["perhaps"]),
    "warnings": (2, [1, 9], [0, 10]),
    "warnings_by_kind": (False, [True], ["perhaps"]),
    "leavers_win": (False, [True], ["perhaps"]),
    "max_days": (0, [1, 99], [-1, 100]),
    "girl_noticed": (0.25, [0, 0.5, 1], [-0.1, 1.1, "often"]),
    "shuffle_seats": (False, [True], ["perhaps"]),
    "absent_call_s": ([4.0, 25.0], [[3, 3], [3, 60], [4.5, 20]], [[25, 4], [2, 9], [3, 61], [4], 7, [4, 5, 6]]),
    "night_s": (60, [20, 30, 3600, 172_800], [19, 172_801, "long", 30.5]),
    "witch_s": (40, [5, 90], [4, None]),
    "talk_s": (180, [5, 86_400], [0, -1]),
    "speech_s": (100, [5, 60], [0, {}]),
    "vote_s": (60, [5, 120], [0, []]),
    "last_words_s": (60, [5, 120], [0]),
    "shot_s": (40, [5, 120], [0]),
    "badge_s": (40, [5, 120], [0]),
}

FROZEN = (
    '{"absent_call_s":[4.0,25.0],"abstain":true,"all_dead":"draw","badge":"may","badge_s":40,'
    '"ballots":"simultaneous","girl_noticed":0.25,"guard_and_heal_kills":false,"guard_covers_girl":true,'
    '"guard_min_seats":0,"guard_repeat":false,"guard_self":true,"hunter_shoots_when":["wolves","lynch"],'
    '"last_words":[],"last_words_s":60,"leavers_win":false,"lovers_know":"seat",'
    '"lovers_may_vote_each_other":false,"max_days":0,"night_s":60,"reveal_on_death":true,'
    '"reveal_on_lynch":true,"seen_as_wolf":[],"seer_sees":"role","sheriff":"after_talk","sheriff_weight":2.0,'
    '"shot_s":40,"shuffle_seats":false,"speech":"free","speech_s":100,"talk_s":180,'
    '"thief_must_take":"two_wolves","tie":"none","tie_rounds":3,"tie_voters":"all","vote_s":60,"warnings":2,'
    '"warnings_by_kind":false,"witch_potions_per_night":2,"witch_s":40,"witch_self_heal":"always",'
    '"witch_told":"always","witch_told_when_protected":true,"wolves_agree":"plurality",'
    '"wolves_may_attack_wolves":true,"wolves_may_pass":true,"wolves_win":"all"}'
)


def test_the_options_of_the_book_are_these() -> None:
    assert set(CLASSIC.option_names) == set(CLASSIC_OPTIONS)
    assert len(CLASSIC.option_names) == len(CLASSIC_OPTIONS)


def test_the_defaults_of_the_book_are_these() -> None:
    assert json.loads(CLASSIC.usual) == {name: usual for name, (usual, _, _) in CLASSIC_OPTIONS.items()}


def test_the_frozen_text_is_the_same_for_ever() -> None:
    """It is part of every stored game, and what differs from it is part of the line that is hashed."""
    assert CLASSIC.freeze({}) == CLASSIC.usual == FROZEN


@pytest.mark.parametrize("name", CLASSIC_OPTIONS)
def test_what_an_option_takes(name: str) -> None:
    usual, others, _ = CLASSIC_OPTIONS[name]
    assert CLASSIC.freeze({name: usual}) == CLASSIC.usual
    assert CLASSIC.differs(CLASSIC.freeze({name: usual})) == "{}"
    for value in others:
        frozen = CLASSIC.freeze({name: value})
        stored = json.loads(frozen)
        changed = {key for key, kept in stored.items() if kept != CLASSIC_OPTIONS[key][0]}
        assert changed <= {name}
        assert json.loads(CLASSIC.differs(frozen)) == {key: stored[key] for key in changed}
        assert CLASSIC.freeze(stored) == frozen, "what was frozen can be frozen again"
        assert isinstance(CLASSIC.options({name: value}), Options)


@pytest.mark.parametrize("name", CLASSIC_OPTIONS)
def test_what_an_option_does_not_take(name: str) -> None:
    for value in CLASSIC_OPTIONS[name][2]:
        with pytest.raises(OptionRefused) as refused:
            CLASSIC.freeze({name: value})
        assert (refused.value.name, refused.value.code) == (name, "value"), value


@pytest.mark.parametrize("name", ["", "Sheriff", "deck", "trap", "piper_targets", "nonsense"])
def test_an_option_the_book_does_not_have(name: str) -> None:
    with pytest.raises(OptionRefused) as refused:
        CLASSIC.freeze({"speech": "turns", name: True})
    assert (refused.value.name, refused.value.code) == (name, "unknown")
    with pytest.raises(OptionRefused):
        start(Setup(book="classic", seats=8, options={name: True}), bytes(32), NOON)


def test_no_sheriff_may_be_written_as_false() -> None:
    assert CLASSIC.freeze({"sheriff": False}) == CLASSIC.freeze({"sheriff": "off"})
    assert CLASSIC.freeze({"sheriff": True}) == CLASSIC.usual


def test_the_order_of_the_changes_does_not_matter() -> None:
    one = CLASSIC.freeze({"speech": "turns", "tie": "runoff"})
    assert one == CLASSIC.freeze({"tie": "runoff", "speech": "turns"})
    assert CLASSIC.differs(one) == '{"speech":"turns","tie":"runoff"}'


def test_options_are_frozen_into_the_game() -> None:
    options: dict[str, Any] = {"speech": "turns"}
    game = replay(start(Setup(book="classic", seats=8, options=options), bytes(32), NOON))
    options["speech"] = "free"
    assert json.loads(game.options)["speech"] == "turns"
    assert game.differs == '{"speech":"turns"}'


@pytest.mark.parametrize("book", RULE_BOOKS)
def test_no_option_is_ignored(book: str) -> None:
    """Each is read somewhere by the rules: an option that changes nothing is a lie."""
    rules = "".join(path.read_text() for path in ENGINE.rglob("*.py") if path.name != "options.py")
    unread = [name for name in RULE_BOOKS[book].option_names if not re.search(rf"\.{name}\b", rules)]
    assert unread == []


def test_every_option_is_offered_by_some_book() -> None:
    offered = {name for book in RULE_BOOKS.values() for name in book.option_names}
    assert offered == set(Options.model_fields)
