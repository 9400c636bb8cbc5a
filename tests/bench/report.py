"""Figures beside their aims."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

RUNS = 15


class Report:
    """Lines of figures; counts those that have missed their aims."""

    def __init__(self) -> None:
        self.missed = 0

    def line(self, name: str, value: float, unit: str, aim: float, at_least: bool = False) -> None:
        """A figure beside its aim."""
        missed = value < aim if at_least else value > aim
        self.missed += missed
        sign = "≥" if at_least else "≤"
        self.say(f"{name:<60}{value:9.2f} {unit:<8}  aim {sign} {aim:g}{'   MISSED' if missed else ''}")

    def figure(self, name: str, value: float, unit: str) -> None:
        """A figure that has no aim: it stands there for scale."""
        self.say(f"{name:<60}{value:9.2f} {unit}")

    def title(self, text: str) -> None:
        """What the lines below it are about."""
        self.say(f"\n{text}")

    def say(self, text: str) -> None:
        """A line of words."""
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def best_of(work: Callable[[], object], times: int) -> float:
    """Seconds of one piece of work: the best of several runs, each the mean of so many times."""
    results = []
    for _ in range(RUNS):
        begun = time.process_time()
        for _ in range(times):
            work()
        results.append((time.process_time() - begun) / times)
    return min(results)
