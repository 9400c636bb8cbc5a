"""`python -m tests.scenarios FILE…`: one line a scenario, then a line with the numbers; exits 1 if any failed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.scenarios.runner import run_files


def main(arguments: list[str] | None = None) -> int:
    """Run the files; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.scenarios", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    files = parser.parse_args(arguments).files
    return 0 if run_files(files, _say) else 1


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
