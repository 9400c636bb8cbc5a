"""The freemasons: two of them, told of each other at the first nightfall (L15)."""

from __future__ import annotations

from engine.abilities import Role
from engine.play import Play


def _is_told(play: Play, seat: int) -> None:
    others = (other for other in play.game.holders(frozenset({ROLE.name})) if other != seat)
    facts = tuple((other, ROLE.name) for other in others)
    if play.game.day == 1 and facts:
        play.tell(seat, ROLE.name, *facts)


ROLE = Role(name="freemason", nightfall=_is_told)
