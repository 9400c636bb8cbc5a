"""`python -m tests.scenarios.coverage`: fills COVERAGE.md with the own scenarios by their `source:` lines.

An entry is a line of a rule page, a ruling or an option; below it stand the scenarios that hold it. Those of the
given files and the reasons why there is `none` are written by hand and kept; those of the `own_` files are filled
in: by the number of a ruling, by the name of an option, or by one of the phrases in the entry's comment. An option
that no scenario names as its source is held by those that set it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.scenarios.language import read_file

FOLDER = Path(__file__).parent
RECORD = FOLDER / "COVERAGE.md"

_ENTRY = re.compile(r"^- \*\*(?P<code>[^*]+)\*\* (?P<wording>.*?)(?: <!-- (?P<phrases>.*) -->)?$")
_CITED = re.compile(r"^  - (?P<file>\w+\.yaml): (?P<title>.*)$")
_RULING = re.compile(r"\b(?:[GCNEHL]\d+|B-\d+)\b")


@dataclass
class Entry:
    """A rule, and what holds it: scenarios by file and title, or the reason why there is none."""

    code: str
    wording: str
    phrases: tuple[str, ...]
    book: str
    cited: list[tuple[str, str]] = field(default_factory=list)
    reason: str = ""

    def holds(self, scenario: Own) -> bool:
        """Say whether a scenario says that it is about this rule."""
        if _RULING.fullmatch(self.code):
            return self.code in scenario.rulings
        if self.book and self.book != scenario.book:
            return False
        words = self.phrases or (self.code,)
        return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", scenario.source) for word in words)

    def lines(self) -> Iterator[str]:
        """The entry as it is written."""
        comment = f" <!-- {' | '.join(self.phrases)} -->" if self.phrases else ""
        yield f"- **{self.code}** {self.wording}{comment}"
        yield from (f"  - {file}: {title}" for file, title in self.cited)
        if self.reason:
            yield f"  - none: {self.reason}"


@dataclass(frozen=True)
class Own:
    """A scenario of the project's own."""

    file: str
    title: str
    book: str
    source: str
    options: frozenset[str]

    @property
    def rulings(self) -> set[str]:
        """The numbers it names."""
        return set(_RULING.findall(self.source))


def own_scenarios() -> list[Own]:
    """All of the `own_` files, in their order."""
    return [
        Own(
            path.name,
            str(entry["title"]),
            str(entry["rules"]),
            str(entry.get("source", "")),
            frozenset(entry.get("options", {})),
        )
        for path in sorted(FOLDER.glob("own_*.yaml"))
        for entry in read_file(path)
    ]


def read(text: str) -> list[str | Entry]:
    """The record: entries, and the lines between them as they are."""
    parts: list[str | Entry] = []
    book = ""
    for line in text.splitlines():
        entry, cited = _ENTRY.match(line), _CITED.match(line)
        last = parts[-1] if parts else ""
        if line.startswith("## "):
            book = line.partition("`")[2].partition("`")[0]
        if entry:
            phrases = tuple(entry["phrases"].split(" | ")) if entry["phrases"] else ()
            parts.append(Entry(entry["code"], entry["wording"], phrases, book))
        elif cited and isinstance(last, Entry):
            last.cited.append((cited["file"], cited["title"]))
        elif line.startswith("  - none: ") and isinstance(last, Entry):
            last.reason = line.removeprefix("  - none: ")
        else:
            parts.append(line)
    return parts


def filled(text: str) -> str:
    """The record with the own scenarios as their files have them by now."""
    own = own_scenarios()
    lines: list[str] = []
    for part in read(text):
        if isinstance(part, Entry):
            given = [(file, title) for file, title in part.cited if not file.startswith("own_")]
            about = [one for one in own if part.holds(one)]
            about = about or [one for one in own if part.code in one.options]
            part.cited = given + [(one.file, one.title) for one in about]
            lines.extend(part.lines())
        else:
            lines.append(part)
    return "\n".join(lines) + "\n"


def main() -> int:
    """Fill the record; 1 if it leaves something open."""
    text = filled(RECORD.read_text(encoding="utf-8"))
    RECORD.write_text(text, encoding="utf-8")
    entries = [part for part in read(text) if isinstance(part, Entry)]
    bare = [entry.code for entry in entries if not entry.cited and not entry.reason]
    cited = {cited for entry in entries for cited in entry.cited}
    lost = [
        f"{one.file}: {one.title} ({one.source})" for one in own_scenarios() if (one.file, one.title) not in cited
    ]
    for line in (f"held by nothing, and no reason: {', '.join(bare)}" if bare else "", *lost):
        if line:
            sys.stdout.write(f"{line}\n")
    return int(bool(bare or lost))


if __name__ == "__main__":
    sys.exit(main())
