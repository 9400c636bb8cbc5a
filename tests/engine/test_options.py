"""The options of the books: names, defaults, what they take, how they are frozen, and that they are used."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import RULE_BOOKS, OptionRefused, Options, Setup, replay, start
from tests.engine.drawn import value_of
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
    "hunter_shoots_at": ("dawn", ["night"], ["noon", True]),
    "hunter_may_hide": (False, [True], ["perhaps"]),
    "reveal_on_death": (True, [False], ["perhaps"]),
    "reveal_on_lynch": (True, [False], ["perhaps"]),
    "cupid_goal": ("own", ["own_or_lovers", "third_party"], ["lovers", True]),
    "lovers_know": ("seat", ["role"], ["camp"]),
    "lovers_may_vote_each_other": (False, [True], ["perhaps"]),
    "thief_extra": ("two_villagers", ["one_villager"], ["none", 1]),
    "thief_must_take": ("two_wolves", ["always"], ["never", True]),
    "sheriff": ("after_talk", ["off", False, True, "before_dawn"], ["on", "mayor", 1, None]),
    "sheriff_candidates": (False, [True], ["perhaps"]),
    "sheriff_weight": (2.0, [1, 1.5, 3], [0, 0.5, 4, "double"]),
    "sheriff_weight_at_three": (2.0, [1, 1.5, 3], [0, 0.5, 4, "half"]),
    "sheriff_speaks_last": (False, [True], ["perhaps"]),
    "explode": (False, [True], ["perhaps"]),
    "explode_destroys_badge_after": (2, [1, 9], [0, 10]),
    "badge": ("may", ["must"], ["off", True]),
    "speech": ("free", ["turns"], ["silent", True]),
    "tie": ("none", ["runoff"], ["both", False]),
    "tie_rounds": (3, [1, 9], [0, 10]),
    "tie_voters": ("all", ["untied"], ["tied"]),
    "last_words": ([], [["wolves", "shot", "lynch"], ["poison"]], ["all", ["left"], 1]),
    "wolves_win": ("all", ["parity", "sides"], ["half", True]),
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
    '"ballots":"simultaneous","cupid_goal":"own","explode":false,"explode_destroys_badge_after":2,'
    '"girl_noticed":0.25,"guard_and_heal_kills":false,"guard_covers_girl":true,"guard_min_seats":0,'
    '"guard_repeat":false,"guard_self":true,"hunter_may_hide":false,"hunter_shoots_at":"dawn",'
    '"hunter_shoots_when":["wolves","lynch"],"last_words":[],"last_words_s":60,"leavers_win":false,'
    '"lovers_know":"seat","lovers_may_vote_each_other":false,"max_days":0,"night_s":60,"reveal_on_death":true,'
    '"reveal_on_lynch":true,"seen_as_wolf":[],"seer_sees":"role","sheriff":"after_talk",'
    '"sheriff_candidates":false,"sheriff_speaks_last":false,"sheriff_weight":2.0,'
    '"sheriff_weight_at_three":2.0,"shot_s":40,"shuffle_seats":false,"speech":"free","speech_s":100,'
    '"talk_s":180,"thief_extra":"two_villagers","thief_must_take":"two_wolves","tie":"none","tie_rounds":3,'
    '"tie_voters":"all","vote_s":60,"warnings":2,"warnings_by_kind":false,"witch_potions_per_night":2,'
    '"witch_s":40,"witch_self_heal":"always","witch_told":"always","witch_told_when_protected":true,'
    '"wolves_agree":"plurality","wolves_may_attack_wolves":true,"wolves_may_pass":true,"wolves_win":"all"}'
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


# Every book ----------------------------------------------------------------------------------------------

NO = "the book has no such thing"
ANY = "the book may have it as it likes"
BOOKS = ("classic", "new_moon", "elder", "handbook", "lupus", "lupusburg")
LYNCHED, LYNCHED_OR_HEALED = ("wolves", "lynch"), ("wolves", "lynch", "guard_and_heal")
CURSE = ("poison", "shot", "lynch")

USUAL: dict[str, tuple[Any, ...]] = {
    "ballots": (*4 * ["simultaneous"], ANY, ANY),
    "seer_sees": ("role", "role", "camp", "camp", "camp", NO),
    "seen_as_wolf": ((), (), (), ("idiot",), (), NO),
    "wolves_agree": ("plurality", "plurality", "unanimous", "plurality", "plurality", NO),
    "wolves_may_pass": (True, True, True, True, True, NO),
    "wolves_may_attack_wolves": (True, True, True, True, True, NO),
    "witch_potions_per_night": (2, 2, 1, 2, NO, NO),
    "witch_self_heal": ("always", "always", "no_guard", "always", NO, NO),
    "witch_told": ("always", "always", "with_antidote", "with_antidote", NO, NO),
    "witch_told_when_protected": (True, True, True, False, NO, NO),
    "guard_self": (True, True, True, True, False, NO),
    "guard_repeat": (False, False, False, False, True, NO),
    "guard_covers_girl": (True, False, NO, NO, NO, NO),
    "guard_min_seats": (0, 0, 12, 0, NO, NO),
    "hunter_shoots_at": ("dawn", "dawn", "night", "dawn", NO, NO),
    "hunter_may_hide": (False, False, True, True, NO, NO),
    "hunter_shoots_when": (LYNCHED, "any", LYNCHED_OR_HEALED, LYNCHED, NO, NO),
    "reveal_on_death": (True, True, True, False, False, ANY),
    "reveal_on_lynch": (True, True, False, False, False, ANY),
    "lovers_know": ("seat", "seat", "seat", "role", NO, NO),
    "lovers_may_vote_each_other": (False, False, True, True, NO, NO),
    "cupid_goal": ("own", "own", "own_or_lovers", "third_party", NO, NO),
    "thief_extra": ("two_villagers", "two_villagers", NO, "one_villager", NO, NO),
    "thief_must_take": ("two_wolves", "two_wolves", NO, "always", NO, NO),
    "sheriff": ("after_talk", "after_talk", "before_dawn", "off", NO, NO),
    "sheriff_candidates": (False, False, True, ANY, NO, NO),
    "sheriff_weight": (2, 2, 2, 2, NO, NO),
    "sheriff_weight_at_three": (2, 2, 1.5, 2, NO, NO),
    "badge": ("may", "may", "must", "may", NO, NO),
    "sheriff_speaks_last": (False, False, True, ANY, NO, NO),
    "speech": ("free", "free", "turns", "turns", "free", ANY),
    "tie": ("none", "none", "runoff", "none", NO, NO),
    "tie_rounds": (3, 3, 1, ANY, NO, NO),
    "tie_voters": ("all", "all", "untied", ANY, NO, NO),
    "last_words": (
        (),
        (),
        {"wolves", "shot", "lynch", "guard_and_heal"},
        {"wolves", "shot", "lynch", "tie"},
        (),
        ANY,
    ),
    "explode": (False, False, True, False, NO, NO),
    "explode_destroys_badge_after": (ANY, ANY, 2, ANY, NO, NO),
    "elder_lives": (NO, 2, 2, NO, NO, NO),
    "elder_curse": (NO, CURSE, CURSE, NO, NO, NO),
    "elder_instead_of_cupid": (NO, NO, False, NO, NO, NO),
    "idiot": (NO, "stays", NO, "returns", NO, NO),
    "idiot_votable": (NO, True, NO, False, NO, NO),
    "piper_targets": (NO, 2, NO, NO, NO, NO),
    "white_wolf_nights": (NO, NO, NO, "even", NO, NO),
    "wolves_win": ("all", "all", "all", "sides", "parity", NO),
    "white_wolf_must_fall": (NO, NO, NO, True, NO, NO),
    "all_dead": (*4 * ["draw"], ANY, NO),
    "guard_and_heal_kills": (False, False, True, False, NO, NO),
    "girl_noticed": (0.25, 0.25, NO, NO, NO, NO),
    "death_above": (*4 * [NO], 20, NO),
    "first_welcome": (*4 * [NO], "random", NO),
    "owl_may_pass": (*4 * [NO], True, NO),
    "owl_announced": (*4 * [NO], "after", NO),
    "nomination": (*4 * [NO], "turns", "turns"),
    "sage": (*4 * [NO], False, NO),
    "sage_first": (*4 * [NO], "random", NO),
    "sage_passes_to": (*4 * [NO], "living", NO),
    "count_s": (*4 * [NO], 20, NO),
    "turn_s": (*4 * [NO], 20, 20),
    "abstain": (*4 * [True], ANY, True),
    "warnings": 6 * (2,),
    "warnings_by_kind": (False, False, False, True, False, False),
    "leavers_win": 6 * (False,),
    "max_days": 6 * (0,),
    "shuffle_seats": 6 * (False,),
    "mayor": (*5 * [NO], "random"),
    "broom_seats": (*5 * [NO], 6),
    "broom_needs_all": (*5 * [NO], True),
    "wolf_must_kill": (*5 * [NO], True),
    "bet_self": (*5 * [NO], False),
    "one_each_score": (*5 * [NO], 3),
    "dead_worth": (*5 * [NO], 2),
    "trap": (*5 * [NO], False),
    "match_games": (*5 * [NO], 1),
    "place_s": (*5 * [NO], 60),
    "swap_s": (*5 * [NO], 20),
    "privilege_s": (*5 * [NO], 60),
    "bet_s": (*5 * [NO], 30),
    "absent_call_s": (*5 * [(4, 25)], ANY),
    "night_s": 6 * (60,),
    "witch_s": (*4 * [40], NO, NO),
    "talk_s": 6 * (180,),
    "speech_s": 6 * (100,),
    "vote_s": 6 * (60,),
    "last_words_s": (*4 * [60], ANY, NO),
    "shot_s": (*4 * [40], NO, NO),
    "badge_s": (*4 * [40], NO, NO),
}
"""What each option is by itself in each of the books, as the rulings have it; causes have no order in a set."""


@pytest.mark.parametrize("book", RULE_BOOKS)
def test_a_book_has_its_options_as_it_should(book: str) -> None:
    """Those it does not offer to change too; and it offers none that mean nothing in it."""
    rules = RULE_BOOKS[book]
    usual = rules.options({})
    for name in Options.__struct_fields__:
        wanted = USUAL[name][BOOKS.index(book)]
        if wanted == NO:
            assert name not in rules.option_names
        elif wanted != ANY:
            value = getattr(usual, name)
            assert (set(value) if isinstance(wanted, set) else value) == wanted, name


@pytest.mark.parametrize("book", RULE_BOOKS)
def test_what_a_book_offers_it_takes(book: str) -> None:
    """Each option with several values of its type, alone; what was frozen can be frozen again."""
    rules = RULE_BOOKS[book]
    assert len(set(rules.option_names)) == len(rules.option_names)
    for name in rules.option_names:
        taken = 0
        for number in range(8):
            value = value_of(name, rules, random.Random(number))
            try:
                frozen = rules.freeze({name: value})
            except OptionRefused:
                continue
            taken += 1
            assert set(json.loads(rules.differs(frozen))) <= {name}
            assert rules.freeze(json.loads(frozen)) == frozen
        assert taken > 1, name
        for nonsense in ({"a": 1}, object()):
            with pytest.raises(OptionRefused):
                rules.freeze({name: nonsense})


@pytest.mark.parametrize("book", RULE_BOOKS)
def test_no_option_is_ignored(book: str) -> None:
    """Each is read somewhere by the rules: an option that changes nothing is a lie."""
    rules = "".join(path.read_text() for path in ENGINE.rglob("*.py") if path.name != "options.py")
    unread = [name for name in RULE_BOOKS[book].option_names if not re.search(rf"\.{name}\b", rules)]
    assert unread == []


def test_every_option_is_offered_by_some_book() -> None:
    offered = {name for book in RULE_BOOKS.values() for name in book.option_names}
    assert offered == set(Options.__struct_fields__)
