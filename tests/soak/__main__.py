"""`python -m tests.soak`: games under faults, so many or for so long. See docs/soak.md."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

PROGRESS = Path("build/soak.json")


def main() -> int:
    """Play."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Whole games under seeded faults.")
    parser.add_argument("--games", type=int, default=1_000_000, help="so many at most")
    parser.add_argument("--minutes", type=float, default=30.0, help="so long at most (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first table")
    parser.add_argument("--kinds", default="", help="only these kinds of faults, separated by commas")
    parser.add_argument("--resume", action="store_true", help="go on where the last run has stopped")
    parser.add_argument("--progress", type=Path, default=PROGRESS, help="where that is kept")
    parser.add_argument("--fuzz", type=int, default=0, help="first put so many hostile bodies at the door")
    parser.add_argument("--replay", help="play one game and say what is wrong with it: book.seats.seed.kind")
    given = parser.parse_args()
    os.environ.setdefault("PTB_TIMEDELTA", "1")
    from tests.soak import run, weather

    if given.replay:
        found, faults = run.judge(weather.read(given.replay))
        sys.stdout.write("\n".join([*found, f"{dict(faults)}", f"{len(found)} problems"]) + "\n")
        return bool(found)
    if given.fuzz:
        from tests.soak.test_hostile import attack

        attack(given.fuzz)
        sys.stdout.write(f"{given.fuzz} hostile bodies, and nothing came of them\n")
    progress = run.load(given.progress) if given.resume else run.Progress(seed=given.seed)
    kinds = tuple(given.kinds.split(",")) if given.kinds else run.ALL
    run.go_on(progress, given.games, given.minutes, given.progress, kinds)
    for kind, games in progress.played.items():
        sys.stdout.write(f"{kind:11} {games:6}\n")
    sys.stdout.write(
        f"{progress.passed} games in {progress.seconds:.0f} s, {len(progress.failed)} with problems\n"
    )
    sys.stdout.write(f"faults: {progress.faults}\n")
    return bool(progress.failed)


if __name__ == "__main__":
    sys.exit(main())
