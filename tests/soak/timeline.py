"""Time that passes only from one event to the next. What is due at one instant happens in the order it was put."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Generator

Deed = Callable[[], None]


class Pause:
    """What a running function waits for: so many seconds. There is no event loop: whoever drives it sees it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __await__(self) -> Generator[Pause, None, None]:
        yield self


class Timeline:
    """A clock and what is going to happen. `early`: what may also happen while something else is being done."""

    def __init__(self, now: float) -> None:
        self._now = now
        self._order = itertools.count()
        self._heap: list[tuple[float, int, Deed]] = []
        self._early: set[int] = set()
        self._taken: set[int] = set()

    def now(self) -> float:
        return self._now

    def at(self, when: float, deed: Deed, *, early: bool = False) -> None:
        """Let something happen at an instant; one that has passed means next."""
        number = next(self._order)
        if early:
            self._early.add(number)
        heapq.heappush(self._heap, (max(when, self._now), number, deed))

    def step(self) -> bool:
        """Let the next thing happen; say whether there was one."""
        while self._heap:
            when, number, deed = heapq.heappop(self._heap)
            self._early.discard(number)
            if number in self._taken:
                self._taken.discard(number)
                continue
            self._now = max(self._now, when)
            deed()
            return True
        return False

    def pull(self, within: float) -> bool:
        """Let the first of what may come early happen now, in the middle of something else."""
        due = [entry for entry in self._heap if entry[1] in self._early and entry[0] <= self._now + within]
        if not due:
            return False
        _, number, deed = min(due)
        self._early.discard(number)
        self._taken.add(number)
        deed()
        return True
