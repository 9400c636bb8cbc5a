"""Turns: once round the table from the mayor, each seat may do something, or leave it undone."""

from __future__ import annotations

from msgspec.structs import replace

from engine.events import RoundOpened, TurnOpened
from engine.game import Ask, Game, Intent, Option, Step
from engine.houses import from_the_mayor, mayor
from engine.play import Play
from engine.prompts import ability_of
from engine.rights import END_SPEECH
from engine.steps.kind import (
    StepKind,
    StepView,
    answer_for_the_silent,
    begin,
    end,
    head,
    passing,
    prompt_privately,
)


def _open_circle(play: Play, step: Step) -> None:
    """Everybody who has not left has a turn, or the floor, clockwise from the mayor; dead seats too (B-21)."""
    end(play)
    order = from_the_mayor(play.game)
    if step.name != END_SPEECH.action:
        play.plan(*(Step("turn", name=step.name, phase=step.phase, seats=(seat,)) for seat in order))
        return
    play.emit(RoundOpened("everybody", order[0], order))
    play.plan(*(Step("speech", name="talk", phase=step.phase, seats=(seat,)) for seat in order))


def _open_turn(play: Play, step: Step) -> None:
    """A turn without a seat is the mayor's. It is passed over where there is nothing to do."""
    seats = step.seats or (mayor(play.game),)
    seat, ability = seats[0], ability_of(step.name)
    if play.game.seat(seat).gone or not ability.asked(play.game, seat):
        end(play)
        return
    opened = begin(play, replace(step, seats=seats), ability.seconds(play.options), (Ask(seat, step.name),))
    after = _next_turns(play.game)
    play.emit(TurnOpened("everybody", opened.serial, step.name, seat, after, opened.deadline))
    prompt_privately(play, opened)


def _next_turns(game: Game) -> tuple[int, ...]:
    """Whose turn the same thing is after the present one, as it stands now."""
    step = game.agenda[0]
    return tuple(
        later.seats[0]
        for later in game.agenda[1:]
        if later.kind == step.kind
        and later.name == step.name
        and not game.seat(later.seats[0]).gone
        and ability_of(step.name).asked(game, later.seats[0])
    )


def _turn_options(game: Game) -> tuple[Option, ...]:
    """What can be chosen in the present turn, as everybody can work out: seats, houses, or yes."""
    step = game.agenda[0]
    return ability_of(step.name).options(game, step.seats[0])


def _close_turn(play: Play, step: Step) -> None:
    answer_for_the_silent(play, step)
    ability = ability_of(step.name)
    intents = tuple(Intent(ask.seat, ask.action, ask.answer) for ask in play.game.agenda[0].asks if ask.answer)
    if ability.settle:
        ability.settle(play, intents)
    end(play)


def _view(game: Game, step: Step) -> StepView:
    return StepView(*head(step), speaker=step.seats[0], after=_next_turns(game), candidates=_turn_options(game))


CIRCLE = passing(_open_circle)
TURN = StepKind(_open_turn, _close_turn, _view)
