"""Plays scenarios, each with five seeds, and reports on them line by line."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from engine import RULE_BOOKS, Answer
from tests.scenarios.expectations import expect
from tests.scenarios.language import (
    AllSay,
    Expects,
    GoesTo,
    Line,
    Orders,
    Refuses,
    Says,
    Scenario,
    Unreadable,
    Waits,
    read_file,
    read_scenario,
)
from tests.scenarios.table import Failed, Table

SEEDS = tuple(hashlib.sha256(f"scenario, seed {number}".encode()).digest() for number in range(1, 6))


def fault_of(entry: Mapping[str, Any]) -> str:
    """What is wrong with an entry of a file, or with the engine: expected and seen; empty if nothing is."""
    try:
        scenario = read_scenario(entry)
    except Unreadable as error:
        return f"cannot be read: {error}"
    return next((fault for number, seed in enumerate(SEEDS, 1) if (fault := _play(scenario, number, seed))), "")


def _play(scenario: Scenario, number: int, seed: bytes) -> str:
    """One game; whatever goes wrong, an engine that breaks down included, is the scenario's failure."""
    where = "the deal"
    try:
        table = Table(scenario.given, scenario.by_house, seed)
        for index, (written, line) in enumerate(scenario.play, 1):
            where = f"line {index} `{written}`"
            play_line(table, line)
        where = "the end"
        table.check_storage()
    except Failed as failure:
        return f"{failure} (seed {number}, {where})"
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())} (seed {number}, {where})"
    return ""


def play_line(table: Table, line: Line) -> None:
    """Play one line. Raises Failed."""
    match line:
        case Says(seats, action, answer):
            for seat in seats:
                table.say(seat, action, answer)
        case AllSay(action, answer):
            table.all_say(action, answer)
        case Orders(command):
            table.obey(command)
        case Refuses(Says(seats, action, answer)):
            for seat in seats:
                table.refuse(Answer(seat, action, answer))
        case Refuses(Orders(command)):
            table.refuse(command)
        case Waits():
            table.wait()
        case GoesTo(phase, day):
            table.go_to(phase, day)
        case Expects(wanted):
            expect(table, wanted)


def run_files(paths: Iterable[Path], say: Callable[[str], None]) -> bool:
    """Play the files' scenarios, report on each and on the whole; did all of them pass?"""
    passed = failed = 0
    for path in paths:
        try:
            entries = read_file(path)
        except Unreadable as error:
            failed += 1
            say(f"FAIL {path}: cannot be read: {error}")
            continue
        titles: set[str] = set()
        unregistered: dict[str, None] = {}
        for entry in entries:
            title, book = str(entry["title"]), entry.get("rules")
            twice = title in titles
            titles.add(title)
            if book is not None and book not in RULE_BOOKS:
                unregistered[str(book)] = None
            elif entry.get("disputed"):
                say(f"disp {title}")
            elif fault := "another scenario of the file has this title" if twice else fault_of(entry):
                failed += 1
                say(f"FAIL {title}: {fault}")
            else:
                passed += 1
                say(f"ok   {title}")
        for book in unregistered:
            say(f"skip {path}: book {book} is not registered")
    say(f"{passed} passed, {failed} failed")
    return not failed
