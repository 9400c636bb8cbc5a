"""The two cards that go from seat to seat for everybody to see: the Welcome card and the Sage's."""

from __future__ import annotations

from engine.events import OfficePassed
from engine.game import Game, Step
from engine.play import Play
from engine.steps.kind import end, passing

WELCOME = "welcome"
SAGE = "sage"


def _pass_welcome(play: Play, _step: Step) -> None:
    """One of the night's dead takes it; with none it stays, or somebody living has it first (L1, L2)."""
    end(play)
    game = play.game
    if game.night_dead:
        play.emit(OfficePassed("everybody", WELCOME, play.pick(game.night_dead, WELCOME)))
    elif WELCOME not in game.offices:
        by_chance = play.options.first_welcome == "random"
        holder = play.pick(game.living(), WELCOME) if by_chance else game.living()[0]
        play.emit(OfficePassed("everybody", WELCOME, holder))


def _pass_sage(play: Play, _step: Step) -> None:
    """Before the first night there is a first Sage; every dawn the card goes on to the left (L26)."""
    end(play)
    if not play.options.sage:
        return
    game = play.game
    if game.day:
        play.emit(OfficePassed("everybody", SAGE, _next_sage(play, game)))
        return
    by_chance = play.options.sage_first == "random"
    first = game.offices.get(SAGE) or (play.pick(game.living(), SAGE) if by_chance else 1)
    play.emit(OfficePassed("everybody", SAGE, first))


def _next_sage(play: Play, game: Game) -> int:
    present = game.offices[SAGE]
    if play.options.sage_passes_to == "living":
        return game.left_of(present)
    return next((seat for seat in game.clockwise(present)[1:] if not game.seat(seat).gone), present)


def replace_sage(play: Play) -> None:
    """A Sage who dies or leaves by day hands the card on at once (L31); at night it waits for the dawn."""
    game = play.game
    if not play.options.sage or game.phase == "night":
        return
    sage = game.seat(game.offices[SAGE])
    if sage.gone or (not sage.alive and play.options.sage_passes_to == "living"):
        play.emit(OfficePassed("everybody", SAGE, _next_sage(play, game)))


def may_keep_time(game: Game, actor: int | str, step: Step, sage: bool) -> bool:
    """Say who may skip and extend: the host, or the Sage alone – but nobody while the night is counted (L26)."""
    if sage:
        return actor == game.offices[SAGE] and step.kind != "wave"
    return actor == "host"


WELCOME_CARD = passing(_pass_welcome)
SAGE_CARD = passing(_pass_sage)
