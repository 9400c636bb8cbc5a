"""Moving in: every seat places its two characters in its two houses, for the whole game (B-26, B-27)."""

from __future__ import annotations

from engine.burghers import PLACE
from engine.events import PlacingOpened
from engine.game import Ask, Game, Intent, Step
from engine.houses import town_of
from engine.play import Play
from engine.steps.kind import StepKind, StepView, answer_for_the_silent, begin, end, head, prompt_privately


def _open(play: Play, step: Step) -> None:
    settled = town_of(play.game).settled
    seats = tuple(seat for seat in play.game.living() if seat not in settled)
    if not seats:
        end(play)
        return
    opened = begin(play, step, play.options.place_s, tuple(Ask(seat, PLACE.action) for seat in seats))
    play.emit(PlacingOpened("everybody", opened.serial, seats, opened.deadline))
    prompt_privately(play, opened)


def _close(play: Play, step: Step) -> None:
    answer_for_the_silent(play, step)
    intents = tuple(Intent(ask.seat, ask.action, ask.answer) for ask in play.game.agenda[0].asks if ask.answer)
    end(play)
    if PLACE.settle:
        PLACE.settle(play, intents)


def _view(_game: Game, step: Step) -> StepView:
    return StepView(
        *head(step),
        voters=tuple(ask.seat for ask in step.asks),
        voted=tuple(ask.seat for ask in step.asks if ask.given),
    )


PLACING = StepKind(_open, _close, _view)
