"""`python -m handlers.locales compile` makes the catalogues readable; `check` finds what is wrong in them."""

from __future__ import annotations

import string
import sys
from collections.abc import Collection
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from handlers.languages import LANGUAGES
from handlers.wording.keys import KEYS
from handlers.wording.rules import keys as rules

FOLDER = Path(__file__).parent


def languages() -> list[str]:
    """The languages there are catalogues for."""
    return sorted(path.stem for path in FOLDER.glob("*.po") if "." not in path.stem)


def read(name: str) -> Catalog:
    """A catalogue: `zh_Hans`, or `rules.zh_Hans`."""
    with (FOLDER / f"{name}.po").open("rb") as file:
        return read_po(file, locale=name.rpartition(".")[2])


def compile_all() -> None:
    """Write the form that is read at run time beside each catalogue."""
    for path in FOLDER.glob("*.po"):
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, read(path.stem))


def problems(language: str) -> list[str]:
    """What is missing, unused or wrong in a catalogue."""
    sentences, found = _sentences(language, KEYS)
    for key, variables in KEYS.items():
        named = variables_in(sentences.get(key, ""))
        if sentences.get(key) and named != set(variables):
            found.append(f"{language}: {key} takes {sorted(variables)}, not {sorted(named)}")
    return found


def problems_of_rules(language: str) -> list[str]:
    """The same for the rules: there each sentence takes what it takes in the first language."""
    name = f"rules.{language}"
    sentences, found = _sentences(name, rules.KEYS)
    first, _ = _sentences(f"rules.{LANGUAGES[0]}", rules.KEYS)
    for key, sentence in sentences.items():
        named, wanted = variables_in(sentence), variables_in(first.get(key, ""))
        if named != wanted or not named <= rules.VARIABLES:
            found.append(f"{name}: {key} takes {sorted(wanted & rules.VARIABLES)}, not {sorted(named)}")
    return found


def _sentences(name: str, keys: Collection[str]) -> tuple[dict[str, str], list[str]]:
    """What a catalogue has, and what it lacks or has in vain."""
    sentences = {str(message.id): str(message.string) for message in read(name) if message.id}
    found = [f"{name}: missing {key}" for key in keys if not sentences.get(key)]
    return sentences, found + [f"{name}: unused {key}" for key in sentences if key not in keys]


def variables_in(sentence: str) -> set[str]:
    """What a sentence takes."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def main(arguments: list[str]) -> int:
    """Do what is asked for; the number of the process's end."""
    if arguments == ["compile"]:
        compile_all()
        return 0
    if arguments == ["check"]:
        found = [
            problem for language in languages() for problem in (*problems(language), *problems_of_rules(language))
        ]
        sys.stdout.writelines(f"{problem}\n" for problem in found)
        return 1 if found else 0
    sys.stderr.write("python -m handlers.locales compile|check\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
