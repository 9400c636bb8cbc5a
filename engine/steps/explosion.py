"""A wolf blows himself up: he dies at once, the day is cut short, and night falls (E6–E14, E33)."""

from __future__ import annotations

from engine import deaths
from engine.events import CutShort
from engine.game import Game, Step
from engine.options import thaw
from engine.play import Play
from engine.steps.dawn import name_the_dead
from engine.steps.kind import end, passing


def _explode(play: Play, step: Step) -> None:
    """What the dead are still asked is finished first; only then night falls (E9)."""
    (wolf,) = step.seats
    end(play)
    game = play.game
    unnamed = any(planned.kind == "dawn" for planned in game.agenda)
    play.emit(CutShort("everybody", _election(game)))
    if unnamed:
        name_the_dead(play, apart=(wolf,))
    if not play.game.over:
        deaths.strike(play, [(wolf, "explode")], "explode")
        deaths.settle(play)


def _election(game: Game) -> str:
    """What becomes of an election under way: so many of them broken off, and the badge is gone for good (E8)."""
    if game.phase != "election" or game.election.over or game.cut_short:
        return ""
    last = game.election.broken + 1 >= thaw(game.options).explode_destroys_badge_after
    return "destroyed" if last else "postponed"


EXPLOSION = passing(_explode)
