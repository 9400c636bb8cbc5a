"""Hostile input at the door: refused before anything is read, or answered 200 and nothing has changed."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.soak import hostile, run

EXAMPLES = 3000
AT_ONCE = 20
"""So many come one after the other in one example: drawing them singly takes longer than they do."""

LAX = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


@cache
def target() -> hostile.Target:
    return hostile.Target()


def attack(examples: int) -> None:
    """Put so many bodies at the door, drawn anew each time."""

    bodies = st.lists(hostile.bodies(target()), min_size=AT_ONCE, max_size=AT_ONCE)

    @settings(LAX, max_examples=examples // AT_ONCE)
    @given(bodies)
    def strike(bodies: list[bytes]) -> None:
        with run.logged() as lines:
            for body in bodies:
                hostile.check(target(), body, lines.getvalue)

    strike()


def test_nothing_comes_of_what_is_no_honest_update() -> None:
    attack(EXAMPLES)


@pytest.mark.parametrize(
    "headers",
    [{}, {"X-Telegram-Bot-Api-Secret-Token": ""}, {"X-Telegram-Bot-Api-Secret-Token": "a-secret-heade\u00e9"}],
)
def test_without_the_secret_nothing_is_read(headers: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    there = target()

    def nothing(*_: object) -> None:
        raise AssertionError("it has read")

    monkeypatch.setattr(there.world.line, "get", nothing)
    body = b'{"update_id":1,"message":{"message_id":1}}'
    assert there.knock(body, headers).status == 401
