"""Every book has words: whatever happens in its games is said in every language, without a gap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import pytest

import engine
from engine import RULE_BOOKS, hears, view_for
from engine import events as e
from handlers import buttons
from handlers.chronicle import for_the_story
from handlers.languages import LANGUAGES
from handlers.record import Person, Sheet
from handlers.sheets import NO_TEXT
from handlers.telegram import keyboards
from handlers.telegram.paper import Html
from handlers.wording import popups, private, public, story, votes
from handlers.wording.scribe import Scribe
from tests.engine.audiences import KINDS, NEWS_FOR_ALL
from tests.engine.simulation import Moment, random_game, tables

KEY = re.compile(r"(?<![\w.])[a-z_]+(?:\.[a-z_]+)+(?![\w.])|[{}]")
"""What a sentence that is missing looks like: its key, or a variable that nothing was put into."""

TABLE = "k3x9a7bc"


def spoken(moment: Moment, scribe: Scribe) -> Iterator[str]:
    """All texts and buttons for the group and for every seat at one moment of a game."""
    view = view_for(moment.game, None)
    everybody = [event for event in moment.events if event.audience == "everybody"]
    assert {type(event) for event in everybody} <= {*public.SENTENCES, *NO_TEXT, e.Ended}
    yield public.news(scribe, everybody)
    for event in everybody:
        if isinstance(event, e.WaveOpened):
            yield public.night(scribe, view.day, [event.calls], event.deadline)
    if view.step is not None:
        if view.step.voters or view.step.ready:
            yield votes.counter(scribe, view.step)
        yield from labels(keyboards.group(scribe, TABLE, view.step))
    for seat in range(1, len(view.seats) + 1):
        own = view_for(moment.game, seat)
        assert own.mine is not None
        heard = [event for event in moment.events if event.audience != "everybody" and hears(event.audience, seat)]
        yield private.news(scribe, heard, len(view.seats))
        yield popups.card(scribe, own)
        prompts = [prompt for prompt in own.mine.prompts if prompt.action not in buttons.PUBLIC_ACTIONS]
        yield from labels(keyboards.private(scribe, TABLE, prompts))
        told = tuple(event for event in heard if isinstance(event, e.Told))
        asks = {prompt.action: prompt.answer for prompt in prompts}
        for prompt in prompts:
            asks[prompt.action] = prompt.options[: prompt.least]
        yield private.sheet(scribe, Sheet(seq=1, seat=seat, serial=1, new=True, asks=asks, events=told), None)


def test_whatever_everybody_hears_has_words_or_needs_none() -> None:
    """Also of what no game has come to yet; how a game ends is told in a message of its own."""
    heard = {kind for kind in KINDS if kind.__name__ in NEWS_FOR_ALL} | {e.Answered}
    assert heard - {*public.SENTENCES, *NO_TEXT, e.Ended} == set()


def labels(markup: object) -> Iterator[str]:
    """What is written on the buttons."""
    for row in getattr(markup, "inline_keyboard", ()):
        for button in row:
            yield button.text
            assert len(button.callback_data.encode()) <= 64


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("book", RULE_BOOKS)
def test_everything_that_happens_has_words(book: str, language: str) -> None:
    most = RULE_BOOKS[book].most
    silent: set[str] = set()
    for table, house in islice(tables(book, most), 2):
        people = tuple(Person(1000 + seat, f"P{seat}", language) for seat in range(1, most + 1))
        scribe = Scribe(language, people, Html(), table.now)
        chronicle: list[engine.Event] = []
        for moment in random_game(table, house):
            chronicle += [part for event in moment.events if (part := for_the_story(event)) is not None]
            for text in spoken(moment, scribe):
                silent.update(KEY.findall(text))
        told = story.story(scribe, chronicle)
        silent.update(KEY.findall(told))
        assert told
    assert not silent


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_group_reads_whom_the_owl_man_has_named_where_that_is_told_before(language: str) -> None:
    people = tuple(Person(seat, f"P{seat}", language) for seat in range(1, 10))
    text = public.news(Scribe(language, people, Html(), 0.0), [e.NomineeShown("everybody", 8)])
    assert "8 P8" in text
