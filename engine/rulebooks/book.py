"""What a rule book is: seats, decks, options, and the script of a night and of a day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.game import Game, Step
from engine.options import OptionRefused, Options, differing, freeze, thaw

Deck = dict[str, int]


@dataclass(frozen=True)
class Problem:
    """Why a deck cannot be dealt: a code, the role it is about, the number it should be."""

    code: str
    role: str = ""
    number: int = 0


@dataclass(frozen=True, kw_only=True)
class RuleBook:
    """One rule book.

    seats: the fewest and the most. roles: what can be in its deck, in the order decks are shown in.
    waves: the calls of a night, those that are open together in one tuple; first_night: calls of night 1 only.
    defaults: options that differ from the engine's. options: the names of those it has.
    choosable: the roles a table may switch on, in the order of `roles`. recommended: those the book would take
    for a number of seats. deck_with: the deck for so many seats and these. problems_of: what it forbids in a deck.
    extra_cards: how many cards are shuffled in beyond the seats, and which.
    """

    name: str
    fewest: int
    most: int
    roles: tuple[str, ...]
    waves: tuple[tuple[str, ...], ...]
    first_night: frozenset[str]
    defaults: Mapping[str, Any]
    option_names: tuple[str, ...]
    choosable: tuple[str, ...]
    recommended: Callable[[int], tuple[str, ...]]
    deck_with: Callable[[int, Sequence[str]], Deck]
    problems_of: Callable[[int, Deck, Options], list[Problem]]
    extra_cards: Callable[[Deck], Deck]
    day_script: Callable[[int, Options], tuple[Step, ...]]

    def deck_for(self, seats: int) -> Deck:
        """The deck the book recommends for so many seats."""
        return self.deck_with(seats, self.recommended(seats))

    def night(self, game: Game) -> tuple[Step, ...]:
        """The waves of the night that has just fallen."""
        waves = []
        for calls in self.waves:
            tonight = tuple(call for call in calls if game.day == 1 or call not in self.first_night)
            if tonight:
                waves.append(Step("wave", phase="night", calls=tonight))
        return tuple(waves)

    def day(self, game: Game) -> tuple[Step, ...]:
        """The steps of the day after the dead are named."""
        return self.day_script(game.day, thaw(game.options))

    def freeze(self, changes: Mapping[str, Any]) -> str:
        """Validate a table's changes and write all options down. Raises OptionRefused."""
        frozen = freeze(self.defaults, frozenset(self.option_names), changes)
        if not set(thaw(frozen).seen_as_wolf) <= set(self.roles):
            raise OptionRefused("seen_as_wolf", "value")
        return frozen

    def options(self, changes: Mapping[str, Any]) -> Options:
        """The options with a table's changes. Raises OptionRefused."""
        return thaw(self.freeze(changes))

    @cached_property
    def usual(self) -> str:
        """The frozen text of the options as the book has them."""
        return self.freeze({})

    def differs(self, frozen: str) -> str:
        """Of frozen options, what is not as the book has it."""
        return differing(frozen, self.usual)
