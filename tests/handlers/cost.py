"""`python -m tests.handlers.cost [BOOK]`: what a game of twelve costs, or of as many as the book has seats for."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import asdict


def main() -> None:
    """Play one game and print what it cost."""
    os.environ.setdefault("PTB_TIMEDELTA", "1")
    from engine import RULE_BOOKS
    from tests.handlers.meter import cost_of

    book = sys.argv[1] if len(sys.argv) > 1 else "classic"
    members = min(12, RULE_BOOKS[book].most)
    for name, value in asdict(asyncio.run(cost_of(members, 1, book))).items():
        sys.stdout.write(f"{name:15} {value:>10,.0f}\n")


if __name__ == "__main__":
    main()
