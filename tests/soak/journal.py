"""What happened in a game, written down as it happens: what was committed, what was sent on whose account.

Whatever can be seen to be wrong at that very moment is a problem.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import msgspec

from engine import Setup
from handlers import settings
from handlers.chats import ChatRow
from handlers.outbox import recipient
from handlers.record import AnyEffect, Archive, LobbyCard, SettingsCard, Table, unpack
from infra.ports import Item
from tests.soak.functions import Decided, Invocation

NOT_HEARD_OF = 0
"""Stands for the status of a call that was carried out, and its answer lost."""

MOVED = 301
"""Stands for a 400 that names the chat's new id."""

SENDS = ("sendMessage", "editMessageText", "editMessageReplyMarkup")
GONE = ("killed", "failed")

Name = tuple[str, int]
"""A table's id and an effect's place in its order."""


@dataclass(frozen=True)
class Sent:
    """A message, new or edited, that has arrived. recipient: a seat, 0 for the group. again: it had before."""

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
        self.lobby: Table | None = None
        self.commands: list[Decided] = []
        self.sent: list[Sent] = []
        self.archived: set[str] = set()
        self.writes = 0
        self.repeated = 0
        self.latest = 0.0
        self._pointed = ""
        self._tables: dict[str, Table] = {}
        self._deliveries = 0
        self._first: dict[Name, int] = {}
        self._done: dict[Name, Invocation] = {}
        self._last: dict[tuple[str, int], int] = {}

    # Writes ----------------------------------------------------------------------------------------------

    def wrote(self, run: Invocation, before: Item | None, item: Item, judged: list[Decided]) -> None:
        """A row stands. A chat's pointer says which table is its own."""
        if item.key.startswith("CHAT#"):
            self._pointed = msgspec.json.decode(item.body, type=ChatRow).table
        if not item.key.startswith("TABLE#"):
            return
        self.writes += 1
        table = unpack(item.body)
        old = self._tables.get(table.id)
        self._tables[table.id] = table
        if old is None or before is None:
            return
        if old.phase == "lobby" and table.phase == "playing":
            self.lobby = old
        elif table.game != old.game:
            self.commands += [decided for decided in judged if decided.events]
        left = {effect.seq for effect in table.outbox}
        for effect in old.outbox:
            if (
                effect.seq in left
                or (table.id, effect.seq) in run.sent
                or _taken_back(effect)
                or self._is_kept(effect, old)
            ):
                continue
            self.problems.append(f"effect {effect.seq} ({type(effect).__name__}) was taken off and not sent")
        if old.phase == "playing":
            never = set(range(old.next_seq, table.next_seq)) - left
            self.problems += [f"effect {seq} was never in the record" for seq in sorted(never)]
        run.sent &= {(table.id, seq) for seq in left}

    @property
    def table(self) -> Table | None:
        """The group's table as it is stored."""
        return self._tables.get(self._pointed)

    def put(self, table: Table) -> None:
        """A table is written by no function."""
        self._tables[table.id] = table

    def _is_kept(self, effect: AnyEffect, table: Table) -> bool:
        """Say whether this was a day's events, and they are in a row of their own."""
        if not isinstance(effect, Archive):
            return False
        if all((day.day, day.part) != (effect.day, effect.part) for day in table.today):
            return True
        part = f".{effect.part:02}" if effect.part else ""
        return f"GAME#{effect.game:04}#{effect.day:03}{part}" in self.archived

    def setup(self) -> Setup:
        """What the game was dealt from."""
        table = self.lobby
        assert table is not None
        return Setup(book=table.book, seats=len(table.people), options=table.options, deck=settings.deck(table))

    # Calls -----------------------------------------------------------------------------------------------

    def delivers(self, run: Invocation, effect: AnyEffect, table: Table) -> None:
        """An effect is going to be sent."""
        self._deliveries += 1
        run.effect, run.of, run.delivery = effect, table.id, self._deliveries

    def delivered(self, run: Invocation, effect: AnyEffect, sent: bool) -> None:
        """An effect was sent, or must wait."""
        run.effect = None
        if sent:
            run.sent.add((run.of, effect.seq))
            self._done[run.of, effect.seq] = run

    def called(self, run: Invocation, method: str, params: dict[str, Any], status: int) -> None:
        """A call was carried out or refused."""
        effect = run.effect
        if effect is None or method not in SENDS or status not in (200, NOT_HEARD_OF, 400, 403):
            return
        # What was refused for good is done with; if its drainer dies, it may be taken the next time.
        again = self._first.setdefault((run.of, effect.seq), run.delivery) != run.delivery
        if again:
            self._sent_again(run, effect)
        else:
            self._in_order(run.of, effect)
        text = str(params.get("text", ""))
        if status in (200, NOT_HEARD_OF):
            self.sent.append(Sent(run.at, effect.seq, recipient(effect), method, text, effect, again))

    def _sent_again(self, run: Invocation, effect: AnyEffect) -> None:
        self.repeated += 1
        if all(other.seq != effect.seq for other in self._tables[run.of].outbox):
            self.problems.append(f"effect {effect.seq} was sent again after its tick")
        by = self._done.get((run.of, effect.seq))
        if by is not None and by.over not in GONE:
            self.problems.append(f"effect {effect.seq} was sent again, and who sent it first still lives")

    def _in_order(self, table: str, effect: AnyEffect) -> None:
        if isinstance(effect, LobbyCard | SettingsCard):
            return
        to = (table, recipient(effect))
        last = self._last.get(to, 0)
        if effect.seq < last:
            self.problems.append(f"effect {effect.seq} reached {to[1]} after {last}")
        self._last[to] = max(effect.seq, last)


def _taken_back(effect: AnyEffect) -> bool:
    """Edits of a lobby's messages that wait are replaced by later ones."""
    return isinstance(effect, LobbyCard | SettingsCard) and not effect.new
