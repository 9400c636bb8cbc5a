"""`python -m handlers.rulebook_pages write` writes docs/rules; `check` tells what is not as the bot says it."""

from __future__ import annotations

import sys
from pathlib import Path

from handlers.languages import LANGUAGES, NAMES
from handlers.wording.rules import shelf
from handlers.wording.rules.glossary import GROUPS
from handlers.wording.rules.pages import Guide, in_order
from handlers.wording.scribe import BOOKS, Plain, Scribe

FOLDER = Path(__file__).parent.parent / "docs" / "rules"

_BULLET = "• "


def pages() -> dict[str, str]:
    """Every file of the folder by its name."""
    guides = [Guide(Scribe(language, (), Plain(), 0.0)) for language in LANGUAGES]
    written = {"README.md": _index(guides)}
    for guide in guides:
        written |= {_file(name, guide): _book(guide, name) for name in BOOKS}
        written[_file("glossary", guide)] = _glossary(guide)
    return written


def _file(name: str, guide: Guide) -> str:
    return f"{name}.{guide.scribe.language}.md"


def _index(guides: list[Guide]) -> str:
    parts = [f"# {guides[-1].say('docs.index')}", guides[-1].say("docs.intro")]
    for guide, language in zip(guides, NAMES, strict=True):
        say = guide.scribe.say
        books = [f"- [{say(f'book.{name}')}]({_file(name, guide)}) – {say(f'about.{name}')}" for name in BOOKS]
        words = f"- [{say('command.glossary')}]({_file('glossary', guide)})"
        parts += [f"## {language}", "\n".join([*books, words])]
    return _joined(parts)


def _book(guide: Guide, name: str) -> str:
    copy, scribe = shelf.printed(name), guide.scribe
    parts = [f"# {scribe.say(f'book.{name}')}", _others(name, guide)]
    *sections, (settings, _) = guide.sections(copy)
    for title, lines in sections:
        parts += [f"## {title}", _listed(lines)]
    parts += [f"## {settings}", "\n".join(f"- {line}" for line in guide.reasons(copy))]
    parts.append("## " + guide.say("title.roles"))
    for role in in_order(copy):
        head, *lines = guide.about(copy, role)
        parts += [f"### {scribe.role(role)}", head, _listed(lines)]
    return _joined(parts)


def _glossary(guide: Guide) -> str:
    parts = [f"# {guide.scribe.say('command.glossary')}", _others("glossary", guide)]
    for group in GROUPS:
        lines = "\n".join(f"- **{term}** – {meaning}" for term, meaning in guide.terms(group))
        parts += [f"## {guide.say(group)}", lines]
    return _joined(parts)


def _others(name: str, guide: Guide) -> str:
    """The way to the same page in the other languages, and back to all."""
    links = [
        f"[{label}]({name}.{language}.md)"
        for language, label in zip(LANGUAGES, NAMES, strict=True)
        if language != guide.scribe.language
    ]
    return " · ".join([*links, "[📚](README.md)"])


def _listed(lines: list[str]) -> str:
    """Lines as a list; what stands between them as paragraphs."""
    text = ""
    for line in filter(None, (line.strip() for line in lines)):
        item = f"- {line.removeprefix(_BULLET)}" if line.startswith(_BULLET) else line
        in_list = item != line and text.rpartition("\n")[2].startswith("- ")
        text += ("" if not text else "\n" if in_list else "\n\n") + item
    return text


def _joined(parts: list[str]) -> str:
    return "\n\n".join(parts) + "\n"


def problems() -> list[str]:
    """The files that are missing, old, or nobody's."""
    wanted = pages()
    found = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    return sorted(
        f"docs/rules/{name} is not what the bot says: run `python -m handlers.rulebook_pages write`"
        for name in wanted.keys() | found.keys()
        if wanted.get(name) != found.get(name)
    )


def write() -> None:
    """Write all files, and take away those that are nobody's."""
    FOLDER.mkdir(exist_ok=True)
    wanted = pages()
    for path in FOLDER.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Do what is asked for; the number of the process's end."""
    if arguments == ["write"]:
        write()
        return 0
    if arguments == ["check"]:
        found = problems()
        sys.stdout.writelines(f"{problem}\n" for problem in found)
        return 1 if found else 0
    sys.stderr.write("python -m handlers.rulebook_pages write|check\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
