"""The medium: told at nightfall whether the seat executed the day before was a wolf (L14)."""

from __future__ import annotations

from engine import camps
from engine.abilities import Role
from engine.play import Play


def _is_told(play: Play, seat: int) -> None:
    """Of whom left, or if nobody was executed, there is nothing to tell."""
    executed = play.game.executed
    if executed:
        wolf = camps.is_wolf(play.game.seat(executed).role)
        play.tell(seat, ROLE.name, (executed, "wolf" if wolf else "not_wolf"))


ROLE = Role(name="medium", nightfall=_is_told)
