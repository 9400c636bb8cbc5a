"""The kinds of steps an agenda is made of."""

from __future__ import annotations

from engine.steps.ballot import BALLOT
from engine.steps.dawn import CONSEQUENCES, DAWN
from engine.steps.election import CANDIDACY, ELECTION
from engine.steps.explosion import EXPLOSION
from engine.steps.kind import StepKind
from engine.steps.nightfall import NIGHTFALL
from engine.steps.nomination import NAMING, NOMINATION
from engine.steps.offices import SAGE_CARD, WELCOME_CARD
from engine.steps.placing import PLACING
from engine.steps.privilege import PRIVILEGE
from engine.steps.reaction import REACTION
from engine.steps.speech import ORDER_OF_SPEECH, ROUND, SPEECH, TALK
from engine.steps.turn import CIRCLE, TURN
from engine.steps.verdict import SUSPECTS, VERDICT
from engine.steps.wave import WAVE

KINDS: dict[str, StepKind] = {
    "nightfall": NIGHTFALL,
    "wave": WAVE,
    "dawn": DAWN,
    "consequences": CONSEQUENCES,
    "reaction": REACTION,
    "explosion": EXPLOSION,
    "candidacy": CANDIDACY,
    "election": ELECTION,
    "round": ROUND,
    "order": ORDER_OF_SPEECH,
    "talk": TALK,
    "speech": SPEECH,
    "ballot": BALLOT,
    "welcome": WELCOME_CARD,
    "sage": SAGE_CARD,
    "nomination": NOMINATION,
    "naming": NAMING,
    "suspects": SUSPECTS,
    "verdict": VERDICT,
    "placing": PLACING,
    "circle": CIRCLE,
    "turn": TURN,
    "privilege": PRIVILEGE,
}
