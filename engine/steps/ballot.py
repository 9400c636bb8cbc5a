"""Ballots: everybody who may names one of the candidates; what the count means is the ballot's own affair."""

from __future__ import annotations

from msgspec.structs import replace

from engine import deaths
from engine.events import BallotClosed, BallotOpened, NobodyVotes, Vote
from engine.game import Ask, Game, Option, Step, place
from engine.options import thaw
from engine.play import Play
from engine.rights import ELECT, LYNCH, ballot_weight, candidates, voters
from engine.roles import ROLES
from engine.steps.election import elect, hustings
from engine.steps.kind import StepKind, StepView, begin, end, voting


def _open(play: Play, step: Step) -> None:
    having = voters(play.game)
    if not having:
        end(play)
        play.emit(NobodyVotes("everybody", step.name))
        return
    step = replace(step, among=len(play.game.living()))
    opened = begin(play, step, play.options.vote_s, tuple(Ask(seat, step.name) for seat in having))
    public = play.options.ballots == "open"
    play.emit(
        BallotOpened(
            "everybody",
            opened.serial,
            step.name,
            having,
            candidates(play.game),
            step.round,
            public,
            opened.deadline,
        )
    )


def _close(play: Play, step: Step) -> None:
    game = play.game
    votes = tuple(
        Vote(ask.seat, ask.answer[0] if ask.answer else None, ballot_weight(game, step, ask.seat))
        for ask in step.asks
    )
    count: dict[Option, float] = {}
    for vote in votes:
        if vote.choice is not None:
            count[vote.choice] = count.get(vote.choice, 0) + vote.weight
    ordered = tuple(sorted(count.items(), key=lambda named: (-named[1], place(named[0]))))
    leaders = tuple(seat for seat, weight in ordered if weight == ordered[0][1] and isinstance(seat, int))
    tied = step.name == LYNCH.action and len(leaders) > 1
    scapegoat = _victim_of_a_tie(game) if tied else 0
    again = () if scapegoat else _run_off(play, step, leaders)
    play.emit(
        BallotClosed("everybody", step.serial, step.name, step.round, votes, ordered, leaders, again=bool(again))
    )
    end(play)
    if again:
        play.plan(*again)
    elif step.name == ELECT.action:
        elect(play, leaders)
    elif scapegoat:
        _kill(play, scapegoat, "tie")
    elif len(leaders) == 1:
        _kill(play, leaders[0], "lynch")


def _victim_of_a_tie(game: Game) -> int:
    """Who dies of it in place of the tied; 0 for nobody."""
    return next((seat for seat in game.living() if ROLES[game.seat(seat).role].dies_of_a_tie(game, seat)), 0)


def _run_off(play: Play, step: Step, tied: tuple[int, ...]) -> tuple[Step, ...]:
    """What comes between a tie and its decision; nothing where the tie stands (C8–C10, C24)."""
    if len(tied) < 2:
        return ()
    ballot = Step("ballot", name=step.name, phase=step.phase, seats=tied, round=step.round + 1)
    if step.name == ELECT.action:
        if step.round:
            return ()
        return hustings(tied, step.round + 1) if play.options.sheriff_candidates else (ballot,)
    if play.options.tie == "none" or step.round >= play.options.tie_rounds:
        return ()
    speeches = (Step("speech", name="defence", phase=step.phase, seats=(seat,)) for seat in tied)
    return (*speeches, ballot)


def _kill(play: Play, seat: int, cause: str) -> None:
    deaths.strike(play, [(seat, cause)], cause)
    deaths.settle(play)


def _view(game: Game, step: Step) -> StepView:
    return voting(game, step, candidates(game), thaw(game.options).abstain)


BALLOT = StepKind(_open, _close, _view)
