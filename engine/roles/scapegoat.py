"""The scapegoat: dies of a tied lynch vote instead of the tied, and says who may vote the next day."""

from __future__ import annotations

from engine import powers
from engine.abilities import Ability, Role, living, never
from engine.events import VotersNamed
from engine.game import Game, Intent, Rank, seats_in
from engine.play import Play


def _all(game: Game, _seat: int) -> int:
    return len(game.living())


def _everybody(game: Game, _seat: int) -> tuple[int, ...]:
    return game.living()


def _says_who_votes(play: Play, intents: tuple[Intent, ...]) -> None:
    """Who has left, or was silent, forbids nobody to vote (G6, H26)."""
    living = play.game.living()
    for intent in intents:
        voters = seats_in(intent.answer) or living
        barred = tuple(seat for seat in living if seat not in voters)
        play.emit(VotersNamed("everybody", intent.seat, voters, barred, play.game.day + 1))


ALLOW = Ability(
    action="scapegoat.allow",
    options=living,
    most=_all,
    optional=never,
    default=_everybody,
    seconds=lambda options: options.vote_s,
    rank=Rank.ALLOW,
    settle=_says_who_votes,
)
"""At least one seat."""


def _dies_of_a_tie(game: Game, seat: int) -> bool:
    """Not if his power is gone (N23)."""
    return powers.has_power(game, seat)


ROLE = Role(name="scapegoat", abilities=(ALLOW,), dies_of_a_tie=_dies_of_a_tie)
