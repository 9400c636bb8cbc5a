"""What happened in a game, written down as it happens: what was committed, what was sent on whose account.

Whatever can be seen to be wrong at that very moment is a problem.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from engine import Setup
from handlers import settings
from handlers.outbox import recipient
from handlers.record import AnyEffect, Archive, LobbyCard, SettingsCard, Table, unpack
from infra.ports import Item
from tests.soak.functions import Decided, Invocation

NOT_HEARD_OF = 0
"""Stands for the status of a call that was carried out, and its answer lost."""

SENDS = ("sendMessage", "editMessageText", "editMessageReplyMarkup")
GONE = ("killed", "failed")


@dataclass(frozen=True)
class Sent:
    """A message, new or edited, that has arrived. recipient: a seat, 0 for the group. again: not for the first time."""

    at: float
    seq: int
    recipient: int
    method: str
    text: str
    effect: AnyEffect
    again: bool


class Journal:
    """Of one game: of its table, the deal, the commands that were committed, and what was sent."""

    def __init__(self) -> None:
        self.faults: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.problems: list[str] = []
        self.table: Table | None = None
        self.lobby: Table | None = None
        self.commands: list[Decided] = []
        self.sent: list[Sent] = []
        self.archived: set[str] = set()
        self.writes = 0
        self.repeated = 0
        self._deliveries = 0
        self._first: dict[int, int] = {}
        self._done: dict[int, Invocation] = {}
        self._last: dict[int, int] = {}

    # Writes ----------------------------------------------------------------------------------------------

    def wrote(self, run: Invocation, before: Item | None, item: Item, judged: list[Decided]) -> None:
        """A row of a table stands."""
        if not item.key.startswith("TABLE#"):
            return
        self.writes += 1
        table, old = unpack(item.body), self.table
        self.table = table
        if old is None or before is None:
            return
        if old.phase == "lobby" and table.phase == "playing":
            self.lobby = old
        elif table.game != old.game:
            self.commands += [decided for decided in judged if decided.events]
        left = {effect.seq for effect in table.outbox}
        for effect in old.outbox:
            if effect.seq in left or effect.seq in run.sent or _taken_back(effect) or self._is_kept(effect, old):
                continue
            self.problems.append(f"effect {effect.seq} ({type(effect).__name__}) was taken off and not sent")
        run.sent &= left

    def _is_kept(self, effect: AnyEffect, table: Table) -> bool:
        """Say whether this was a day's events, and they are in a row of their own."""
        if not isinstance(effect, Archive) or not any(day.day == effect.day for day in table.today):
            return isinstance(effect, Archive)
        return f"GAME#{effect.game:04}#{effect.day:03}" in self.archived

    def setup(self) -> Setup:
        """What the game was dealt from."""
        table = self.lobby
        assert table is not None
        return Setup(book=table.book, seats=len(table.people), options=table.options, deck=settings.deck(table))

    # Calls -----------------------------------------------------------------------------------------------

    def delivers(self, run: Invocation, effect: AnyEffect) -> None:
        """An effect is going to be sent."""
        self._deliveries += 1
        run.effect, run.delivery = effect, self._deliveries

    def delivered(self, run: Invocation, effect: AnyEffect, sent: bool) -> None:
        """An effect was sent, or must wait."""
        run.effect = None
        if sent:
            run.sent.add(effect.seq)
            self._done[effect.seq] = run

    def called(self, run: Invocation, method: str, params: dict[str, Any], status: int) -> None:
        """A call was carried out or refused."""
        effect = run.effect
        if effect is None or method not in SENDS or status not in (200, NOT_HEARD_OF):
            return
        again = self._first.setdefault(effect.seq, run.delivery) != run.delivery
        if again:
            self._sent_again(run, effect)
        self._in_order(effect, again)
        text = str(params.get("text", ""))
        self.sent.append(Sent(run.at, effect.seq, recipient(effect), method, text, effect, again))

    def _sent_again(self, run: Invocation, effect: AnyEffect) -> None:
        self.repeated += 1
        pending = self.table is not None and any(other.seq == effect.seq for other in self.table.outbox)
        if not pending:
            self.problems.append(f"effect {effect.seq} was sent again after its tick")
        by = self._done.get(effect.seq)
        if by is not None and by.over not in GONE:
            self.problems.append(f"effect {effect.seq} was sent again, and who sent it first still lives")

    def _in_order(self, effect: AnyEffect, again: bool) -> None:
        if isinstance(effect, LobbyCard | SettingsCard) or again:
            return
        to = recipient(effect)
        if effect.seq < self._last.get(to, 0):
            self.problems.append(f"effect {effect.seq} reached {to} after {self._last[to]}")
        self._last[to] = max(effect.seq, self._last.get(to, 0))


def _taken_back(effect: AnyEffect) -> bool:
    """Edits of a lobby's messages that wait are replaced by later ones."""
    return isinstance(effect, LobbyCard | SettingsCard) and not effect.new
