"""When a game is over, and who has won (rulings 8 and 9)."""

from __future__ import annotations

from collections.abc import Callable

from engine import rulebooks, seal
from engine.abilities import LOVERS, PIPER, VILLAGE, WEREHAMSTER, WOLVES
from engine.camps import camp_of, counted, goals, is_wolf, mixed_lovers, roles_are_final, sides, third_party
from engine.events import Ended
from engine.game import Fate, Game, Result
from engine.options import thaw
from engine.play import Play
from engine.roles import piper


def _piper(game: Game) -> bool:
    """A piper lives, and everybody else who lives is enchanted – also if there is nobody else (N6)."""
    pipers = game.holders(frozenset({piper.ROLE.name}))
    return bool(pipers) and set(game.living()) <= {*pipers, *piper.enchanted(game)}


def _lovers(game: Game) -> bool:
    """Lovers of opposite camps live, and nobody who is not of their party."""
    lovers = mixed_lovers(game)
    return bool(lovers) and set(lovers) <= set(game.living()) and set(counted(game)) <= set(third_party(game))


def _wolves(game: Game) -> bool:
    """Nobody but wolves lives; in some books it is enough that they are as many (G40), or that a side is gone."""
    living, options = counted(game), thaw(game.options)
    if living and all(is_wolf(game.seat(seat).role) for seat in living):
        return True
    wolves = [seat for seat in living if is_wolf(game.seat(seat).role) and camp_of(game, seat) == WOLVES]
    if not wolves or (options.white_wolf_must_fall and game.holders(frozenset({"white_wolf"}))):
        return False
    if options.wolves_win == "parity":
        return len(wolves) >= len(living) - len(wolves)
    if options.wolves_win == "sides" and roles_are_final(game):
        return any(not set(side) & set(living) for side in sides(game))
    return False


def _village(game: Game) -> bool:
    """No werewolf lives."""
    return not any(is_wolf(game.seat(seat).role) for seat in game.living())


def _werehamster(game: Game) -> bool:
    """The game would be over for wolves or village, and a werehamster lives (L24)."""
    lives = any(camp_of(game, seat) == WEREHAMSTER for seat in game.living())
    return lives and (_wolves(game) or _village(game))


_CONDITIONS: tuple[tuple[str, Callable[[Game], bool]], ...] = (
    (PIPER, _piper),
    (LOVERS, _lovers),
    (WEREHAMSTER, _werehamster),
    (WOLVES, _wolves),
    (VILLAGE, _village),
)
"""Asked in this order: of two that hold at once the first one wins."""


def check(play: Play) -> bool:
    """End the game if somebody has won, or as the book has it; say whether it is over."""
    game = play.game
    own = rulebooks.RULE_BOOKS[game.book].ending
    if own:
        ending = own.outcome(game)
        if ending:
            finish(play, ending)
        return bool(ending)
    if not game.living():
        finish(play, thaw(game.options).all_dead)
        return True
    for camp, holds in _CONDITIONS:
        if holds(game):
            finish(play, camp)
            return True
    return False


def finish(play: Play, camp: str) -> None:
    """End the game with this camp as the winner; `draw`: nobody has won."""
    game = play.game
    own = rulebooks.RULE_BOOKS[game.book].ending
    result = own.result(game, camp) if own else _by_camps(play, camp)
    play.emit(Ended("everybody", result, game.day, game.seed, seal.line(game)))


def _by_camps(play: Play, camp: str) -> Result:
    game = play.game
    fates = []
    for seat in game.seats:
        fate = seat.character.cause if not seat.alive else "alive"
        camps = goals(game, seat.number)
        gone = fate in ("left", "expelled") and not play.options.leavers_win
        fates.append(
            Fate(
                seat=seat.number,
                roles=tuple(card.role for card in seat.characters),
                camp=camp if camp in camps else camps[0],
                fate=fate,
                won=camp in camps and not gone,
            )
        )
    winners = tuple(fate.seat for fate in fates if fate.won)
    return Result(camp, winners, tuple(fates))
