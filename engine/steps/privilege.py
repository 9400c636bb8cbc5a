"""The mayor's privileges: each day he may peek or inspect, and lend the broom while he has it (B-15)."""

from __future__ import annotations

from engine.burghers import BROOM, PRIVILEGES, may_use_privileges
from engine.events import BroomLeft, PrivilegeOpened
from engine.game import Ask, Game, Step
from engine.houses import broom_is_in, mayor, town_of
from engine.play import Play
from engine.steps.kind import StepKind, StepView, begin, end, head, prompt_privately


def _open(play: Play, step: Step) -> None:
    if town_of(play.game).broom and not broom_is_in(play.game):
        play.emit(BroomLeft("everybody"))
    if not may_use_privileges(play.game):
        end(play)
        return
    seat = mayor(play.game)
    asks = tuple(Ask(seat, ability.action) for ability in PRIVILEGES if ability.asked(play.game, seat))
    opened = begin(play, step, play.options.privilege_s, asks)
    broom = any(ask.action == BROOM.action for ask in asks)
    play.emit(PrivilegeOpened("everybody", opened.serial, seat, broom, opened.deadline))
    prompt_privately(play, opened)


def _close(play: Play, _step: Step) -> None:
    end(play)


def _view(_game: Game, step: Step) -> StepView:
    return StepView(*head(step), speaker=step.asks[0].seat if step.asks else 0)


PRIVILEGE = StepKind(_open, _close, _view)
