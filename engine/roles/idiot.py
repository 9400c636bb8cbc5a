"""The idiot: lynched, he turns his card over and lives on without a vote."""

from __future__ import annotations

from engine import powers
from engine.abilities import Role
from engine.events import TurnedOver
from engine.game import Game
from engine.play import Play


def _escapes(play: Play, seat: int, cause: str) -> bool:
    """The first lynching only turns his card over, as long as he has his power (N17, N18)."""
    if cause != "lynch" or "unvoiced" in play.game.seat(seat).marks or not powers.has_power(play.game, seat):
        return False
    play.emit(TurnedOver("everybody", seat, ROLE.name))
    return True


ROLE = Role(name="idiot", escapes=_escapes)


def turned_over(game: Game) -> tuple[int, ...]:
    """The living idiots whose card has been turned over."""
    return tuple(seat for seat in game.holders(frozenset({ROLE.name})) if "unvoiced" in game.seat(seat).marks)
