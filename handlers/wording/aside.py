"""What is said aside: a reminder, and what one of the pack says to another."""

from __future__ import annotations

from collections.abc import Sequence

from handlers.record import Whisper
from handlers.wording.scribe import Scribe


def private_reminder(scribe: Scribe, actions: Sequence[str], deadline: float) -> str:
    """A word to a seat that still owes these answers; empty if it owes none."""
    if not actions:
        return ""
    asked = [scribe.paper.bold(scribe.ask(action)) for action in actions]
    return "\n".join([scribe.say("remind.private"), *asked, scribe.clock(deadline)])


def public_reminder(scribe: Scribe, kind: str, seats: Sequence[int], deadline: float) -> str:
    """A word to the seats that still owe their vote, or the end of their speech; empty for nobody."""
    if not seats:
        return ""
    named = scribe.say("list.and").join(scribe.mention(seat) for seat in seats)
    key = "remind.speech" if kind == "speech" else "remind.turn" if kind == "order" else "remind.ballot"
    return f"{scribe.say(key, seats=named)}\n{scribe.clock(deadline)}"


def whisper(scribe: Scribe, effect: Whisper) -> str:
    """What a fellow says, on one line, so that it looks like nothing else."""
    text = scribe.paper.escape(" ".join(effect.text.split()))
    return scribe.say("whisper", seat=scribe.seat(effect.by), text=text)
