"""The werehamster: a camp of its own; the wolves and Death cannot kill it, being seen by a seer does (L16)."""

from __future__ import annotations

from engine.abilities import WEREHAMSTER, Role
from engine.game import Game
from engine.night import Ledger
from engine.play import Play


def _dies_if_seen(ledger: Ledger, game: Game, seat: int) -> None:
    """At the next dawn, also if the seer who saw it has died or left since."""
    if any(fact.about == seat and fact.occasion == "seer.check" for fact in game.facts):
        ledger.kill(seat, "seen")


def _escapes(_play: Play, _seat: int, cause: str) -> bool:
    return cause in ("wolves", "death")


ROLE = Role(name="werehamster", camp=WEREHAMSTER, escapes=_escapes, night=_dies_if_seen)
