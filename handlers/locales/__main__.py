"""`python -m handlers.locales compile` makes the catalogues readable; `check` finds what is wrong in them."""

from __future__ import annotations

import string
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from handlers.wording.keys import KEYS

FOLDER = Path(__file__).parent


def languages() -> list[str]:
    """The languages there are catalogues for."""
    return sorted(path.stem for path in FOLDER.glob("*.po"))


def read(language: str) -> Catalog:
    """The catalogue of a language."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def compile_all() -> None:
    """Write the form that is read at run time beside each catalogue."""
    for language in languages():
        with (FOLDER / f"{language}.mo").open("wb") as file:
            write_mo(file, read(language))


def problems(language: str) -> list[str]:
    """What is missing, unused or wrong in a catalogue."""
    sentences = {str(message.id): str(message.string) for message in read(language) if message.id}
    found = [f"{language}: missing {key}" for key in KEYS if not sentences.get(key)]
    found += [f"{language}: unused {key}" for key in sentences if key not in KEYS]
    for key, variables in KEYS.items():
        named = {name for _, name, _, _ in string.Formatter().parse(sentences.get(key, "")) if name is not None}
        if sentences.get(key) and named != set(variables):
            found.append(f"{language}: {key} takes {sorted(variables)}, not {sorted(named)}")
    return found


def main(arguments: list[str]) -> int:
    """Do what is asked for; the number of the process's end."""
    if arguments == ["compile"]:
        compile_all()
        return 0
    if arguments == ["check"]:
        found = [problem for language in languages() for problem in problems(language)]
        sys.stdout.writelines(f"{problem}\n" for problem in found)
        return 1 if found else 0
    sys.stderr.write("python -m handlers.locales compile|check\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
