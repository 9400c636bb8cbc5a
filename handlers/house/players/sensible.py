"""House players who choose sensibly: they claim, believe and vote like people who know the game a little.

A player knows its seat's view and the board, and remembers nothing else from one question to the next.
"""

from __future__ import annotations

import random
from typing import Protocol

from handlers.house.players import by_day, by_night, houses, talk
from handlers.house.players.board import Board, Speech
from handlers.house.players.mind import Mind
from handlers.house.players.sight import Prompt, Selection, View

DECLINES_THE_UNKNOWN = 0.1
"""How often an action that no policy knows is declined."""

POLICIES = by_night.POLICIES | by_day.POLICIES | houses.POLICIES

WHATEVER = frozenset(
    {
        "house.place",
        "thief.look",
        "trap.use",
        "mayor.peek",
        "mayor.inspect",
        "mayor.show",
        "mayor.broom",
        "peek.show",
        "broom.look",
    }
)
"""Actions without a policy: at the table too one answer is as good as another, as far as anybody can know."""


class Player(Protocol):
    """Who sits on a seat."""

    def speak(self, view: View, board: Board) -> Speech:
        """Say something, now that the seat may talk."""

    def answer(self, view: View, board: Board, prompt: Prompt) -> Selection | None:
        """Answer a question of the seat; None for silence. An answer there is already may be changed."""


class Sensible:
    """Chooses by what it knows and suspects."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def speak(self, view: View, board: Board) -> Speech:
        """Claim, report and accuse, where the seat has a reason to."""
        return talk.speak(Mind(view, board, self._chance))

    def answer(self, view: View, board: Board, prompt: Prompt) -> Selection | None:
        """The action's policy; for an action that has none, some legal answer."""
        mind = Mind(view, board, self._chance)
        policy = POLICIES.get(prompt.action)
        if policy is by_day.lynch and prompt.options and isinstance(prompt.options[0], str):
            policy = houses.of_others
        if policy is None:
            return some_answer(self._chance, prompt, DECLINES_THE_UNKNOWN)
        return policy(mind, prompt)


def some_answer(chance: random.Random, prompt: Prompt, declines: float) -> Selection:
    """Any of the legal answers; a question that may be declined is, so often."""
    if prompt.optional and (not prompt.options or chance.random() < declines):
        return ()
    return tuple(chance.sample(prompt.options, chance.randint(prompt.least, prompt.most)))
