"""A player's mind at one instant: what he sees and knows, whom he suspects, and his own chance."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cached_property

from handlers.house.players import belief, knowledge
from handlers.house.players.board import Board
from handlers.house.players.sight import Option, Selection, View


class Mind:
    """Everything a choice can be made from."""

    def __init__(self, view: View, board: Board, chance: random.Random) -> None:
        self.view = view
        self.board = board
        self.chance = chance
        self.knows = knowledge.of_seat(view)

    @cached_property
    def suspected(self) -> dict[int, float]:
        """How likely each other living seat is a wolf, by all he knows."""
        return belief.suspicions(self.view, self.board, self.knows)

    @cached_property
    def exposed(self) -> dict[int, float]:
        """How likely each living seat is a wolf to whoever has only watched; his own too."""
        return belief.suspicions(self.view, self.board, knowledge.of_everybody(self.view))

    @cached_property
    def trusted(self) -> dict[int, float]:
        """How far he believes each claim."""
        return belief.trust(self.view, self.board, self.knows)

    @cached_property
    def believed(self) -> dict[int, float]:
        """How far each claim is believed by whoever has only watched."""
        return belief.trust(self.view, self.board, knowledge.of_everybody(self.view))

    @cached_property
    def loves_across(self) -> bool:
        """Say whether he knows that his lover is of the other camp."""
        lover = self.knows.lover
        if not lover:
            return False
        if self.knows.is_wolf:
            return lover not in self.knows.pack
        return self.knows.wolf.get(lover, False)

    def happens(self, probability: float) -> bool:
        """Draw whether something of this probability happens."""
        return self.chance.random() < probability

    def one_of(self, options: Iterable[Option]) -> Selection:
        """One of the options; none if there is none."""
        among = tuple(options)
        return (self.chance.choice(among),) if among else ()

    def best(self, options: Iterable[Option], worth: Callable[[int], float], noise: float = 0.05) -> int:
        """The seat of most worth, which a little chance blurs; 0 if the options name no seat."""
        seats = [option for option in options if isinstance(option, int)]
        return max(seats, key=lambda seat: worth(seat) + noise * self.chance.random(), default=0)
