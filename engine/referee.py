"""`decide`: is the command legal? Then what it changes, and the agenda from there until somebody must answer."""

from __future__ import annotations

from itertools import chain

from engine import deaths, endings
from engine.audience import EVERYBODY, NOBODY
from engine.burghers import PLACE
from engine.commands import Answer, Command, Draw, Expel, Extend, Leave, Refused, Skip, Tick, Warn
from engine.departures import leave_office, leave_questions
from engine.events import (
    Answered,
    CallEnded,
    Event,
    Expired,
    Extended,
    Gone,
    Ready,
    Resumed,
    Skipped,
    Voted,
    Warned,
)
from engine.game import Ask, Game, Step
from engine.play import Play
from engine.prompts import ability_of, is_open, is_settled, normal, prompt, refusal, standing
from engine.rights import READY, RUN, is_ballot, is_public
from engine.roles.cupid import names_others
from engine.rulebooks import RULE_BOOKS
from engine.steps import KINDS, offices, verdict
from engine.steps.nightfall import draw_is_offered

LONGEST_EXTENSION = 3600


def decide(game: Game, command: Command, now: float) -> tuple[Event, ...] | Refused:
    """What a command leads to, or why to nothing.

    now: epoch seconds. A clock with nothing due, and an answer given twice, lead to no event.
    """
    if game.over:
        return Refused("over")
    play = Play(game, now)
    code = _carry_out(play, command)
    if code:
        return Refused(code)
    run(play)
    return tuple(play.events)


def _carry_out(play: Play, command: Command) -> str:
    match command:
        case Answer():
            return _answer(play, command)
        case Tick():
            return _tick(play)
        case Leave():
            return _leave(play, command.actor)
        case Skip():
            return _skip(play, command)
        case Extend():
            return _extend(play, command)
        case Warn():
            return _warn(play, command)
        case Expel():
            return _expel(play, command.seat, command.kind)
        case Draw():
            return _draw(play)


def run(play: Play) -> None:
    """Play the agenda until somebody must answer, a clock is running, or the game is over."""
    while not play.game.over:
        step = play.game.agenda[0]
        kind = KINDS[step.kind]
        if not step.is_open:
            kind.open(play, step)
        elif step.paused is not None:
            shift = play.now - step.paused
            audience = EVERYBODY if shift else NOBODY
            play.emit(Resumed(audience, step.serial, shift, step.deadline + shift))
        elif not step.simulated and is_settled(play.game, step):
            kind.close(play, step)
        else:
            return


def due_at(game: Game) -> float | None:
    """The next instant at which the clock has something to decide (epoch seconds); None in a finished game."""
    if not game.agenda or not (step := game.agenda[0]).is_open:
        return None
    instants = [step.deadline]
    instants += [call.ends for call in step.simulated]
    instants += [step.deadline - until for ask in step.asks if (until := _expires(game, step, ask))]
    return min(instants)


def _expires(game: Game, step: Step, ask: Ask) -> int:
    """How many seconds before its step an unanswered question ends; 0 if it ends with it."""
    return ability_of(ask.action).until if not ask.answer and is_open(game, step, ask) else 0


# Seats ---------------------------------------------------------------------------------------------------


def _answer(play: Play, command: Answer) -> str:
    game = play.game
    if not 1 <= command.actor <= len(game.seats):
        return "no_seat"
    step = game.agenda[0]
    asks = (ask for ask in chain(step.asks, standing(game)) if ask.seat == command.actor)
    ask = next((ask for ask in asks if ask.action == command.action), None)
    question = prompt(game, step, ask) if ask else None
    if command.serial is not None and command.serial != (question or step).serial:
        return "stale"
    if ask is None or question is None:
        return "not_asked" if game.seat(command.actor).alive else "dead"
    if not is_open(game, step, ask):
        return "answered" if ask.answer is not None else "late" if ask.done else "not_asked"
    if play.now >= question.deadline:
        return "late"
    if not question.allows(command.answer):
        return refusal(game, question, command.answer)
    answer = normal(question, command.answer)
    if answer != ask.answer:
        _record(play, step, ask, answer)
    return ""


