"""Whether a seat can still do what its card says: the elder's curse takes the village's powers for good (N17)."""

from __future__ import annotations

from engine import roles
from engine.abilities import VILLAGE
from engine.game import Game


def has_power(game: Game, seat: int) -> bool:
    """Say whether what this seat plays has its power; only the village's roles can lose theirs."""
    return not game.cursed or roles.ROLES[game.seat(seat).role].camp != VILLAGE
