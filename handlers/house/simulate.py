"""`nightfall simulate`: play what was ordered, with a bar meanwhile, and report."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import TextIO

from engine import DeckRefused, OptionRefused
from handlers.house.figures import Outcome, tallies
from handlers.house.report import as_data, as_text
from handlers.house.run import Order, outcomes

DONE, REFUSED, INTERRUPTED = 0, 2, 130

WIDTH = 30
"""Of the bar, in signs."""

NO_PLOTS = "--plot draws with matplotlib, which is not installed: make plot"


def run(given: argparse.Namespace) -> int:
    """Play and report; the number of the process's end."""
    order = Order(
        given.book, given.seats, given.games, given.seed, given.random, dict(given.option), dict(given.deck)
    )
    try:
        order.check()
    except (OptionRefused, DeckRefused) as refused:
        return _refuse(f"The book does not deal this: {_reasons(refused)}.")
    if given.plot and find_spec("matplotlib") is None:
        return _refuse(NO_PLOTS)
    begun = time.perf_counter()
    games = outcomes(order, given.processes)
    try:
        played = tallies(_with_bar(games, order.games * len(order.seats), sys.stderr))
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return INTERRUPTED
    took = time.perf_counter() - begun
    rate = sum(tally.games for tally in played) / took
    if given.json:
        speed = {"games_per_second": rate, "seconds": took, "processes": given.processes}
        sys.stdout.write(json.dumps({**as_data(order, played), "speed": speed}, indent=2) + "\n")
    else:
        sys.stdout.write(as_text(order, played))
        sys.stdout.write(f"\n{rate:.0f} games a second, {took:.1f} s, {given.processes} processes\n")
    if given.plot:
        from handlers.house.plot import draw

        draw(order, played, given.plot)
    return DONE


def _with_bar(games: Iterable[Outcome], total: int, stream: TextIO) -> Iterator[Outcome]:
    """Hand the games on and draw how far they are, where somebody looks."""
    shown = -1
    for done, game in enumerate(games, start=1):
        yield game
        share = done * 100 // total
        if stream.isatty() and share != shown:
            shown = share
            bar = "█" * (done * WIDTH // total)
            stream.write(f"\r{bar:<{WIDTH}} {share:3d} %  {done}/{total}")
            stream.write("\n" if done == total else "")
            stream.flush()


def _reasons(refused: OptionRefused | DeckRefused) -> str:
    if isinstance(refused, OptionRefused):
        return f"option {refused.name}, {refused.code}"
    return ", ".join(" ".join(filter(None, (p.code, p.role, str(p.number or "")))) for p in refused.problems)


def _refuse(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return REFUSED
