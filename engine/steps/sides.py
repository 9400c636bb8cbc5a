"""The roles are final: who belongs to which side of the village is settled once and for all (H6, H7)."""

from __future__ import annotations

from engine import camps
from engine.events import SidesSettled
from engine.game import Step
from engine.play import Play
from engine.steps.kind import StepKind, end


def _open(play: Play, _step: Step) -> None:
    end(play)
    play.emit(SidesSettled("nobody", camps.sides(play.game)))


SIDES = StepKind(_open, _open)
