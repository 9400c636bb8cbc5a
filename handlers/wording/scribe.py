"""A scribe writes in one language, for one platform, about one table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from gettext import GNUTranslations
from pathlib import Path
from typing import Protocol

from engine import Options, owner_of
from handlers import names
from handlers.record import Person

FOLDER = Path(__file__).parent.parent / "locales"

EMOJI: dict[str, str] = {
    "werewolf": "🐺",
    "white_wolf": "🐾",
    "seer": "🔮",
    "witch": "🧪",
    "hunter": "🔫",
    "cupid": "💘",
    "guard": "🛡",
    "elder": "👴",
    "idiot": "🤪",
    "scapegoat": "🐐",
    "piper": "🎶",
    "thief": "🎭",
    "little_girl": "🎀",
    "medium": "⚱️",
    "possessed": "😈",
    "bodyguard": "💂",
    "owl_man": "🦉",
    "death": "☠️",
    "freemason": "📐",
    "werehamster": "🐹",
    "mythomaniac": "🦎",
    "man": "👨",
    "woman": "👩",
    "villager": "👤",
}
"""One sign per role, always the same. Death is what the owl-man is called at a large table."""

BOOKS = ("classic", "new_moon", "elder", "handbook", "lupus", "lupusburg")
"""The rule books there are words for."""

OTHERWISE: dict[str, tuple[str, ...]] = {"lupusburg": ("werewolf", "thief")}
"""By book, the roles that do there something else than in the other books under that name."""


class Paper(Protocol):
    """What a platform's text can do."""

    def escape(self, text: str) -> str:
        """Make text from outside harmless."""
        ...

    def bold(self, text: str) -> str:
        """Print bold what is already escaped."""
        ...

    def code(self, text: str) -> str:
        """Print in a fixed width."""
        ...

    def mention(self, user: int, label: str) -> str:
        """Name somebody so that his phone rings; the label is already escaped."""
        ...

    def clock(self, deadline: float, text: str) -> str:
        """Show the time left until a deadline (epoch seconds), running; `text` where that cannot be."""
        ...


class Plain:
    """Text without any form: for pop-ups and buttons."""

    def escape(self, text: str) -> str:
        """Nothing is special."""
        return text

    bold = code = escape

    def mention(self, user: int, label: str) -> str:
        """Name somebody."""
        return label

    def clock(self, deadline: float, text: str) -> str:
        """Print the seconds."""
        return text


@lru_cache(maxsize=8)
def catalogue(language: str, domain: str = "") -> GNUTranslations:
    """The sentences of a language. Raises FileNotFoundError where its catalogue is not compiled.

    domain: of those sentences that are only loaded when they are asked for.
    """
    name = f"{domain}.{language}" if domain else language
    with (FOLDER / f"{name}.mo").open("rb") as file:
        return GNUTranslations(file)


class Scribe:
    """Writes sentences of one language about the people of one table.

    now: epoch seconds, for the time that is left. death: at this table the owl-man is Death. one_each: the points
    its goal card of that name pays.
    """

    def __init__(
        self,
        language: str,
        people: Sequence[Person],
        paper: Paper,
        now: float,
        death: bool = False,
        one_each: int = Options().one_each_score,
    ) -> None:
        self.language = language
        self.people = people
        self.paper = paper
        self.now = now
        self.death = death
        self.one_each = one_each
        self._sentences = catalogue(language)

    def say(self, key: str, **variables: object) -> str:
        """The sentence of that key."""
        return self._sentences.gettext(key).format(**variables)

    def plainly(self) -> Scribe:
        """The same scribe, writing without any form."""
        return Scribe(self.language, self.people, Plain(), self.now, self.death, self.one_each)

    def name(self, seat: int, longest: int = names.LONGEST) -> str:
        """The name of a seat, as it may be shown; not escaped."""
        name = self.people[seat - 1].name if seat <= len(self.people) else ""
        return names.shorten(name, longest) or self.say("nameless", seat=seat)

    def seat(self, seat: int) -> str:
        """Number and name."""
        return self.paper.escape(f"{seat} {self.name(seat)}")

    def label(self, seat: int) -> str:
        """Number and short name, for a button."""
        return f"{seat} {self.name(seat, names.LONGEST_ON_A_BUTTON)}"

    def mention(self, seat: int) -> str:
        """Number and name of a seat whose phone shall ring."""
        return self.paper.mention(self.people[seat - 1].user, self.seat(seat))

    def seats(self, seats: Iterable[int]) -> str:
        """Several seats."""
        return self.say("list.and").join(self.seat(seat) for seat in seats)

    def called(self, role: str) -> str:
        """What a role is called at this table."""
        return "death" if role == "owl_man" and self.death else role

    def role(self, role: str) -> str:
        """A role with its sign."""
        role = self.called(role)
        return f"{EMOJI[role]} {self.say(f'role.{role}')}"

    def call(self, call: str) -> str:
        """Who is called in the night."""
        return self.say(f"call.{self.called(call)}")

    def ask(self, action: str) -> str:
        """A question to a seat."""
        return self.say("ask.death.take" if action == "owl.nominate" and self.death else f"ask.{action}")

    def help(self, role: str, book: str = "") -> str:
        """What a role does in a book, in one line."""
        role = self.called(role)
        return self.say(f"help.{book}.{role}" if role in OTHERWISE.get(book, ()) else f"help.{role}")

    def roles(self, roles: Iterable[str]) -> str:
        """Several roles."""
        return self.say("list.and").join(self.role(role) for role in roles)

    def option(self, option: int | str) -> str:
        """What can be chosen: a seat, a house, cards for both houses, a role, or another word."""
        if isinstance(option, int):
            return self.seat(option)
        if owner := owner_of(option):
            return self.paper.escape(f"{option} {self.name(owner)}")
        if "," in option:
            return " · ".join(
                f"{house} {self.role(card)}" for house, card in zip("ab", option.split(","), strict=True)
            )
        return self.role(option) if option in EMOJI else self.say(f"word.{option}")

    def options(self, options: Iterable[int | str]) -> str:
        """Several of them."""
        return self.say("list.and").join(self.option(option) for option in options)

    def on_a_button(self, option: int | str) -> str:
        """What can be chosen, short."""
        if isinstance(option, int):
            return self.label(option)
        if owner := owner_of(option):
            return f"{option} {self.name(owner, names.LONGEST_ON_A_BUTTON)}"
        return self.option(option)

    def deck(self, deck: dict[str, int]) -> str:
        """A deck as a row of signs, wolves first."""
        return " ".join(EMOJI[self.called(role)] * deck[role] for role in EMOJI if deck.get(role))

    def clock(self, deadline: float) -> str:
        """The line that says how long."""
        left = max(0, round(deadline - self.now))
        return self.say("clock", clock=self.paper.clock(deadline, self.say("seconds", seconds=left)))
