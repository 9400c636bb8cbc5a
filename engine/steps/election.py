"""The election of a sheriff where one has to stand for it: who stands, what the candidates say, who is left.

It may come before the night's dead are named; they take part like everybody else, unknowing (E5).
"""

from __future__ import annotations

from engine.events import CandidacyOpened, CandidatesNamed, Prompted, Reminded, SheriffElected
from engine.game import Ask, Game, Step
from engine.play import Play
from engine.rights import ELECT, RUN, WITHDRAW, running
from engine.rulebooks import RULE_BOOKS
from engine.steps.kind import StepKind, StepView, answers, begin, end, head, passing

PHASE = "election"


def hustings(candidates: tuple[int, ...], round_: int) -> tuple[Step, ...]:
    """The candidates' speeches in seat order, and what comes of them; `round_` counts the votes before."""
    speeches = (Step("speech", name="candidacy", phase=PHASE, seats=(seat,)) for seat in candidates)
    return (*speeches, Step("election", phase=PHASE, seats=candidates, round=round_))


def elect(play: Play, leaders: tuple[int, ...]) -> None:
    """Who leads alone is sheriff; else nobody is, in this game."""
    play.emit(SheriffElected("everybody", leaders[0] if len(leaders) == 1 else 0, play.options.sheriff_weight))


def _open_candidacy(play: Play, step: Step) -> None:
    seats = play.game.living()
    opened = begin(play, step, play.options.vote_s, tuple(Ask(seat, RUN.action) for seat in seats))
    play.emit(CandidacyOpened("everybody", opened.serial, seats, opened.deadline))
    for seat in play.game.holders(RULE_BOOKS[play.game.book].unrevealed_candidates):
        play.emit(Reminded((seat,), seat, RUN.action))


def _close_candidacy(play: Play, step: Step) -> None:
    candidates = tuple(sorted(seat for seat, ask in answers(step, RUN.action).items() if ask.answer))
    play.emit(CandidatesNamed("everybody", step.serial, candidates))
    end(play)
    play.plan(*hustings(candidates, 0))
    if len(candidates) > 1:
        for seat in candidates:
            play.emit(Prompted((seat,), seat, (WITHDRAW.action,), step.serial))


def _decide(play: Play, step: Step) -> None:
    """Among several there is a vote; one alone is elected unopposed, and nobody is none (E2, E32)."""
    candidates = running(play.game)
    end(play)
    if len(candidates) > 1:
        play.plan(Step("ballot", name=ELECT.action, phase=PHASE, seats=candidates, round=step.round))
    else:
        elect(play, candidates)


def _view(_game: Game, step: Step) -> StepView:
    return StepView(
        *head(step),
        voters=tuple(ask.seat for ask in step.asks),
        voted=tuple(ask.seat for ask in step.asks if ask.given),
    )


CANDIDACY = StepKind(_open_candidacy, _close_candidacy, _view)
ELECTION = passing(_decide)
