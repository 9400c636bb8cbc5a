"""Dawn: the night's dead are named, in seat order and without a cause; then what follows from it (C21)."""

from __future__ import annotations

from engine import deaths, night
from engine.game import Step
from engine.play import Play
from engine.steps.kind import StepKind, end


def _open(play: Play, _step: Step) -> None:
    end(play)
    deaths.strike(play, night.resolve(play), "night")
    deaths.settle(play)


def _settle(play: Play, _step: Step) -> None:
    end(play)
    deaths.settle(play)


DAWN = StepKind(_open, _open)
CONSEQUENCES = StepKind(_settle, _settle)
"""Comes back to the consequences of deaths once a question among them has been answered."""
