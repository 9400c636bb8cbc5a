"""`elder` – 元老版: a sheriff elected before the dead are named, wolves that blow themselves up, the elder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.game import Game, Step
from engine.options import Options
from engine.rulebooks.book import Deck, Problem, RuleBook, hunters_wave, sheriff_day, waves
from engine.rulebooks.decks import FEWEST, MOST, TABLE_AND_TIMES, WOLVES

SPECIALS = ("seer", "witch", "hunter", "cupid", "elder", "guard")

NIGHT = waves(("cupid",), ("guard", "wolves", "seer"), ("witch",))


def recommended(seats: int) -> tuple[str, ...]:
    """The special roles the lobby begins with; the guard where the book knows him."""
    specials = ("seer", "witch", "hunter", "cupid")
    return (*specials, "guard") if seats >= 12 else specials


def in_place_of(options: Options) -> Mapping[str, str]:
    """The elder stands in for Cupid."""
    return {"cupid": "elder"} if options.elder_instead_of_cupid else {}


def deck_with(seats: int, specials: Sequence[str]) -> Deck:
    """The wolves of the table; each special role stands for a villager."""
    wolves = WOLVES[seats]
    return {"werewolf": wolves, **dict.fromkeys(specials, 1), "villager": seats - wolves - len(specials)}


def problems_of(seats: int, deck: Deck, options: Options) -> list[Problem]:
    """Why the book would not deal this deck; nothing if it would."""
    if not FEWEST <= seats <= MOST:
        return [Problem("seats", number=FEWEST if seats < FEWEST else MOST)]
    problems = [Problem("role", role) for role in deck if role not in BOOK.roles]
    if deck.get("werewolf", 0) != WOLVES[seats]:
        problems.append(Problem("fixed", "werewolf", WOLVES[seats]))
    problems += [Problem("one", role, 1) for role in BOOK.choosable if deck.get(role, 0) not in (0, 1)]
    if deck.get("villager", 0) < 1:
        problems.append(Problem("at_least", "villager", 1))
    if sum(deck.values()) != seats:
        problems.append(Problem("sum", number=seats))
    if deck.get("cupid") and deck.get("elder"):
        problems.append(Problem("never_both", "elder"))
    if deck.get("guard") and seats < options.guard_min_seats:
        problems.append(Problem("too_few_seats", "guard", options.guard_min_seats))
    return problems


def extra_cards(_deck: Deck) -> Deck:
    """No cards lie in the centre."""
    return {}


def script(game: Game) -> tuple[Step, ...]:
    """The night with the hunter's call at its end, and the day after it."""
    return (*NIGHT, *hunters_wave(game), *sheriff_day(game))


BOOK = RuleBook(
    name="elder",
    fewest=FEWEST,
    most=MOST,
    roles=("werewolf", *SPECIALS, "villager"),
    defaults={
        "sheriff": "before_dawn",
        "sheriff_candidates": True,
        "sheriff_weight_at_three": 1.5,
        "sheriff_speaks_last": True,
        "badge": "must",
        "explode": True,
        "speech": "turns",
        "tie": "runoff",
        "tie_rounds": 1,
        "tie_voters": "untied",
        "last_words": ["wolves", "shot", "lynch", "guard_and_heal"],
        "reveal_on_lynch": False,
        "wolves_agree": "unanimous",
        "seer_sees": "camp",
        "witch_potions_per_night": 1,
        "witch_self_heal": "no_guard",
        "witch_told": "with_antidote",
        "guard_min_seats": 12,
        "guard_and_heal_kills": True,
        "hunter_shoots_at": "night",
        "hunter_shoots_when": ["wolves", "lynch", "guard_and_heal"],
        "hunter_may_hide": True,
        "cupid_goal": "own_or_lovers",
        "lovers_may_vote_each_other": True,
    },
    option_names=(
        # What groups argue about first: the lobby shows them in this order.
        "sheriff",
        "sheriff_candidates",
        "explode",
        "elder_instead_of_cupid",
        "speech",
        "ballots",
        "tie",
        "wolves_win",
        "wolves_agree",
        "last_words",
        "reveal_on_lynch",
        "guard_and_heal_kills",
        "witch_told",
        "witch_self_heal",
        "witch_potions_per_night",
        "hunter_shoots_at",
        "hunter_shoots_when",
        "hunter_may_hide",
        "cupid_goal",
        "elder_lives",
        "elder_curse",
        "badge",
        "explode_destroys_badge_after",
        "sheriff_weight",
        "sheriff_weight_at_three",
        "sheriff_speaks_last",
        "tie_rounds",
        "tie_voters",
        "abstain",
        "lovers_may_vote_each_other",
        "lovers_know",
        "seer_sees",
        "seen_as_wolf",
        "wolves_may_pass",
        "wolves_may_attack_wolves",
        "witch_told_when_protected",
        "guard_self",
        "guard_repeat",
        "guard_min_seats",
        "reveal_on_death",
        *TABLE_AND_TIMES,
    ),
    choosable=SPECIALS,
    recommended=recommended,
    deck_with=deck_with,
    problems_of=problems_of,
    extra_cards=extra_cards,
    script=script,
    in_place_of=in_place_of,
    unrevealed_candidates=frozenset({"witch"}),
    cupid_keeps_silent=True,
)
