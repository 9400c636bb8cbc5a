"""The deal: which cards, treasures and goals a seed gives to each seat. The same seed deals the same again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from engine import dice
from engine.rulebooks.book import Box, Deck, RuleBook


@dataclass(frozen=True, kw_only=True)
class Deal:
    """What is dealt.

    hands: the cards of each seat. centre: those left over. treasures: the letter of each seat's treasure house.
    goals: of each seat. The last two are of the books with houses only.
    """

    hands: tuple[tuple[str, ...], ...]
    centre: tuple[str, ...]
    treasures: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """All that each seat was dealt, as it is written down."""
        if not self.goals:
            return self.hands
        return tuple(
            (*hand, treasure, goal)
            for hand, treasure, goal in zip(self.hands, self.treasures, self.goals, strict=True)
        )


def deal(book: RuleBook, deck: Deck, seats: int, seed: str) -> Deal:
    """What a seed deals to so many seats."""
    cards = sorted(Counter(deck).elements())
    if book.box is None:
        shuffled = dice.shuffle(cards, seed, 0, "deal")
        return Deal(hands=tuple((card,) for card in shuffled[:seats]), centre=tuple(shuffled[seats:]))
    return Deal(
        hands=_pairs(book.box, cards, seats, seed),
        centre=(),
        treasures=tuple(dice.pick("ab", seed, 0, "treasure", seat) for seat in range(1, seats + 1)),
        goals=tuple(dice.shuffle(book.box.goals, seed, 0, "goals")[:seats]),
    )


def _pairs(box: Box, cards: list[str], seats: int, seed: str) -> tuple[tuple[str, ...], ...]:
    """Two cards for each seat; dealt again as long as a seat gets two that are to be kept apart."""
    attempt = 0
    while True:
        shuffled = dice.shuffle(cards, seed, 0, "deal", attempt)
        pairs = tuple(tuple(shuffled[2 * seat : 2 * seat + 2]) for seat in range(seats))
        if not any(box.apart <= set(pair) for pair in pairs):
            return pairs
        attempt += 1


def goals_left(box: Box, dealt: tuple[str, ...]) -> tuple[str, ...]:
    """The goal cards of the box that nobody was dealt, by their names."""
    return tuple(sorted((Counter(box.goals) - Counter(dealt)).elements()))
