"""The story of a finished game, told from its chronicle: night by night, day by day, in the order of the book."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Event
from engine import events as e
from handlers.wording import story_day, story_night
from handlers.wording.scribe import Scribe
from handlers.wording.teller import Teller

_TOLD = {**story_night.TOLD, **story_day.TOLD}
"""What the story makes of an event; of all others nothing."""


def story(scribe: Scribe, chronicle: Sequence[Event]) -> str:
    """A paragraph for each night and each day; nothing for a game that is not over."""
    ended = next((event for event in chronicle if isinstance(event, e.Ended)), None)
    if ended is None:
        return ""
    started = next((event for event in chronicle if isinstance(event, e.Started)), None)
    teller = Teller(scribe, ended.result.fates, started)
    for event in chronicle:
        story_day.tie_stands(teller, event)
        told = _TOLD.get(type(event))
        if told is not None:
            told(teller, event)
    teller.close()
    return "\n".join(teller.paragraphs)
