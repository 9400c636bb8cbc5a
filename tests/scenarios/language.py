"""The language of the scenarios: files into scenarios, lines into records. Nothing here plays a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from engine import Draw, Expel, Extend, Leave, Selection, Skip, Warn

PHASES: dict[str, tuple[str, ...]] = {
    "classic": ("night", "dawn", "talk", "election", "vote"),
    "new_moon": ("night", "dawn", "talk", "election", "vote"),
    "elder": ("night", "election", "dawn", "talk", "vote"),
    "handbook": ("night", "dawn", "talk", "vote"),
    "lupus": ("night", "dawn", "talk", "vote", "defence", "verdict"),
    "lupusburg": ("setup", "night", "swap", "privilege", "bet", "talk", "vote", "defence", "verdict"),
}
"""The order of the phases of a day, by book."""

GIVEN = ("houses", "goals", "mayor", "sage", "welcome")
"""What a scenario may lay down besides deal, centre and options, where the book would draw it."""

_KEYS = {"title", "rules", "seats", "deal", "centre", "options", "play", "source", "disputed", *GIVEN}

EXPECTED: dict[str, type | tuple[type, ...]] = {
    "alive": list,
    "dead": list,
    "died": list,
    "phase": str,
    "day": int,
    "may": dict,
    "may_not": dict,
    "only": bool,
    "knows": dict,
    "unaware": dict,
    "shown": dict,
    "hidden": list,
    "sheriff": (int, str),
    "weight": dict,
    "suspects": list,
    "over": (str, bool),
    "winners": list,
    "score": dict,
    "legal": dict,
}
"""The keys of `expect` in the order of their evaluation, and what is written behind them."""


class Unreadable(ValueError):
    """What is written is not of this language."""


@dataclass(frozen=True)
class Says:
    """`1,2 wolves.kill 6`: seats answer their prompt, in the order written."""

    seats: tuple[int, ...]
    action: str
    answer: Selection


@dataclass(frozen=True)
class AllSay:
    """`all vote.lynch 5`: every seat that has the prompt, and for which the answer is legal, gives it."""

    action: str
    answer: Selection


@dataclass(frozen=True)
class Orders:
    """`5 leave`, `host warn 5 oath`: a command of the table."""

    command: Leave | Skip | Extend | Warn | Expel | Draw


@dataclass(frozen=True)
class Refuses:
    """`! 6 vote.lynch 6`: the command is refused and changes nothing."""

    line: Says | Orders


@dataclass(frozen=True)
class Waits:
    """`wait`: until something happens by itself."""


@dataclass(frozen=True)
class GoesTo:
    """`to vote 2`, `to over`: deadlines pass until the game stands there."""

    phase: str
    day: int


@dataclass(frozen=True)
class Expects:
    """`expect: {…}`: what is to be seen now."""

    wanted: Mapping[str, Any]


Line = Says | AllSay | Orders | Refuses | Waits | GoesTo | Expects


@dataclass(frozen=True)
class Scenario:
    """A short game. given: by name, what of the setup is laid down. play: each line as written and as read."""

    title: str
    book: str
    given: Mapping[str, Any]
    play: tuple[tuple[str, Line], ...]
    by_house: bool
    disputed: str


def read_file(path: Path) -> list[dict[str, Any]]:
    """The entries of a file, as written. Raises Unreadable."""
    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise Unreadable(" ".join(str(error).split())) from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) and "title" in entry for entry in entries):
        raise Unreadable("not a list of scenarios with a title each")
    return entries


def read_scenario(entry: Mapping[str, Any]) -> Scenario:
    """An entry of a file, with its lines read. Raises Unreadable."""
    if strange := sorted(str(key) for key in entry if key not in _KEYS):
        raise Unreadable(f"unknown key: {', '.join(strange)}")
    if missing := [key for key in ("rules", "seats", "deal", "play") if key not in entry]:
        raise Unreadable(f"missing key: {', '.join(missing)}")
    book = entry["rules"]
    if book not in PHASES:
        raise Unreadable(f"no phases are known of the book {book}")
    deal = {seat: tuple(cards) if isinstance(cards, list) else cards for seat, cards in entry["deal"].items()}
    given = {"book": book, "seats": entry["seats"], "deal": deal}
    given["options"] = entry.get("options", {})
    given["centre"] = tuple(entry.get("centre", ()))
    given.update((name, entry[name]) for name in GIVEN if name in entry)
    return Scenario(
        title=str(entry["title"]),
        book=book,
        given=given,
        play=tuple((_written(line), read_line(line, book)) for line in entry["play"]),
        by_house=any(isinstance(cards, tuple) for cards in deal.values()),
        disputed=str(entry.get("disputed", "")),
    )


def _written(line: object) -> str:
    return line if isinstance(line, str) else "expect"


def read_line(line: object, book: str) -> Line:
    """A line of `play`. Raises Unreadable."""
    if isinstance(line, dict):
        return _read_expect(line)
    if not isinstance(line, str):
        raise Unreadable(f"not a line: {line!r}")
    match line.split():
        case ["!", *rest]:
            refused = _read_command(rest, line)
            return Refuses(refused)
        case ["wait"]:
            return Waits()
        case ["to", "over"]:
            return GoesTo("over", 0)
        case ["to", phase, day] if day.isdecimal():
            if phase != "day" and phase not in PHASES[book]:
                raise Unreadable(f"{phase} is no phase of {book}: {line}")
            return GoesTo(phase, int(day))
        case ["all", action, *words] if "." in action:
            return AllSay(action, read_answer(action, words))
        case words:
            return _read_command(words, line)


def _read_command(words: list[str], line: str) -> Says | Orders:
    match words:
        case ["host", "warn" | "expel" as verb, seat, *kind] if seat.isdecimal() and len(kind) <= 1:
            command = Warn if verb == "warn" else Expel
            return Orders(command("host", int(seat), *kind))
        case ["host", "draw"]:
            return Orders(Draw("host"))
        case [seat, "leave"] if seat.isdecimal():
            return Orders(Leave(int(seat)))
        case [actor, "skip"] if actor == "host" or actor.isdecimal():
            return Orders(Skip("host" if actor == "host" else int(actor)))
        case [actor, "extend", seconds] if (actor == "host" or actor.isdecimal()) and seconds.isdecimal():
            return Orders(Extend("host" if actor == "host" else int(actor), int(seconds)))
        case [seats, action, *answer] if "." in action:
            return Says(_read_seats(seats), action, read_answer(action, answer))
    raise Unreadable(f"not a line: {line}")


def _read_seats(text: str) -> tuple[int, ...]:
    seats = text.split(",")
    if not all(seat.isdecimal() for seat in seats):
        raise Unreadable(f"not seats: {text}")
    return tuple(int(seat) for seat in seats)


def read_answer(action: str, words: list[str]) -> Selection:
    """An answer: seats are numbers, all else is words; `pass` is the empty one. Raises Unreadable.

    Several ballots in a verdict that name the same are the one answer for all of them.
    """
    if not words:
        raise Unreadable(f"no answer to {action}")
    if words == ["pass"]:
        return ()
    if "pass" in words:
        raise Unreadable(f"`pass` stands alone: {action} {' '.join(words)}")
    answer = tuple(int(word) if word.isdecimal() else word for word in words)
    return tuple(dict.fromkeys(answer)) if action == "vote.verdict" else answer


def _read_expect(line: Mapping[Any, Any]) -> Expects:
    wanted = line.get("expect")
    if set(line) != {"expect"} or not isinstance(wanted, dict) or not wanted:
        raise Unreadable(f"not a line: {line!r}")
    for key, value in wanted.items():
        if key not in EXPECTED:
            raise Unreadable(f"unknown key of expect: {key}")
        if not isinstance(value, EXPECTED[key]):
            raise Unreadable(f"not what `{key}` takes: {value!r}")
    if wanted.get("only") and "may" not in wanted:
        raise Unreadable("`only` without `may`")
    for question in wanted.get("legal", {}):
        read_question(question)
    return Expects(wanted)


def read_question(text: object) -> tuple[int, str]:
    """`3 vote.lynch`: whose prompt of which action. Raises Unreadable."""
    match str(text).split():
        case [seat, action] if seat.isdecimal() and "." in action:
            return int(seat), action
    raise Unreadable(f"not a seat and an action: {text}")
