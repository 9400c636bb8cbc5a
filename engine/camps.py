"""Who wins with whom. A camp is asked for, never stored: love can change it."""

from __future__ import annotations

from engine import roles  # the roles ask for camps, and camps for roles: neither names the other at import
from engine.abilities import LOVERS, PIPER
from engine.game import Game
from engine.options import thaw


def is_wolf(role: str) -> bool:
    """Say whether it is a wolf's card. Others may win with the wolves; they are none."""
    return roles.ROLES[role].wolf


def pack(game: Game) -> tuple[int, ...]:
    """The living wolves, in seat order."""
    return tuple(seat.number for seat in game.seats if seat.alive and is_wolf(seat.role))


def mixed_lovers(game: Game) -> tuple[int, ...]:
    """The lovers, if one of them is a wolf and the other is not; it counts what they are, dead or alive."""
    if len([seat for seat in game.lovers if is_wolf(game.seat(seat).role)]) == 1:
        return game.lovers
    return ()


def camp_of(game: Game, seat: int) -> str:
    """The camp a seat belongs to. Mixed lovers have left their old camps for good (G39)."""
    if seat in mixed_lovers(game):
        return LOVERS
    return roles.ROLES[game.seat(seat).role].camp


def goals(game: Game, seat: int) -> tuple[str, ...]:
    """The camps that a seat wins with, its own first.

    Love takes no piper's own victory from him (N8). In some books Cupid wins with his lovers too, unless he is one
    of a mixed couple (E29).
    """
    own, role = camp_of(game, seat), game.seat(seat).role
    if own == LOVERS:
        return (LOVERS, PIPER) if roles.ROLES[role].camp == PIPER else (LOVERS,)
    if role == "cupid" and thaw(game.options).cupid_goal == "own_or_lovers":
        return tuple(dict.fromkeys((own, *(camp_of(game, lover) for lover in game.lovers))))
    return (own,)
