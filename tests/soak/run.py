"""Many games: which ones, one after the other, and how far one has come."""

from __future__ import annotations

import io
import logging
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import msgspec

from engine import RULE_BOOKS
from infra.log import setup_logging
from tests.soak import checks
from tests.soak.game import play
from tests.soak.weather import KINDS, Case

ALL = ("calm", *KINDS)
LARGE = 0.15
"""How many tables are larger than the smallest of their book."""

MOST_SEATS = 12


def cases(seed: int, kinds: tuple[str, ...] = ALL, since: int = 0) -> Iterator[Case]:
    """Every game from `seed` on: each table in all weathers, books by turns. since: so many are passed over."""
    books = list(RULE_BOOKS.values())
    for number in count(since // len(kinds)):
        book = books[number % len(books)]
        chance = Case(book.name, book.fewest, seed + number).chance("seats")
        large = chance.random() < LARGE
        seats = chance.randint(book.fewest, min(MOST_SEATS, book.most)) if large else book.fewest
        for place, kind in enumerate(kinds):
            if number * len(kinds) + place >= since:
                yield Case(book.name, seats, seed + number, kind)


def judge(case: Case) -> tuple[list[str], Counter[str]]:
    """Play one game: what is wrong with it, and the faults that befell it. Its log is read too."""
    with logged() as lines:
        try:
            if case.kind == "calm":
                calm = checks.undisturbed(case)
                return [*calm.problems, *checks.leaks(lines.getvalue(), calm.course)], Counter()
            course = play(case)
            found = [*checks.problems(course), *checks.leaks(lines.getvalue(), course)]
        except AssertionError as error:
            return [str(error)], Counter()
    return found, course.journal.faults


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """What is logged, as a deployment writes it; everything is as it was afterwards."""
    root = logging.getLogger()
    names = ["", "nightfall", "httpx", "httpcore", "telegram", "aiohttp.access"]
    levels = {name: logging.getLogger(name).level for name in names}
    handlers, hooks, raises = root.handlers[:], (sys.excepthook, threading.excepthook), logging.raiseExceptions
    lines = io.StringIO()
    setup_logging(lines)
    try:
        yield lines
    finally:
        root.handlers[:] = handlers
        (sys.excepthook, threading.excepthook), logging.raiseExceptions = hooks, raises
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


class Progress(msgspec.Struct):
    """How far a run has come. played, faults: counts by kind; failed: games with something wrong."""

    seed: int = 1
    passed: int = 0
    played: dict[str, int] = {}
    faults: dict[str, int] = {}
    failed: list[str] = []
    seconds: float = 0.0


def load(path: Path) -> Progress:
    """The progress that was kept, or none."""
    return msgspec.json.decode(path.read_bytes(), type=Progress) if path.is_file() else Progress()


def go_on(progress: Progress, games: int, minutes: float, path: Path, kinds: tuple[str, ...] = ALL) -> None:
    """Play so many games more, or so long, and keep how far it came."""
    began, since = time.monotonic(), progress.passed
    spent = progress.seconds
    for case in cases(progress.seed, kinds, since):
        if progress.passed - since >= games or time.monotonic() - began > minutes * 60:
            break
        found, faults = judge(case)
        progress.passed += 1
        progress.played[case.kind] = progress.played.get(case.kind, 0) + 1
        for fault, times in faults.items():
            progress.faults[fault] = progress.faults.get(fault, 0) + times
        if found:
            progress.failed.append(str(case))
            sys.stderr.write(f"{case}: {found[:3]}\n  python -m tests.soak --replay {case}\n")
        progress.seconds = spent + time.monotonic() - began
        if found or progress.passed % len(kinds) == 0:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(msgspec.json.encode(progress))
