"""`classic` – 狼人杀, the standard book."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Game, Step
from engine.options import Options
from engine.rulebooks.book import Deck, Problem, RuleBook, hunters_wave, sheriff_day, waves

WOLVES = {8: 2, 9: 2, 10: 2, 11: 2, 12: 3, 13: 3, 14: 3, 15: 3, 16: 3, 17: 3, 18: 4}
BASE = ("werewolf", "seer", "villager")
"""Always in, in the numbers of the table; of every other role there is one card."""

BOX_OF_VILLAGERS = 13


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


def deck_with(seats: int, specials: Sequence[str]) -> Deck:
    """The book's table; each special role stands for a villager."""
    wolves = WOLVES[seats]
    return {
        "werewolf": wolves,
        "seer": 1,
        **dict.fromkeys(specials, 1),
        "villager": seats - wolves - 1 - len(specials),
    }


def problems_of(seats: int, deck: Deck, options: Options) -> list[Problem]:
    """Why the book would not deal this deck; nothing if it would."""
    if not BOOK.fewest <= seats <= BOOK.most:
        return [Problem("seats", number=BOOK.fewest if seats < BOOK.fewest else BOOK.most)]
    problems = [Problem("role", role) for role in deck if role not in BOOK.roles]
    wanted = {"werewolf": WOLVES[seats], "seer": 1}
    problems += [Problem("fixed", r, n) for r, n in wanted.items() if deck.get(r, 0) != n]
    specials = (role for role in BOOK.roles if role not in BASE)
    problems += [Problem("one", role, 1) for role in specials if deck.get(role, 0) not in (0, 1)]
    if deck.get("villager", 0) < 1:
        problems.append(Problem("at_least", "villager", 1))
    if deck.get("villager", 0) + extra_cards(deck).get("villager", 0) > BOX_OF_VILLAGERS:
        problems.append(Problem("box", "villager", BOX_OF_VILLAGERS))
    if sum(deck.values()) != seats:
        problems.append(Problem("sum", number=seats))
    if deck.get("guard") and seats < options.guard_min_seats:
        problems.append(Problem("too_few_seats", "guard", options.guard_min_seats))
    return problems


def extra_cards(deck: Deck) -> Deck:
    """With the thief, two more villagers are shuffled in, so that two cards stay in the centre."""
    return {"villager": 2} if deck.get("thief") else {}


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
        "all_dead",
        "max_days",
        "leavers_win",
        "warnings",
        "warnings_by_kind",
        "shuffle_seats",
        "absent_call_s",
        "night_s",
        "witch_s",
        "talk_s",
        "speech_s",
        "vote_s",
        "last_words_s",
        "shot_s",
        "badge_s",
    ),
    choosable=("witch", "hunter", "cupid", "guard", "thief", "little_girl"),
    recommended=recommended,
    deck_with=deck_with,
    problems_of=problems_of,
    extra_cards=extra_cards,
    script=script,
)
