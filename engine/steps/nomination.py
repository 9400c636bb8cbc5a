"""The nomination: seat by seat or all at once, everybody names in public whom he suspects, ghosts too."""

from __future__ import annotations

from msgspec.structs import replace

from engine import suspects
from engine.events import Nominated, NominationOpened, NomineeShown, Vote
from engine.game import Ask, Game, Step
from engine.play import Play
from engine.rights import NOMINATE
from engine.steps.kind import StepKind, StepView, begin, end, passing, voting


def _open(play: Play, step: Step) -> None:
    """One step for each turn, each with its own clock; or one a round for all."""
    end(play)
    nominee = suspects.nominee(play.game)
    if nominee is not None and play.options.owl_announced == "before":
        play.emit(NomineeShown("everybody", nominee))
    trial = suspects.trial(play.game)
    order = trial.order(play.game)
    at_once = play.options.nomination == "open"
    turns = (order,) if at_once else tuple((seat,) for seat in order)
    namings = (
        Step("naming", name=NOMINATE.action, phase=step.phase, seats=seats, round=number)
        for number in range(trial.rounds)
        for seats in turns
    )
    play.plan(*namings, Step("suspects"))


def _open_naming(play: Play, step: Step) -> None:
    """Who has left is passed over (L25)."""
    seats = tuple(seat for seat in step.seats if not play.game.seat(seat).gone)
    if not seats:
        end(play)
        return
    seconds = play.options.vote_s if play.options.nomination == "open" else play.options.turn_s
    asks = tuple(Ask(seat, NOMINATE.action) for seat in seats)
    opened = begin(play, replace(step, seats=seats), seconds, asks)
    play.emit(
        NominationOpened(
            "everybody",
            opened.serial,
            seats,
            _next_to_name(play.game),
            suspects.candidates(play.game),
            step.round,
            opened.deadline,
        )
    )


def _next_to_name(game: Game) -> tuple[int, ...]:
    """Who has a turn after the present one in this round."""
    present = game.agenda[0].round
    return tuple(
        seat
        for step in game.agenda[1:]
        if step.kind == "naming" and step.round == present
        for seat in step.seats
        if not game.seat(seat).gone
    )


def _close_naming(play: Play, step: Step) -> None:
    votes = tuple(Vote(ask.seat, ask.answer[0] if ask.answer else None, 1) for ask in step.asks)
    play.emit(Nominated("everybody", step.serial, step.round, votes))
    end(play)


def _view(game: Game, step: Step) -> StepView:
    return voting(game, step, suspects.candidates(game), abstain=True, after=_next_to_name(game))


NOMINATION = passing(_open)
NAMING = StepKind(_open_naming, _close_naming, _view)
