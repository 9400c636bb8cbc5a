"""Writes the pages: short ones, for a phone, in one language, for one platform's paper."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from handlers.wording import options
from handlers.wording.rules.glossary import GROUPS
from handlers.wording.rules.lines import DECK, SCRIPTS, Line
from handlers.wording.rules.roles import who
from handlers.wording.rules.shelf import Copy
from handlers.wording.scribe import EMOJI, Scribe, catalogue

_ROLE_OF_CALL = {"wolves": "werewolf"}
"""The calls that are not named for the one role that is called."""


class Guide:
    """Explains the rules in the words of the catalogue `rules`, with a scribe for everything else."""

    def __init__(self, scribe: Scribe) -> None:
        self.scribe = scribe
        self._sentences = catalogue(scribe.language, "rules")

    def say(self, key: str, **variables: object) -> str:
        """The sentence of that key."""
        return self._sentences.gettext(key).format(**variables)

    def bold(self, text: str) -> str:
        """A heading."""
        return self.scribe.paper.bold(self.scribe.paper.escape(text))

    # The rules of a book ---------------------------------------------------------------------------------

    def rules(self, copy: Copy) -> list[str]:
        """The pages of a book, each with its heading."""
        book = self.scribe.say(f"book.{copy.name}")
        return [
            self.bold(self.say("heading", book=book, title=title)) + "\n\n" + "\n".join(lines)
            for title, lines in self.sections(copy)
        ]

    def sections(self, copy: Copy) -> list[tuple[str, list[str]]]:
        """Title and lines of each page."""
        written: list[tuple[str, list[str]]] = []
        for key, lines in SCRIPTS[copy.name]:
            if lines:
                first = [self.scribe.say(f"about.{copy.name}")] if not written else []
                written.append((self.say(key), first + [f"• {text}" for text in self._lines(copy, lines)]))
            else:
                title = self.say(key if copy.deck is not None else "title.usual")
                written.append((title, self._settings(copy)))
        return written

    def _lines(self, copy: Copy, lines: Iterable[Line]) -> list[str]:
        known = self._variables(copy)
        keys = [
            key.format(book=copy.name) for key, conditions in lines if all(holds(copy) for holds in conditions)
        ]
        return [self.say(key, **known) for key in keys if key != DECK or copy.deck is not None]

    def _variables(self, copy: Copy) -> dict[str, object]:
        known: dict[str, object] = {"fewest": copy.fewest, "most": copy.most, "calls": self._order(copy)}
        if copy.deck is not None:
            known["deck"] = self.scribe.deck(dict(copy.deck))
        for name, value in copy.options.items():
            if isinstance(value, bool):
                continue
            plain = isinstance(value, (int, float)) and not name.endswith("_s") and name != "girl_noticed"
            known[name] = f"{value:g}" if plain else options.value(self.scribe, name, value)
        return known

    def _order(self, copy: Copy) -> str:
        """The calls of a night, wave by wave, of those roles that are in the deck."""
        waves = []
        for calls in copy.waves:
            named = []
            for call in calls:
                role = _ROLE_OF_CALL.get(call, call)
                if role in EMOJI and copy.deals(role):
                    name = self.scribe.role(role)
                    named.append(self.say("night.first", role=name) if call in copy.first_night else name)
            if named:
                waves.append(" + ".join(named))
        return " → ".join(waves)

    # What a table has switched ---------------------------------------------------------------------------

    def _settings(self, copy: Copy) -> list[str]:
        times = [name for name in copy.option_names if name.endswith("_s")]
        if copy.deck is None:
            rest = [f"▫️ {self._turned(copy, name)}" for name in copy.option_names if name not in times]
            return [*rest, *self._times(copy, times)]
        lines = [self.say("table.differs" if copy.changed else "table.as_printed")]
        lines += [f"🔸 {self._turned(copy, name)}" for name in copy.changed]
        house = {**copy.house, "warnings": copy.options["warnings"]}
        lines.append("\n" + self.say("table.house"))
        lines += [f"▫️ {self._called(name, value)}" for name, value in house.items()]
        return [*lines, *self._times(copy, times), "\n" + self.say("table.settings")]

    def reasons(self, copy: Copy) -> list[str]:
        """Every option as it is set, and why one would change it."""
        return [f"{self._turned(copy, name)} – {self.scribe.say(f'why.{name}')}" for name in copy.option_names]

    def _times(self, copy: Copy, names: list[str]) -> list[str]:
        if not names:
            return []
        gap = self.scribe.say("gap")
        return ["\n" + self.say("table.times"), gap.join(self._turned(copy, name) for name in names)]

    def _turned(self, copy: Copy, name: str) -> str:
        return self._called(name, copy.options[name])

    def _called(self, name: str, value: Any) -> str:
        shown = options.value(self.scribe, name, value)
        return self.scribe.say("turned", option=self.scribe.say(f"option.{name}"), value=shown)

    # Roles -----------------------------------------------------------------------------------------------

    def roles(self, copy: Copy) -> list[str]:
        """First all roles of a book in short, those of the deck marked; then one by one, in the same order."""
        return [self._overview(copy), *(self._page_of(copy, role) for role in in_order(copy))]

    def _overview(self, copy: Copy) -> str:
        book = self.scribe.say(f"book.{copy.name}")
        lines = [self.bold(self.say("heading.roles", book=book)), ""]
        absent = []
        for role in in_order(copy):
            title = copy.title_of(role)
            name, short = self.scribe.role(title), self.scribe.help(title, copy.name)
            if copy.deck is None:
                lines.append(self.say("deck.role", role=name, help=short))
            elif copy.deals(role):
                lines.append(self.say("deck.mark", role=name, number=copy.deck[role], help=short))
            else:
                absent.append(name)
        if absent:
            lines += ["", self.say("deck.absent", roles=self.scribe.say("list.and").join(absent))]
        return "\n".join(lines)

    def _page_of(self, copy: Copy, role: str) -> str:
        lines = [self.bold(self.scribe.role(copy.title_of(role)))]
        if copy.deck is not None:
            dealt = copy.deck.get(role, 0)
            lines.append(self.say("role.dealt", number=dealt) if dealt else self.say("role.absent"))
        return "\n".join([*lines, *self.about(copy, role)])

    def about(self, copy: Copy, role: str) -> list[str]:
        """Camp and time in one line, then what there is to know."""
        found = who(role, copy.name)
        (when,) = self._lines(copy, found.when)
        lines = [self.say("role.line", camp=self.say(found.camp), when=when), ""]
        return [*lines, *(f"• {text}" for text in self._lines(copy, found.lines))]

    # The players' words ----------------------------------------------------------------------------------

    def glossary(self) -> list[str]:
        """One page for each subject."""
        return [
            self.bold(self.say("heading.glossary", title=self.say(group)))
            + "\n\n"
            + "\n".join(f"• {self.bold(term)} – {meaning}" for term, meaning in self.terms(group))
            for group in GROUPS
        ]

    def terms(self, group: str) -> list[tuple[str, str]]:
        """Words and what they mean."""
        return [(self.say(f"term.{term}"), self.say(f"means.{term}")) for term in GROUPS[group]]

    # Books -----------------------------------------------------------------------------------------------

    def books(self, names: Iterable[str]) -> str:
        """The books there are to choose from."""
        lines = [self.bold(self.say("books")), ""]
        for name in names:
            book = self.scribe.paper.bold(self.scribe.say(f"book.{name}"))
            lines.append(self.say("books.line", book=book, about=self.scribe.say(f"about.{name}")))
        return "\n".join(lines)


def in_order(copy: Copy) -> list[str]:
    """The roles of a book in the order of all lists."""
    return [role for role in EMOJI if role in copy.roles]
