"""`python -m tests.handlers.cost`: what a game of twelve costs."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import asdict


def main() -> None:
    """Play one game and print what it cost."""
    os.environ.setdefault("PTB_TIMEDELTA", "1")
    from tests.handlers.meter import cost_of

    for name, value in asdict(asyncio.run(cost_of(12, 1))).items():
        sys.stdout.write(f"{name:15} {value:>10,.0f}\n")


if __name__ == "__main__":
    main()
