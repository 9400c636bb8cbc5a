"""Whether a seat can still do what its card says: the elder's curse takes the village's powers for good (N17)."""

from __future__ import annotations

from engine import night, roles
from engine.abilities import VILLAGE
from engine.game import Game
from engine.options import thaw


def has_power(game: Game, seat: int) -> bool:
    """Say whether what this seat plays has its power; only the village's roles can lose theirs."""
    return not game.cursed or roles.ROLES[game.seat(seat).role].camp != VILLAGE


def brings_the_curse(game: Game, seat: int, cause: str) -> bool:
    """Say whether this death of this seat costs the village its powers."""
    curses = roles.ROLES[game.seat(seat).role].curses
    return curses is not None and curses(game, seat, cause)


def may_shoot(game: Game, seat: int, cause: str) -> bool:
    """Say whether this death lets this seat shoot, power or not."""
    shoots = roles.ROLES[game.seat(seat).role].shoots
    return shoots is not None and shoots(thaw(game.options), cause)


def keeps_power(game: Game, seat: int) -> bool:
    """Say whether it will still have it once the night's dead are dead: the curse comes before shots (E25)."""
    cursing = any(brings_the_curse(game, dying, cause) for dying, cause in night.doomed(game).items())
    return has_power(game, seat) and (not cursing or roles.ROLES[game.seat(seat).role].camp != VILLAGE)
