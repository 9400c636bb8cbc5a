"""What a game costs: messages and edits in the group, writes, bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from infra.local.weather import TELEGRAMS_LIMITS
from tests.handlers.process import SENDS
from tests.handlers.stores import Measured
from tests.handlers.town import Town, town

MINUTE = 60.0


@dataclass(frozen=True)
class Cost:
    """Counts of one game; sizes are in bytes and the largest that occurred."""

    seconds: float
    group_sends: int
    group_edits: int
    busiest_sends: int
    busiest_edits: int
    private_sends: int
    private_edits: int
    calls: int
    refused: int
    presses: int
    writes: int
    record: int
    game_raw: int


class Meter:
    """Notes when the bot calls what."""

    def __init__(self, here: Town) -> None:
        self._now = here.clock.now
        self._call = here.world.call
        self.calls: list[tuple[float, str, int]] = []
        setattr(here.world, "call", self._noted)  # noqa: B010 - a method of this one world

    def _noted(self, method: str, params: Mapping[str, Any]) -> Any:
        if method in SENDS:
            self.calls.append((self._now(), method, int(params["chat_id"])))
        return self._call(method, params)

    def instants(self, chat: int, sends: bool) -> list[float]:
        """When something was sent to a chat, or edited there."""
        return [at for at, name, to in self.calls if to == chat and (name == "sendMessage") == sends]


def busiest(instants: list[float]) -> int:
    """The most that fell into any one minute."""
    return max((sum(start <= at < start + MINUTE for at in instants) for start in instants), default=0)


async def cost_of(members: int, seed: int, book: str = "classic") -> Cost:
    """Let the house play one game under Telegram's limits."""
    async with town(
        members, seed, Measured, direct=True, deal=bytes([seed]) * 32, limits=TELEGRAMS_LIMITS
    ) as here:
        assert isinstance(here.store, Measured)
        await here.open_lobby()
        here.change(book=book)
        # People take longer to sit down than this test does.
        here.clock.advance(2 * MINUTE)
        meter, puts, began = Meter(here), here.store.puts, here.clock.now()
        here.world.calls.clear()
        here.press(here.members[0], here.group, here.newest(here.group), "s")
        here.house_plays()
        raw = 0
        while not here.is_over():
            await here.deliver()
            if here.table().game:
                raw = max(raw, len(here.table().game))
            if not here.is_over():
                here.move_on()
        sends, edits = meter.instants(here.group, sends=True), meter.instants(here.group, sends=False)
        private = [name for _, name, chat in meter.calls if chat != here.group]
        return Cost(
            seconds=here.clock.now() - began,
            group_sends=len(sends),
            group_edits=len(edits),
            busiest_sends=busiest(sends),
            busiest_edits=busiest(edits),
            private_sends=private.count("sendMessage"),
            private_edits=len(private) - private.count("sendMessage"),
            calls=len(here.world.calls),
            refused=sum(call.error is not None and call.error.code == 429 for call in here.world.calls),
            presses=len(here.world.store.all("query")),
            writes=here.store.puts - puts,
            record=here.store.largest,
            game_raw=raw,
        )
