"""Every sentence of the catalogue `rules`, and the variables sentences may take."""

from __future__ import annotations

from handlers.settings import CHOICES
from handlers.wording.rules.glossary import GROUPS
from handlers.wording.rules.lines import SCRIPTS
from handlers.wording.rules.roles import OTHERWISE, WHO

_FRAME = (
    "heading",
    "heading.roles",
    "heading.glossary",
    "title.usual",
    "title.roles",
    "title.glossary",
    "books",
    "books.line",
    "button.rules",
    "button.roles",
    "button.glossary",
    "button.books",
    "button.overview",
    "deck.mark",
    "deck.role",
    "deck.absent",
    "role.dealt",
    "role.absent",
    "role.line",
    "night.first",
    "table.as_printed",
    "table.differs",
    "table.times",
    "table.house",
    "table.settings",
    "docs.index",
    "docs.intro",
)


def _of_scripts() -> list[str]:
    pages = [(book, title, lines) for book, script in SCRIPTS.items() for title, lines in script]
    titles = [title for _, title, _ in pages]
    lines = [key.replace("{book}", book) for book, _, lines in pages for key, _ in lines]
    return [*titles, *(key for key in lines if key != "deck.classic")]


def _of_roles() -> list[str]:
    everybody = [*WHO.values(), *(who for roles in OTHERWISE.values() for who in roles.values())]
    return [key for who in everybody for key in (who.camp, *(key for key, _ in (*who.when, *who.lines)))]


def _of_glossary() -> list[str]:
    terms = [f"{part}.{term}" for terms in GROUPS.values() for term in terms for part in ("term", "means")]
    return [*GROUPS, *terms]


KEYS = tuple(dict.fromkeys((*_FRAME, *_of_scripts(), *_of_roles(), *_of_glossary())))

VARIABLES = frozenset(
    {*CHOICES, "book", "title", "about", "role", "roles", "number", "help", "camp", "when", "calls", "deck"}
    | {"fewest", "most"}
)
