"""What can go wrong between the bot and Telegram: rate limits, and faults ordered by a test."""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from infra.local.errors import ApiError, forbidden, too_many

_MINUTE = 60.0


@dataclass(frozen=True)
class Limits:
    """How many messages and edits a group takes in a minute; `burst` more are let through."""

    sends: int = 20
    edits: int = 20
    burst: int = 1


TELEGRAMS_LIMITS = Limits()


class Gauge:
    """Counts sends and edits of each group over the last minute."""

    def __init__(self, limits: Limits | None, now: Callable[[], float]) -> None:
        self._limits = limits
        self._now = now
        self._seen: dict[tuple[int, str], deque[float]] = {}

    def count(self, chat_id: int, kind: str) -> None:
        """Count one of "sends" or "edits", or raise 429 with the seconds until the next is let through."""
        if self._limits is None or chat_id > 0:
            return
        allowed = (self._limits.sends if kind == "sends" else self._limits.edits) + self._limits.burst
        seen = self._seen.setdefault((chat_id, kind), deque())
        now = self._now()
        while seen and seen[0] <= now - _MINUTE:
            seen.popleft()
        if len(seen) >= allowed:
            raise too_many(max(1, math.ceil(seen[0] + _MINUTE - now)))
        seen.append(now)


@dataclass(frozen=True)
class Fault:
    """What the next call of a method, in one chat or in any, meets instead of its ordinary course."""

    method: str
    chat_id: int | None
    error: ApiError | None


@dataclass
class Faults:
    """Faults that wait for their call, each used once, in the order they were ordered."""

    waiting: list[Fault] = field(default_factory=list)

    def refuse(self, method: str, error: ApiError, chat_id: int | None = None, times: int = 1) -> None:
        """Answer the next calls with an error instead of carrying them out."""
        self.waiting += [Fault(method, chat_id, error)] * times

    def too_many(self, method: str, retry_after: int, chat_id: int | None = None) -> None:
        """Answer the next call with 429."""
        self.refuse(method, too_many(retry_after), chat_id)

    def forbidden(self, method: str, chat_id: int | None = None) -> None:
        """Answer the next call with 403, as if the user had blocked the bot."""
        self.refuse(method, forbidden("bot was blocked by the user"), chat_id)

    def broken(self, method: str, chat_id: int | None = None, times: int = 1) -> None:
        """Answer the next calls with 500."""
        self.refuse(method, ApiError(500, "Internal Server Error"), chat_id, times)

    def drop(self, method: str, chat_id: int | None = None) -> None:
        """Carry the next call out, then close the connection without an answer."""
        self.waiting.append(Fault(method, chat_id, None))

    def take(self, method: str, chat_id: int | None) -> Fault | None:
        """Return the fault this call meets, and forget it."""
        for fault in self.waiting:
            if fault.method == method and fault.chat_id in (None, chat_id):
                self.waiting.remove(fault)
                return fault
        return None
