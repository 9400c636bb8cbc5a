"""`classic` – 狼人杀, the standard book."""

from __future__ import annotations

from engine.game import Game, Step
from engine.options import Options
from engine.rulebooks.book import Deck, Problem, RuleBook, hunters_wave, sheriff_day, waves
from engine.rulebooks.decks import TABLE_AND_TIMES, deck_with, extra_cards, problems


def recommended(seats: int) -> tuple[str, ...]:
    """The special roles the lobby begins with; the little girl only when the host adds her."""
    specials = ["witch", "hunter"]
    if seats >= 10:
        specials.append("cupid")
    if seats >= 12:
        specials.append("guard")
    if seats >= 14:
        specials.append("thief")
    return tuple(specials)


def problems_of(seats: int, deck: Deck, options: Options) -> list[Problem]:
    """Why the book would not deal this deck; nothing if it would."""
    return problems(BOOK.roles, seats, deck, options)


NIGHT = waves(("thief",), ("cupid",), ("guard", "seer", "wolves", "little_girl"), ("witch",))


def script(game: Game) -> tuple[Step, ...]:
    """The night, and the day after it."""
    return (*NIGHT, *hunters_wave(game), *sheriff_day(game))


BOOK = RuleBook(
    name="classic",
    fewest=8,
    most=18,
    roles=("werewolf", "seer", "witch", "hunter", "cupid", "guard", "thief", "little_girl", "villager"),
    defaults={},
    option_names=(
        # What groups argue about first: the lobby shows them in this order.
        "sheriff",
        "sheriff_candidates",
        "speech",
        "ballots",
        "tie",
        "wolves_win",
        "reveal_on_death",
        "guard_and_heal_kills",
        "witch_told",
        "witch_self_heal",
        "witch_potions_per_night",
        "hunter_shoots_when",
        "hunter_shoots_at",
        "hunter_may_hide",
        "girl_noticed",
        "badge",
        "tie_rounds",
        "tie_voters",
        "sheriff_weight",
        "sheriff_weight_at_three",
        "sheriff_speaks_last",
        "explode",
        "explode_destroys_badge_after",
        "cupid_goal",
        "abstain",
        "lovers_may_vote_each_other",
        "lovers_know",
        "seer_sees",
        "seen_as_wolf",
        "wolves_agree",
        "wolves_may_pass",
        "wolves_may_attack_wolves",
        "witch_told_when_protected",
        "guard_self",
        "guard_repeat",
        "guard_covers_girl",
        "guard_min_seats",
        "reveal_on_lynch",
        "last_words",
        "thief_must_take",
        "thief_extra",
        *TABLE_AND_TIMES,
    ),
    choosable=("witch", "hunter", "cupid", "guard", "thief", "little_girl"),
    recommended=recommended,
    deck_with=deck_with,
    problems_of=problems_of,
    extra_cards=extra_cards,
    script=script,
)
