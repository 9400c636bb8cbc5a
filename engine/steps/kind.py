"""What a kind of step is: how it opens, how it closes, and what is seen of it while it waits for answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace

from engine.events import Answered, Closed, Opened, Prompted
from engine.game import Answer, Ask, Call, Game, Option, Step
from engine.options import thaw
from engine.play import Play
from engine.prompts import ability_of, drawn, is_open, prompt, standing
from engine.rights import ballot_weight, is_public


class StepView(Struct, frozen=True):
    """The open step as everybody sees it; what a kind of step does not have is empty.

    name: the action or kind of speech. calls: the roles called. speaker, after: whose turn it is, who is next; the
    sheriff while he gives it; in a nomination in turns who names somebody next.
    candidates, voters, voted: of a ballot; whose vote is void by now stays among those who have voted. candidates
    too while these speak; voters, voted too while it is asked who stands. weights: of the voters.
    abstain: may they. public, votes: where ballots are open.
    """

    kind: str
    name: str
    serial: int
    deadline: float
    calls: tuple[str, ...] = ()
    speaker: int = 0
    after: tuple[int, ...] = ()
    candidates: tuple[Option, ...] = ()
    voters: tuple[int, ...] = ()
    voted: tuple[int, ...] = ()
    public: bool = False
    votes: tuple[tuple[int, Answer], ...] = ()
    weights: dict[int, float] = {}
    round: int = 0
    abstain: bool = True
    ready: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StepKind:
    """open: begins the step, or does all there is to do and closes it. close: ends it, answered or not.

    view: the open step as everybody may see it (law 5).
    """

    open: Callable[[Play, Step], None]
    close: Callable[[Play, Step], None]
    view: Callable[[Game, Step], StepView]


def passing(do: Callable[[Play, Step], None]) -> StepKind:
    """A kind of step that does what there is to do, and waits for nobody."""
    return StepKind(do, do, bare)


def head(step: Step) -> tuple[str, str, int, float]:
    """What every view of a step begins with."""
    return step.kind, step.name, step.serial, step.deadline


def bare(_game: Game, step: Step) -> StepView:
    """No more than that it is open."""
    return StepView(*head(step))


def voting(
    game: Game, step: Step, candidates: tuple[Option, ...], abstain: bool, after: tuple[int, ...] = ()
) -> StepView:
    """A vote as everybody sees it: who has given his, and where votes are public what it is."""
    voters = tuple(ask.seat for ask in step.asks)
    public = is_public(thaw(game.options), step.name)
    return StepView(
        *head(step),
        after=after,
        candidates=candidates,
        voters=voters,
        voted=tuple(ask.seat for ask in step.asks if ask.given),
        public=public,
        votes=tuple((ask.seat, ask.answer) for ask in step.asks if ask.answer is not None) if public else (),
        weights={seat: ballot_weight(game, step, seat) for seat in voters},
        round=step.round,
        abstain=abstain,
    )


def begin(
    play: Play, step: Step, seconds: float, asks: tuple[Ask, ...], open_calls: tuple[Call, ...] = ()
) -> Step:
    """Open the first step of the agenda for so many seconds, with these questions; return it.

    A question that stands beside those of the steps, and belongs to this one, is put now.
    """
    opened = replace(
        step, serial=play.game.serial + 1, deadline=play.now + seconds, asks=asks, open_calls=open_calls
    )
    play.emit(Opened("nobody", opened))
    for ask in standing(play.game):
        if prompt(play.game, opened, ask).serial == opened.serial:
            play.emit(Prompted((ask.seat,), ask.seat, (ask.action,), opened.serial))
    return opened


def end(play: Play) -> None:
    """Take the first step off the agenda."""
    play.emit(Closed("nobody", play.game.agenda[0].serial))


def prompt_privately(play: Play, step: Step) -> None:
    """Let each seat that is asked something know, and nobody else."""
    actions: dict[int, tuple[str, ...]] = {}
    for ask in step.asks:
        actions[ask.seat] = (*actions.get(ask.seat, ()), ask.action)
    for seat, asked in sorted(actions.items()):
        play.emit(Prompted((seat,), seat, asked, step.serial))


def answer_for_the_silent(play: Play, step: Step) -> None:
    """Who had to choose and did not has chosen what the question says itself, or what chance draws (ruling 4)."""
    for ask in step.asks:
        if ask.answer is None and is_open(play.game, step, ask):
            question = prompt(play.game, step, ask)
            if question.optional:
                continue
            default = ability_of(ask.action).default
            answer = default(play.game, ask.seat) if default else drawn(play.game, question)
            by_chance = default is None
            play.emit(Answered((ask.seat,), ask.seat, ask.action, answer, final=True, by_chance=by_chance))


def answers(step: Step, action: str) -> dict[int, Ask]:
    """The questions of that action by seat."""
    return {ask.seat: ask for ask in step.asks if ask.action == action}
