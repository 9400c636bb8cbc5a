"""House players who answer anything that is legal, and say nothing."""

from __future__ import annotations

import random

from handlers.house.players.board import Board, Speech
from handlers.house.players.sensible import some_answer
from handlers.house.players.sight import Prompt, Selection, View

DECLINES = 0.15
OFFERS = {"wolf.explode": 0.02, "sheriff.withdraw": 0.1, "speech.claim": 0.1}
"""How often he does what nobody asks of him. It stays open all day: as often as other things, and a wolf would
explode every day."""


class Random:
    """Chooses by chance alone."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def speak(self, _view: View, _board: Board) -> Speech:
        """Nothing."""
        return Speech()

    def answer(self, _view: View, _board: Board, prompt: Prompt) -> Selection | None:
        """Any of the legal answers, once."""
        offer = OFFERS.get(prompt.action)
        if offer is not None:
            return prompt.options[:1] if self._chance.random() < offer else None
        return some_answer(self._chance, prompt, DECLINES) if prompt.answer is None else prompt.answer
