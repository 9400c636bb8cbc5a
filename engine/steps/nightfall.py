"""Nightfall: the night and the day after it are planned as the book's script has them."""

from __future__ import annotations

from engine import endings
from engine.events import DrawOffered, NightFell
from engine.game import Step
from engine.play import Play
from engine.roles import ROLES
from engine.rulebooks import RULE_BOOKS
from engine.steps.kind import end, passing

QUIET_DAYS = 3
"""After so many days and nights without a death a draw is offered (G36)."""


def draw_is_offered(quiet: int) -> bool:
    """Say whether the host may call the game a draw; `quiet`: nightfalls since the last death."""
    return quiet > QUIET_DAYS


def _open(play: Play, _step: Step) -> None:
    end(play)
    if 0 < play.options.max_days <= play.game.day:
        endings.finish(play, "draw")
        return
    play.emit(NightFell("everybody", play.game.day + 1))
    for seat in play.game.living():
        for card in play.game.seat(seat).characters:
            told = ROLES[card.role].nightfall if card.alive else None
            if told:
                told(play, seat)
    if draw_is_offered(play.game.quiet):
        play.emit(DrawOffered("everybody", play.game.quiet - 1))
    play.plan(*RULE_BOOKS[play.game.book].script(play.game), Step("nightfall"))


NIGHTFALL = passing(_open)
