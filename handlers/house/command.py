"""What can be typed after `nightfall simulate`; what is done then is in `simulate.py`, loaded only if it is."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from engine import RULE_BOOKS


def declare(parser: argparse.ArgumentParser) -> None:
    """Say what can be typed."""
    parser.add_argument("--book", choices=tuple(RULE_BOOKS), default="classic", help="the rule book")
    parser.add_argument("--seats", type=_seats, required=True, help="so many seats, or a range: 8-18")
    parser.add_argument("--games", type=_positive, default=1000, help="for each number of seats (1000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same games (1)")
    parser.add_argument("--random", action="store_true", help="players that choose by chance alone")
    parser.add_argument("--option", type=_pair, action="append", default=[], help="of the table: name=value")
    parser.add_argument("--deck", type=_card, action="append", default=[], help="role=number, villagers fill up")
    parser.add_argument("--processes", type=_positive, default=_cores(), help="how many (one a core)")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="win rates over seats as a picture")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _positive(typed: str) -> int:
    number = int(typed)
    if number < 1:
        raise ValueError(typed)
    return number


def _seats(typed: str) -> tuple[int, ...]:
    first, _, last = typed.partition("-")
    seats = tuple(range(int(first), int(last or first) + 1))
    if not seats:
        raise ValueError(typed)
    return seats


def _pair(typed: str) -> tuple[str, Any]:
    """An option; its value is JSON, or a plain word."""
    name, sign, value = typed.partition("=")
    if not name or not sign:
        raise ValueError(typed)
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _card(typed: str) -> tuple[str, int]:
    role, _, count = typed.partition("=")
    return role, int(count)