def _record(play: Play, step: Step, ask: Ask, answer: tuple[int | str, ...]) -> None:
    ability = ability_of(ask.action)
    final = ability.final and bool(answer)
    counted = is_ballot(ask.action) or ask.action == RUN.action
    audience = EVERYBODY if is_public(play.options, ask.action) else ability.heard_by(play.game, ask.seat)
    play.emit(Answered(audience, ask.seat, ask.action, answer, final))
    if counted and not ask.given:
        play.emit(Voted("everybody", ask.seat, ask.action, step.serial))
    elif ask.action == READY.action or (ask.action == PLACE.action and not ask.given):
        play.emit(Ready("everybody", ask.seat, step.serial))
    if ability.told and answer:
        ability.told(play, ask.seat, answer)


def _leave(play: Play, seat: int) -> str:
    """A seat goes, by day or by night, and what follows from it follows at once (rulings 11, G4, G6)."""
    if not 1 <= seat <= len(play.game.seats):
        return "no_seat"
    if play.game.is_living(seat):
        _depart(play, seat, "left")
        return ""
    if play.game.seat(seat).gone:
        return "dead"
    play.emit(Gone("nobody", seat))
    leave_office(play, seat)
    leave_questions(play, (seat,))
    return ""


def _depart(play: Play, seat: int, cause: str) -> None:
    deaths.strike(play, [(seat, cause)], cause)
    deaths.settle(play)
    if not play.game.over:
        offices.replace_sage(play)
        verdict.replace_gone(play)


# The clock ---------------------------------------------------------------------------------------------


def _tick(play: Play) -> str:
    step = play.game.agenda[0]
    if play.now >= step.deadline:
        KINDS[step.kind].close(play, step)
        return ""
    for call in step.simulated:
        if play.now >= call.ends:
            play.emit(CallEnded("nobody", call.name))
    for ask in step.asks:
        until = _expires(play.game, step, ask)
        if until and play.now >= step.deadline - until:
            play.emit(Expired((ask.seat,), ask.seat, ask.action))
    return ""


# The table's authority -----------------------------------------------------------------------------------


def _skip(play: Play, command: Skip) -> str:
    if not offices.may_keep_time(play.game, command.actor, play.game.agenda[0], play.options.sage):
        return "not_offered"
    step = play.game.agenda[0]
    play.emit(Skipped("everybody", step.serial))
    KINDS[step.kind].close(play, step)
    return ""


def _extend(play: Play, command: Extend) -> str:
    if not offices.may_keep_time(play.game, command.actor, play.game.agenda[0], play.options.sage):
        return "not_offered"
    if not 1 <= command.seconds <= LONGEST_EXTENSION:
        return "seconds"
    step = play.game.agenda[0]
    deadline = step.deadline + command.seconds
    play.emit(Extended("everybody", step.serial, command.seconds, deadline))
    return ""


def _warn(play: Play, command: Warn) -> str:
    """The second warning expels; in some books the second of one kind (ruling 12, H32)."""
    if not play.game.is_living(command.seat):
        return _not_there(play.game, command.seat)
    warnings = play.game.seat(command.seat).warnings
    before = warnings.get(command.kind, 0) if play.options.warnings_by_kind else sum(warnings.values())
    play.emit(Warned("everybody", command.seat, command.kind, before + 1))
    if before + 1 >= play.options.warnings:
        return _expel(play, command.seat)
    return ""


def _expel(play: Play, seat: int, kind: str = "") -> str:
    """Where Cupid must not name his lovers, a `sentence` meets only him; whom it has missed it does not say."""
    if not play.game.is_living(seat):
        return _not_there(play.game, seat)
    if kind == "sentence" and RULE_BOOKS[play.game.book].cupid_keeps_silent and not names_others(play.game, seat):
        return "no_sentence"
    _depart(play, seat, "expelled")
    return ""


def _not_there(game: Game, seat: int) -> str:
    return "dead_target" if 1 <= seat <= len(game.seats) else "no_seat"


def _draw(play: Play) -> str:
    if not draw_is_offered(play.game.quiet):
        return "not_offered"
    endings.finish(play, "draw")
    return ""
