"""The local cloud as a process that writes down who calls what: a line of access key, service and call for each.

It runs in an environment of its own, which knows nothing of this repository.
"""

import sys
from pathlib import Path
from typing import Any

from ministack import app  # type: ignore[import-not-found]
from ministack.services import cloudtrail  # type: ignore[import-not-found]


def main() -> None:
    """Serve until told to stop. The first argument names the file to write to."""
    calls = Path(sys.argv.pop(1)).open("a", buffering=1)  # noqa: SIM115 - open as long as the process
    record = cloudtrail.record_event

    def recorded(**event: Any) -> None:
        calls.write(f"{event['access_key_id']} {event['service']}:{event['event_name']}\n")
        record(**event)

    cloudtrail.record_event = recorded
    app.main()


if __name__ == "__main__":
    main()
