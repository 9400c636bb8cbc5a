"""What the decks of several books have in common: the table of wolves, and what a deck of that table must be."""

from __future__ import annotations

from collections.abc import Sequence

from engine.options import Options
from engine.rulebooks.book import Deck, Problem

FEWEST, MOST = 8, 18

WOLVES = {8: 2, 9: 2, 10: 2, 11: 2, 12: 3, 13: 3, 14: 3, 15: 3, 16: 3, 17: 3, 18: 4}
BASE = ("werewolf", "seer", "villager")
"""Always in, in the numbers of the table; of every other role there is one card."""

BOX_OF_VILLAGERS = 13


def deck_with(seats: int, specials: Sequence[str]) -> Deck:
    """The book's table; each special role stands for a villager."""
    wolves = WOLVES[seats]
    return {
        "werewolf": wolves,
        "seer": 1,
        **dict.fromkeys(specials, 1),
        "villager": seats - wolves - 1 - len(specials),
    }


def problems(roles: Sequence[str], seats: int, deck: Deck, options: Options) -> list[Problem]:
    """Why a book that has these roles and plays by the table would not deal this deck; nothing if it would."""
    if not FEWEST <= seats <= MOST:
        return [Problem("seats", number=FEWEST if seats < FEWEST else MOST)]
    problems = [Problem("role", role) for role in deck if role not in roles]
    wanted = {"werewolf": WOLVES[seats], "seer": 1}
    problems += [Problem("fixed", r, n) for r, n in wanted.items() if deck.get(r, 0) != n]
    specials = (role for role in roles if role not in BASE)
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
