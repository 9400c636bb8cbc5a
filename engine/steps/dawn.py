"""Dawn: who was away is back (H31), the night's dead are named, in seat order and without a cause (C21)."""

from __future__ import annotations

from engine import deaths, night
from engine.game import Step
from engine.play import Play
from engine.steps.kind import end, passing


def _open(play: Play, _step: Step) -> None:
    end(play)
    name_the_dead(play)


def name_the_dead(play: Play, apart: tuple[int, ...] = ()) -> None:
    """What the night has done. apart: who dies in the same moment of something else, and is named for that."""
    killed = [(seat, cause) for seat, cause in night.resolve(play) if seat not in apart]
    for seat in deaths.returning(play.game):
        deaths.come_back(play, seat)
    deaths.strike(play, killed, "night", at_once=apart)
    deaths.settle(play)


def _settle(play: Play, _step: Step) -> None:
    end(play)
    deaths.settle(play)


DAWN = passing(_open)
CONSEQUENCES = passing(_settle)
"""Comes back to the consequences of deaths once a question among them has been answered."""
