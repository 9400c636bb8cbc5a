"""What the handlers make of events and views for one recipient: the words of law 6."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.json import encode

import engine
from engine import events
from handlers import buttons
from handlers.record import Person
from handlers.telegram import keyboards
from handlers.telegram.paper import Html
from handlers.wording import popups, private, public, votes
from handlers.wording.scribe import Scribe

LONG_AGO = 0.0
_TABLE = "k3x9a7bc"


def _scribe(seats: int) -> Scribe:
    people = tuple(Person(1000 + seat, f"玩家{seat}", "zh_Hans") for seat in range(1, seats + 1))
    return Scribe("zh_Hans", people, Html(), LONG_AGO)


def spoken(heard: Sequence[engine.Event], view: engine.View) -> list[str]:
    """Every text and keyboard that these events and this view lead to, for the group or for the view's seat."""
    scribe = _scribe(len(view.seats))
    if view.mine is None:
        return _to_the_group(scribe, heard, view)
    texts = [private.news(scribe, [event for event in heard if event.audience != "everybody"], len(view.seats))]
    texts.append(popups.card(scribe, view))
    prompts = [prompt for prompt in view.mine.prompts if prompt.action not in buttons.PUBLIC_ACTIONS]
    texts.append(str(keyboards.private(scribe, _TABLE, prompts)))
    return texts


_SPOKEN: dict[tuple[bytes, bytes], list[str]] = {}


def remembered(heard: Sequence[engine.Event], view: engine.View) -> list[str]:
    """What is `spoken`, made once for what is the same byte for byte: worlds have most of it in common."""
    key = encode(heard), encode(view)
    if key not in _SPOKEN:
        _SPOKEN[key] = spoken(heard, view)
    return _SPOKEN[key]


def _to_the_group(scribe: Scribe, heard: Sequence[engine.Event], view: engine.View) -> list[str]:
    texts = [public.news(scribe, heard)]
    waves = [event for event in heard if isinstance(event, events.WaveOpened)]
    if waves:
        texts.append(public.night(scribe, view.day, [wave.calls for wave in waves], waves[-1].deadline))
    if view.step is not None and (view.step.voted or view.step.ready):
        texts.append(votes.counter(scribe, view.step))
    texts.append(str(keyboards.group(scribe, _TABLE, view.step)))
    return texts
