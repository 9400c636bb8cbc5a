"""The scapegoat: dies of a tied lynch vote instead of the tied, and says who may vote the next day."""

from __future__ import annotations

from engine import powers
from engine.abilities import Ability, Role, living, never
from engine.game import Game


def _all(game: Game, _seat: int) -> int:
    return len(game.living())


def _everybody(game: Game, _seat: int) -> tuple[int, ...]:
    return game.living()


ALLOW = Ability(action="scapegoat.allow", options=living, most=_all, optional=never, default=_everybody)
"""At least one seat; who is silent forbids nobody to vote (H26)."""

ROLE = Role(name="scapegoat", abilities=(ALLOW,))


def victim_of_a_tie(game: Game) -> int:
    """Who dies when a lynch vote is tied; 0 if there is nobody, or his power is gone (N23)."""
    return next((seat for seat in game.holders(frozenset({ROLE.name})) if powers.has_power(game, seat)), 0)
