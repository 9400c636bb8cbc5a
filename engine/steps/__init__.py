"""The kinds of steps an agenda is made of."""

from __future__ import annotations

from engine.steps.ballot import BALLOT
from engine.steps.dawn import CONSEQUENCES, DAWN
from engine.steps.kind import StepKind
from engine.steps.nightfall import NIGHTFALL
from engine.steps.reaction import REACTION
from engine.steps.sides import SIDES
from engine.steps.speech import ROUND, SPEECH, TALK
from engine.steps.wave import WAVE

KINDS: dict[str, StepKind] = {
    "nightfall": NIGHTFALL,
    "wave": WAVE,
    "sides": SIDES,
    "dawn": DAWN,
    "consequences": CONSEQUENCES,
    "reaction": REACTION,
    "round": ROUND,
    "talk": TALK,
    "speech": SPEECH,
    "ballot": BALLOT,
}
