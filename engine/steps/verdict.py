"""The verdict: the suspects defend themselves, then the others choose one of the two, all at once."""

from __future__ import annotations

from msgspec.structs import replace

from engine import deaths, suspects
from engine.events import BallotClosed, SuspectsNamed, SuspectsReplaced, VerdictOpened, Vote
from engine.game import Ask, Game, Option, Step, owner_of
from engine.options import thaw
from engine.play import Play
from engine.rights import VERDICT as JUDGE
from engine.rights import ballot_weight, is_public
from engine.steps import offices
from engine.steps.kind import StepKind, StepView, begin, end, passing, voting


def _name_suspects(play: Play, _step: Step) -> None:
    """The nomination is over."""
    end(play)
    game = play.game
    named = suspects.to_be_named(game)
    play.emit(SuspectsNamed("everybody", named, suspects.count(game), suspects.nominee(game) if named else None))
    if named:
        play.plan(Step("verdict", name=JUDGE.action, phase="verdict"))


def _open(play: Play, step: Step) -> None:
    """`candidates` of the step have had their defence; who has not yet has it first."""
    unheard = tuple(option for option in play.game.suspects if option not in step.candidates)
    if unheard:
        end(play)
        defences = (
            Step("speech", name="defence", phase="defence", seats=(owner_of(option),)) for option in unheard
        )
        play.plan(*defences, replace(step, candidates=(*step.candidates, *unheard)))
        return
    trial = suspects.trial(play.game)
    voters = tuple(seat for seat in play.game.living() if trial.ballots(play.game, seat))
    opened = begin(play, step, play.options.vote_s, tuple(Ask(seat, JUDGE.action) for seat in voters))
    play.emit(
        VerdictOpened(
            "everybody",
            opened.serial,
            voters,
            play.game.suspects,
            is_public(play.options, JUDGE.action),
            opened.deadline,
        )
    )


def replace_gone(play: Play) -> None:
    """For a suspect who has left, the next stands in his place; open ballots are given anew (L12, L29)."""
    game = play.game
    if not game.suspects:
        return
    standing = suspects.candidates(game)
    gone = tuple(option for option in game.suspects if option not in standing)
    if not gone:
        return
    remaining = tuple(option for option in game.suspects if option in standing)
    play.emit(SuspectsReplaced("everybody", gone, suspects.filled_up(game, remaining)))
    step = game.agenda[0]
    if step.kind == "verdict" and step.is_open:
        end(play)
        play.plan(Step("verdict", name=step.name, phase=step.phase, candidates=step.candidates))


def _close(play: Play, step: Step) -> None:
    game = play.game
    votes = tuple(vote for ask in step.asks for vote in _votes(play, step, ask))
    count: dict[Option, float] = {}
    for vote in votes:
        if vote.choice is not None:
            count[vote.choice] = count.get(vote.choice, 0) + vote.weight
    most = max(count.values(), default=0)
    nearest = suspects.trial(game).nearest(game)
    leaders = tuple(option for option in nearest if count.get(option) == most)
    ordered = tuple(sorted(count.items(), key=lambda named: (-named[1], nearest.index(named[0]))))
    play.emit(BallotClosed("everybody", step.serial, JUDGE.action, 0, votes, ordered, leaders, again=False))
    end(play)
    if leaders:
        _execute(play, leaders[0])


def _votes(play: Play, step: Step, ask: Ask) -> tuple[Vote, ...]:
    """Several ballots are for one suspect, or shared among those named."""
    ballots = ballot_weight(play.game, step, ask.seat)
    if not ask.answer:
        return (Vote(ask.seat, None, ballots),)
    return tuple(Vote(ask.seat, choice, ballots / len(ask.answer)) for choice in ask.answer)


def _execute(play: Play, suspect: Option) -> None:
    deaths.strike(play, [(suspect, "lynch")], "lynch")
    deaths.settle(play)
    if not play.game.over:
        offices.replace_sage(play)


def _view(game: Game, step: Step) -> StepView:
    return voting(game, step, game.suspects, thaw(game.options).abstain)


SUSPECTS = passing(_name_suspects)
VERDICT = StepKind(_open, _close, _view)
