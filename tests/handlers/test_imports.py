"""What a start imports: what the press needs, and nothing that only some other day needs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

FEW_TIMES = 12.0
"""How many times the processor time of two modules of the standard library an import may take."""

_LOOK = """
import sys, time
begun = time.process_time()
import {modules}
print(__import__("json").dumps([time.process_time() - begun, sorted(sys.modules)]))
"""


def imported(modules: str) -> tuple[float, set[str]]:
    """Processor time and the modules that are there after an import."""
    done = subprocess.run([sys.executable, "-c", _LOOK.format(modules=modules)], capture_output=True, check=True)
    seconds, names = json.loads(done.stdout)
    return seconds, set(names)


@pytest.mark.parametrize(
    ("modules", "never"),
    [
        ("handlers.aws, handlers.wiring", {"pydantic", "telegram.ext", "aiohttp", "babel", "sqlite3"}),
        ("handlers.aws", {"pydantic", "telegram", "httpx"}),
        ("engine", {"pydantic", "asyncio"}),
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(modules: str, never: set[str]) -> None:
    assert imported(modules)[1] & never == set()


def test_the_door_is_imported_in_a_few_times_what_the_standard_library_takes() -> None:
    """The best of three: other work on the machine only adds."""
    ours = min(imported("handlers.aws, handlers.wiring")[0] for _ in range(3))
    scale = min(imported("json, asyncio, ssl, http.client, email.parser")[0] for _ in range(3))
    assert ours < FEW_TIMES * scale
