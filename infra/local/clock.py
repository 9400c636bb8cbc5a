"""The playground's time: a clock that can be made to run faster, and goes on after a restart."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

# A clock that runs faster than the wall saves itself at least once in this many wall seconds. After a
# crash it goes on from the furthest instant anybody can have read, so that it never runs backwards: two
# such spans, because one save may have been lost with a change that was taken back.
_SAVE_EVERY = 1.0
_UNSAVED = 2 * _SAVE_EVERY

Saved = dict[str, float]


class Clock(Protocol):
    """What the courier and the house need of a clock; times are epoch seconds."""

    def now(self) -> float:
        """Return the present."""
        ...

    async def sleep_until(self, when: float) -> None:
        """Return as soon as `now()` is at least `when`."""
        ...


class ScaledClock:
    """A clock that starts at the wall's time and runs `rate` times as fast as the wall.

    `saved` is what `save` was given last; wall time that passed in between counts at rate 1.
    """

    def __init__(
        self,
        saved: Saved | None = None,
        save: Callable[[Saved], None] = lambda saved: None,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._save_to = save
        self._wall = wall
        self._changed = asyncio.Event()
        self._anchor_wall = self._last_wall = wall()
        self._anchor = self._anchor_wall
        self._rate = 1.0
        if saved is not None:
            self._rate = saved["rate"]
            passed = self._anchor_wall - saved["wall"]
            unsaved = _UNSAVED * self._rate if self._rate != 1.0 else 0.0
            self._anchor = saved["time"] + max(passed, unsaved)
        self._save()

    @property
    def rate(self) -> float:
        """Seconds of this clock in one second of the wall."""
        return self._rate

    def now(self) -> float:
        """Return the present in epoch seconds; never less than before, even if the wall is set back."""
        wall = self._wall()
        self._anchor_wall += min(wall - self._last_wall, 0.0)
        self._last_wall = wall
        due = self._rate != 1.0 and wall - self._anchor_wall >= _SAVE_EVERY
        present = self._anchor + (wall - self._anchor_wall) * self._rate
        if due:
            self._move_anchor(wall, present)
        return present

    def set_rate(self, rate: float) -> None:
        """Run at another rate from now on; sleepers take it into account at once."""
        if rate <= 0:
            raise ValueError("a clock runs forwards")
        present = self.now()
        self._rate = rate
        self._move_anchor(self._wall(), present)
        self._changed.set()
        self._changed = asyncio.Event()

    async def sleep_until(self, when: float) -> None:
        """Return as soon as `now()` is at least `when`."""
        while (left := when - self.now()) > 0:
            changed = self._changed
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), left / self._rate)

    def _move_anchor(self, wall: float, present: float) -> None:
        self._anchor_wall, self._anchor = wall, present
        self._save()

    def _save(self) -> None:
        self._save_to({"wall": self._anchor_wall, "time": self._anchor, "rate": self._rate})
