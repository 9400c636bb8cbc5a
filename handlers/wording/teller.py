"""Who tells a story: keeps the running night or day, and what has to be remembered from one event to the next."""

from __future__ import annotations

import json
from collections.abc import Iterable

from engine import RULE_BOOKS, Fact, Fate, Option
from engine import events as e
from handlers.wording.scribe import Scribe

LAST = 99
"""The place of what no call of the night is about, after all calls."""

FIRST = -1
"""The place of what comes before all calls."""


class Teller:
    """Writes a paragraph for each night and each day.

    A night is told in the order in which its book calls, whenever things were done; a day as it came.

    attacked: whom the pack has attacked tonight. asked: who could do something tonight and has not, as far as the
    story has come, each with the action; the pack together is seat 0. centre: the cards that the thief has seen.
    copied: whom the mythomaniac has named. trapped: the house with tonight's trap. noticed: has the little girl
    been noticed tonight. ballot: the last one, if what it leads to is yet to be told. election: what the day's
    self-destruct does to it.
    """

    def __init__(self, scribe: Scribe, fates: Iterable[Fate], started: e.Started | None) -> None:
        self.scribe = scribe
        self.fates = {fate.seat: fate for fate in fates}
        self.started = started
        self.paragraphs: list[str] = []
        self.day = 0
        self.is_night = False
        self.calls: list[str] = []
        self.attacked = 0
        self.asked: set[tuple[int, str]] = set()
        self.centre: tuple[Fact, ...] = ()
        self.copied = 0
        self.trapped = ""
        self.noticed = False
        self.ballot: e.BallotClosed | None = None
        self.election = ""
        self._deeds: list[tuple[int, str]] = []

    # Paragraphs ------------------------------------------------------------------------------------------

    def night_falls(self, day: int) -> None:
        """Go on with the next night."""
        self.close()
        self.day, self.is_night = day, True
        self.calls = self._calls_of(day)
        self.attacked, self.trapped, self.noticed = 0, "", False
        self.centre, self.copied = (), 0
        self.asked = set()

    def day_breaks(self) -> None:
        """Go on with the day, if that has not begun yet."""
        if self.is_night:
            self.close()
            self.is_night = False

    def _calls_of(self, day: int) -> list[str]:
        """The calls of a night, in the order of the book as it was played."""
        if self.started is None:
            return []
        book = RULE_BOOKS[self.started.book]
        frozen = book.freeze(json.loads(self.started.differs))
        return [call for calls in book.night_of(day, frozen) for call in calls]

    def add(self, key: str, *, call: str = "", **variables: object) -> None:
        """Add a sentence. call: what it is about, where that is a call of the night."""
        place = (self.calls.index(call) if call in self.calls else FIRST) if call else LAST
        self._deeds.append((place if self.is_night else LAST, self.scribe.say(f"story.{key}", **variables)))

    def close(self) -> None:
        """Finish the paragraph, if anything has happened in it."""
        if self._deeds:
            ranked = sorted(self._deeds, key=lambda deed: deed[0])
            told = self.scribe.say("story.then").join(sentence for _, sentence in ranked)
            key = "story.night" if self.is_night else "story.day" if self.day else "story.before"
            self.paragraphs.append(self.scribe.say(key, day=self.day, deeds=told))
        self._deeds = []

    # Words -----------------------------------------------------------------------------------------------

    def one(self, option: Option) -> str:
        """A seat or a house in short."""
        return self.scribe.paper.escape(self.scribe.on_a_button(option))

    def several(self, options: Iterable[Option]) -> str:
        """Several of them."""
        return self.scribe.say("list.and").join(self.one(option) for option in options)

    def role(self, role: str) -> str:
        """The name of a role."""
        return self.scribe.say(f"role.{role}")

    def seen(self, what: str) -> str:
        """What somebody has seen: of a card the role or the side, of a house the treasure."""
        return self.scribe.say(f"story.{what}") if what in _SEEN else self.role(what)

    def died(self, seat: int) -> str:
        """A seat with what it died of."""
        fate = self.scribe.say(f"fate.{self.fates[seat].fate}")
        return self.scribe.say("story.fate", seat=self.one(seat), fate=fate)


_SEEN = ("wolf", "not_wolf", "treasure", "no_treasure")
