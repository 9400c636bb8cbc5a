"""`handbook` – 入门进阶手册: a white wolf, a third party of three, sides to kill off, timed speeches."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Game, Step
from engine.options import Options
from engine.rulebooks.book import Deck, Problem, RuleBook, hunters_wave, sheriff_day, waves
from engine.rulebooks.decks import FEWEST, MOST, TABLE_AND_TIMES, WOLVES, extra_cards, problems

NIGHT = waves(("thief",), ("cupid",), ("guard", "wolves", "seer"), ("white_wolf",), ("witch",))


def script(game: Game) -> tuple[Step, ...]:
    """The night, and the day after it."""
    return (*NIGHT, *hunters_wave(game), *sheriff_day(game))


def recommended(seats: int) -> tuple[str, ...]:
    """The special roles the lobby begins with; the thief only when the host adds him."""
    specials = ["seer", "witch", "hunter"]
    for role, fewest in (("idiot", 10), ("guard", 12), ("white_wolf", 12), ("cupid", 14), ("scapegoat", 16)):
        if seats >= fewest:
            specials.append(role)
    return tuple(specials)


def deck_with(seats: int, specials: Sequence[str]) -> Deck:
    """The white wolf stands for a werewolf, every other special role for a villager."""
    wolves = WOLVES[seats] - specials.count("white_wolf")
    villagers = seats - wolves - len(specials)
    return {"werewolf": wolves, **dict.fromkeys(specials, 1), "villager": villagers}


def problems_of(seats: int, deck: Deck, options: Options) -> list[Problem]:
    """Why the book would not deal this deck; nothing if it would. Its own table is lost: few roles are fixed."""
    return problems(BOOK.roles, seats, deck, options, fixed=("werewolf",), box=MOST)


BOOK = RuleBook(
    name="handbook",
    fewest=FEWEST,
    most=MOST,
    roles=(
        "werewolf",
        "white_wolf",
        "seer",
        "witch",
        "hunter",
        "idiot",
        "guard",
        "cupid",
        "scapegoat",
        "thief",
        "villager",
    ),
    defaults={
        "cupid_goal": "third_party",
        "hunter_may_hide": True,
        "idiot": "returns",
        "idiot_votable": False,
        "last_words": ["wolves", "lynch", "tie", "shot"],
        "lovers_know": "role",
        "lovers_may_vote_each_other": True,
        "reveal_on_death": False,
        "reveal_on_lynch": False,
        "seen_as_wolf": ["idiot"],
        "seer_sees": "camp",
        "sheriff": "off",
        "speech": "turns",
        "thief_extra": "one_villager",
        "thief_must_take": "always",
        "warnings_by_kind": True,
        "witch_told": "with_antidote",
        "witch_told_when_protected": False,
        "wolves_win": "sides",
    },
    option_names=(
        # What groups argue about first: the lobby shows them in this order.
        "wolves_win",
        "white_wolf_must_fall",
        "cupid_goal",
        "idiot",
        "idiot_votable",
        "sheriff",
        "speech",
        "ballots",
        "tie",
        "reveal_on_death",
        "reveal_on_lynch",
        "last_words",
        "white_wolf_nights",
        "guard_and_heal_kills",
        "witch_told",
        "witch_told_when_protected",
        "witch_self_heal",
        "witch_potions_per_night",
        "hunter_shoots_when",
        "hunter_shoots_at",
        "hunter_may_hide",
        "badge",
        "tie_rounds",
        "tie_voters",
        "sheriff_weight",
        "sheriff_weight_at_three",
        "explode",
        "explode_destroys_badge_after",
        "abstain",
        "lovers_may_vote_each_other",
        "lovers_know",
        "seer_sees",
        "seen_as_wolf",
        "wolves_agree",
        "wolves_may_pass",
        "wolves_may_attack_wolves",
        "guard_self",
        "guard_repeat",
        "guard_min_seats",
        "thief_must_take",
        "thief_extra",
        *TABLE_AND_TIMES,
    ),
    choosable=(
        "white_wolf",
        "seer",
        "witch",
        "hunter",
        "idiot",
        "guard",
        "cupid",
        "scapegoat",
        "thief",
    ),
    recommended=recommended,
    deck_with=deck_with,
    problems_of=problems_of,
    extra_cards=extra_cards,
    script=script,
)
