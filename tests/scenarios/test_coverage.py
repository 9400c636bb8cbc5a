"""COVERAGE.md is what it says: every rule is in it, every scenario it cites exists, every own one is cited."""

from __future__ import annotations

import re

import pytest

from engine import Options
from tests.scenarios.coverage import FOLDER, RECORD, Entry, filled, own_scenarios, read
from tests.scenarios.language import read_file

ENTRIES = [part for part in read(RECORD.read_text(encoding="utf-8")) if isinstance(part, Entry)]

LAST = {"ruling ": 16, "G": 47, "C": 32, "N": 28, "E": 35, "H": 32, "L": 31, "B-": 30}
"""The last number of each row of rulings; `ruling`: those that all pages share."""

UNUSED = {"H27"}
"""A number that was never given."""


def test_every_ruling_and_every_option_is_listed_once() -> None:
    codes = [entry.code for entry in ENTRIES]
    assert len(set(codes)) == len(codes)
    rulings = {f"{letter}{number}" for letter, last in LAST.items() for number in range(1, last + 1)}
    assert rulings - UNUSED <= set(codes)
    assert set(Options.__struct_fields__) <= set(codes)


def test_the_lines_of_a_page_are_numbered_without_a_gap() -> None:
    for book in ("classic", "new_moon", "elder", "handbook", "lupus", "lupusburg"):
        numbers = [int(found[1]) for e in ENTRIES if (found := re.fullmatch(rf"{book} (\d+)", e.code))]
        assert numbers == list(range(1, len(numbers) + 1))
        assert numbers


def test_every_scenario_that_is_cited_exists() -> None:
    known = {(path.name, str(entry["title"])) for path in FOLDER.glob("*.yaml") for entry in read_file(path)}
    assert {cited for entry in ENTRIES for cited in entry.cited} <= known


@pytest.mark.parametrize("kind", ["own", "given"])
def test_every_scenario_is_cited(kind: str) -> None:
    paths = sorted(path for path in FOLDER.glob("*.yaml") if path.name.startswith("own_") == (kind == "own"))
    known = {(path.name, str(entry["title"])) for path in paths for entry in read_file(path)}
    assert known - {cited for entry in ENTRIES for cited in entry.cited} == set()


def test_what_no_scenario_holds_has_its_reason() -> None:
    assert [entry.code for entry in ENTRIES if not entry.cited and not entry.reason] == []


def test_the_tests_that_a_reason_names_exist() -> None:
    for entry in ENTRIES:
        for name in re.findall(r"[\w/]+\.py", entry.reason):
            path = FOLDER.parent.parent / name
            assert path.exists() or list(FOLDER.parent.rglob(name)), (entry.code, name)


def test_the_record_is_as_the_files_have_it() -> None:
    """If not: python -m tests.scenarios.coverage."""
    text = RECORD.read_text(encoding="utf-8")
    assert filled(text) == text
    assert len(own_scenarios()) > 500
