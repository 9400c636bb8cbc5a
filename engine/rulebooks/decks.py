"""What several books have in common: the table of wolves, what a deck of it must be, and their last options."""

from __future__ import annotations

from collections.abc import Sequence

from engine.options import Options
from engine.rulebooks.book import Deck, Problem, thief_beside

FEWEST, MOST = 8, 18

WOLVES = {8: 2, 9: 2, 10: 2, 11: 2, 12: 3, 13: 3, 14: 3, 15: 3, 16: 3, 17: 3, 18: 4}
BOX_OF_VILLAGERS = 13

TABLE_AND_TIMES = (
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
)
"""The options that stand last in all books of this table: how a game is kept, and its times."""


def deck_with(seats: int, specials: Sequence[str]) -> Deck:
    """The table of wolves and one seer; each special role stands for a villager."""
    wolves = WOLVES[seats]
    return {
        "werewolf": wolves,
        "seer": 1,
        **dict.fromkeys(specials, 1),
        "villager": seats - wolves - 1 - len(specials),
    }


def problems(
    roles: Sequence[str],
    seats: int,
    deck: Deck,
    options: Options,
    fixed: Sequence[str] = ("werewolf", "seer"),
    box: int = BOX_OF_VILLAGERS,
) -> list[Problem]:
    """Why a book that has these roles and plays by the table would not deal this deck; nothing if it would.

    fixed: of the table's roles, those whose number it fixes. box: how many villagers there are to deal.
    """
    if not FEWEST <= seats <= MOST:
        return [Problem("seats", number=FEWEST if seats < FEWEST else MOST)]
    problems = [Problem("role", role) for role in deck if role not in roles]
    wolves = WOLVES[seats] - min(deck.get("white_wolf", 0), 1)
    wanted = {"werewolf": wolves, "seer": 1}
    problems += [Problem("fixed", role, wanted[role]) for role in fixed if deck.get(role, 0) != wanted[role]]
    specials = (role for role in roles if role not in (*fixed, "villager"))
    problems += [Problem("one", role, 1) for role in specials if deck.get(role, 0) not in (0, 1)]
    if deck.get("villager", 0) < 1:
        problems.append(Problem("at_least", "villager", 1))
    beside = thief_beside(deck, options)
    if deck.get("villager", 0) + extra_cards(deck).get("villager", 0) - beside > box:
        problems.append(Problem("box", "villager", box))
    if sum(deck.values()) != seats + beside:
        problems.append(Problem("sum", number=seats + beside))
    if deck.get("guard") and seats < options.guard_min_seats:
        problems.append(Problem("too_few_seats", "guard", options.guard_min_seats))
    return problems


def extra_cards(deck: Deck) -> Deck:
    """With the thief, two more villagers are shuffled in, so that two cards stay in the centre."""
    return {"villager": 2} if deck.get("thief") else {}
