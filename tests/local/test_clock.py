import asyncio

import pytest

from infra.local.clock import Saved, ScaledClock


class Wall:
    """The wall's clock, moved by hand."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def test_rates() -> None:
    wall = Wall()
    clock = ScaledClock(wall=wall)
    assert clock.now() == 1000
    wall.time += 5
    assert clock.now() == 1005
    clock.set_rate(10)
    wall.time += 5
    assert clock.now() == 1055
    clock.set_rate(1)
    wall.time += 5
    assert clock.now() == 1060
    with pytest.raises(ValueError, match="forwards"):
        clock.set_rate(0)


def test_a_wall_set_back_does_not_turn_the_clock_back() -> None:
    wall = Wall()
    clock = ScaledClock(wall=wall)
    wall.time += 50
    assert clock.now() == 1050
    wall.time -= 3600
    assert clock.now() == 1050
    wall.time += 1
    assert clock.now() == 1051


def test_wall_time_counts_once_after_a_restart() -> None:
    wall = Wall()
    kept: list[Saved] = []
    clock = ScaledClock(save=kept.append, wall=wall)
    wall.time += 100
    assert clock.now() == 1100
    wall.time += 100
    again = ScaledClock(kept[-1], wall=wall)
    assert (again.now(), again.rate) == (1200, 1)


@pytest.mark.parametrize("reads_at", [[], [0.3], [0.3, 0.9, 1.2], [5.0, 5.9]])
def test_never_backwards_after_a_crash_at_speed(reads_at: list[float]) -> None:
    wall = Wall()
    kept: list[Saved] = []
    clock = ScaledClock(save=kept.append, wall=wall)
    clock.set_rate(10)
    last = clock.now()
    for moment in reads_at:
        wall.time = 1000 + moment
        last = clock.now()
    again = ScaledClock(kept[-1], wall=wall)
    assert again.now() >= last
    assert again.rate == 10


def test_sleepers_wake_at_their_time_and_hear_of_a_new_rate() -> None:
    wall = Wall()

    async def scenario() -> None:
        clock = ScaledClock(wall=wall)
        await clock.sleep_until(clock.now())
        sleeper = asyncio.create_task(clock.sleep_until(clock.now() + 3600))
        await asyncio.sleep(0)
        assert not sleeper.done()
        wall.time += 3600
        clock.set_rate(10)
        await sleeper

    asyncio.run(scenario())
