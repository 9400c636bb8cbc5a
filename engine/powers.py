"""Whether a seat can still do what its card says: the elder's curse takes the village's powers for good (N17)."""

from __future__ import annotations

from engine import night, roles
from engine.abilities import VILLAGE
from engine.game import Game
from engine.roles import elder


def has_power(game: Game, seat: int) -> bool:
    """Say whether what this seat plays has its power; only the village's roles can lose theirs."""
    return not game.cursed or roles.ROLES[game.seat(seat).role].camp != VILLAGE


def keeps_power(game: Game, seat: int) -> bool:
    """Say whether it will still have it once the night's dead are dead: the curse comes before shots (E25)."""
    cursing = any(
        elder.brings_the_curse(game, dying, cause) and not elder.survives(game, dying, cause)
        for dying, cause in night.doomed(game).items()
    )
    return has_power(game, seat) and (not cursing or roles.ROLES[game.seat(seat).role].camp != VILLAGE)
