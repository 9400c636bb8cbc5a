"""The board: what is said aloud and what everybody has seen, kept for all players of a table alike.

Claims are words between players. The engine knows nothing of them, and nobody checks whether they are true.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from handlers.house.players.sight import events as e
from handlers.house.players.sight import owner_of


@dataclass(frozen=True)
class Finding:
    """A seat says of another that it is a wolf, or that it is none."""

    by: int
    about: int
    wolf: bool


@dataclass(frozen=True)
class Speech:
    """What a seat says: the role it claims (empty: none), what it has found, whom it would lynch (0: nobody)."""

    role: str = ""
    findings: tuple[Finding, ...] = ()
    accuses: int = 0


@dataclass
class Board:
    """What is public at one table.

    salt: the published hash of the deal, from which those who share a secret can draw alike. claims: role by
    seat. accused: by whom, today. votes: every vote for a seat in a ballot about a lynching, once it is shown.
    night_dead: whom a night has killed. lynched: whom the village has.
    """

    salt: str = ""
    claims: dict[int, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    accused: dict[int, int] = field(default_factory=dict)
    votes: list[tuple[int, int]] = field(default_factory=list)
    night_dead: set[int] = field(default_factory=set)
    lynched: set[int] = field(default_factory=set)

    def hear(self, happened: Iterable[e.Event]) -> None:
        """Take in what is public of what has happened."""
        for event in happened:
            if event.audience == "everybody":
                self._see(event)

    def _see(self, event: e.Event) -> None:
        match event:
            case e.Started():
                self.salt = event.fingerprint
            case e.NightFell():
                self.accused.clear()
            case e.BallotClosed() if event.action.startswith("vote."):
                self.votes += _against(event.votes)
            case e.Nominated():
                self.accused |= dict(_against(event.votes))
            case e.Fell():
                dead = {death.seat for death in event.deaths}
                if event.occasion == "night":
                    self.night_dead |= dead
                elif event.occasion == "lynch":
                    self.lynched |= dead

    def say(self, seat: int, speech: Speech) -> None:
        """A seat has spoken. A role is claimed once and for all."""
        if speech.role:
            self.claims.setdefault(seat, speech.role)
        self.findings += [finding for finding in speech.findings if finding not in self.findings]
        self.accused.pop(seat, None)
        if speech.accuses:
            self.accused[seat] = speech.accuses

    def claimants(self, role: str) -> tuple[int, ...]:
        """Who says to be this, dead or alive."""
        return tuple(seat for seat, claimed in self.claims.items() if claimed == role)

    def accusers(self, seat: int) -> int:
        """How many would lynch the seat today."""
        return sum(1 for accused in self.accused.values() if accused == seat)


def _against(votes: Iterable[e.Vote]) -> list[tuple[int, int]]:
    """Who has voted against which seat; a house stands for its owner."""
    cast = ((vote.seat, vote.choice) for vote in votes if vote.choice is not None)
    return [(seat, owner_of(choice)) for seat, choice in cast]
