"""The elder: has several lives against the wolves; killed by his own, he takes the village's powers with him."""

from __future__ import annotations

from engine.abilities import Role
from engine.events import Wounded
from engine.game import Game
from engine.options import thaw
from engine.play import Play

_COST_A_LIFE = ("wolves", "guard_and_heal")


def _lives(game: Game, seat: int) -> int:
    """How many of the wolves' attacks it takes to kill him."""
    return game.seat(seat).character.tokens.get("life", thaw(game.options).elder_lives)


def _survives(game: Game, seat: int, cause: str) -> bool:
    """An attack costs a life only, as does being protected and healed where that kills (E23)."""
    return cause in _COST_A_LIFE and _lives(game, seat) > 1


def _escapes(play: Play, seat: int, cause: str) -> bool:
    """Nobody is told that he has lost a life."""
    if not _survives(play.game, seat, cause):
        return False
    play.emit(Wounded("nobody", seat, _lives(play.game, seat) - 1))
    return True


def _healed(play: Play, seat: int) -> None:
    """The antidote leaves him one life, and does not take his last (N10)."""
    if _lives(play.game, seat) > 1:
        play.emit(Wounded("nobody", seat, 1))


def _brings_the_curse(game: Game, seat: int, cause: str) -> bool:
    """As the table «Elder dies of / curse?» has it; an attack that costs him a life only is no death."""
    return cause in thaw(game.options).elder_curse and not _survives(game, seat, cause)


ROLE = Role(name="elder", escapes=_escapes, curses=_brings_the_curse, healed=_healed)
