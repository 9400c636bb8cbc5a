"""`python -m tests.bench [engine] [start] [press] [traffic] [clock]`: all of them if none is named."""

from __future__ import annotations

import os
import platform
import sys
from importlib import import_module

from tests.bench.report import Report

SUBJECTS = ("engine", "start", "press", "traffic", "clock")


def main() -> int:
    """Print the figures; what misses its aim says so."""
    os.environ.setdefault("PTB_TIMEDELTA", "1")
    report = Report()
    report.say(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}")
    for subject in sys.argv[1:] or SUBJECTS:
        import_module(f"tests.bench.{subject}").run(report)
    report.say(f"\n{report.missed} missed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
