"""Talking: freely for a while, or in turn; each speaker has the floor for so many seconds and no longer."""

from __future__ import annotations

from engine import dice
from engine.events import OrderOpened, RoundOpened, SpeechOpened, TalkOpened
from engine.game import Ask, Game, Step
from engine.play import Play
from engine.rights import END_SPEECH, ORDER, READY, has_the_floor, running
from engine.steps.kind import StepKind, StepView, begin, end, head, passing


def _open_round(play: Play, step: Step) -> None:
    """The day's talk: free, or one speech for each living seat."""
    end(play)
    if play.options.speech == "free":
        play.plan(Step("talk", phase=step.phase))
        return
    sheriff = play.game.offices.get("sheriff")
    if sheriff and play.options.sheriff_speaks_last:
        play.plan(Step("order", name=ORDER.action, phase=step.phase, seats=(sheriff,)))
        return
    start = _first_speaker(play)
    _speak(play, step.phase, tuple(seat for seat in play.game.clockwise(start) if _has_a_turn(play.game, seat)))


def _speak(play: Play, phase: str, order: tuple[int, ...]) -> None:
    play.emit(RoundOpened("everybody", order[0], order))
    play.plan(*(Step("speech", name="talk", phase=phase, seats=(seat,)) for seat in order))


def _open_order(play: Play, step: Step) -> None:
    (sheriff,) = step.seats
    opened = begin(play, step, play.options.vote_s, (Ask(sheriff, ORDER.action),))
    play.emit(OrderOpened("everybody", opened.serial, sheriff, opened.deadline))


def _close_order(play: Play, step: Step) -> None:
    """From his left neighbour on clockwise, or from his right the other way; himself last (E16)."""
    end(play)
    (sheriff,) = step.seats
    if play.game.offices.get("sheriff") != sheriff:
        play.plan(Step("round", phase=step.phase))
        return
    chosen = next((ask.answer for ask in step.asks), None)
    round_him = play.game.clockwise(sheriff)
    order = round_him[::-1] if chosen == ("right",) else (*round_him[1:], sheriff)
    _speak(play, step.phase, tuple(seat for seat in order if _has_a_turn(play.game, seat)))


def _first_speaker(play: Play) -> int:
    """Left of the lowest of the night's dead; else left of the last start; on day 1 chance draws (C22)."""
    game = play.game
    if game.night_dead:
        return game.left_of(min(game.night_dead))
    if game.speech_start:
        return game.left_of(game.speech_start)
    return dice.pick(game.living(), game.seed, game.day, "first speaker")


def _has_a_turn(game: Game, seat: int) -> bool:
    """Who has come back from a lynching has none: he claims the floor when he likes (H13)."""
    return game.is_living(seat) and "returned" not in game.seat(seat).marks


def _open_talk(play: Play, step: Step) -> None:
    asks = tuple(Ask(seat, READY.action) for seat in play.game.living())
    opened = begin(play, step, play.options.talk_s, asks)
    play.emit(TalkOpened("everybody", opened.serial, opened.deadline))


def _open_speech(play: Play, step: Step) -> None:
    seat = step.seats[0]
    last_words = step.name == "last_words"
    if not last_words and not (play.game.takes_part(seat) and has_the_floor(play.game, step, seat)):
        end(play)
        return
    seconds = play.options.last_words_s if last_words else play.options.speech_s
    opened = begin(play, step, seconds, (Ask(seat, END_SPEECH.action),))
    after = _next_speakers(play.game)
    play.emit(SpeechOpened("everybody", opened.serial, step.name, seat, after, opened.deadline))


def _next_speakers(game: Game) -> tuple[int, ...]:
    """Who has the floor after the present speaker, as planned so far."""
    name = game.agenda[0].name
    planned = [step for step in game.agenda[1:] if step.kind == "speech" and step.name == name]
    return tuple(
        seat
        for step in planned
        for seat in step.seats
        if game.takes_part(seat) and has_the_floor(game, step, seat)
    )


def _close(play: Play, _step: Step) -> None:
    end(play)


def _order_view(_game: Game, step: Step) -> StepView:
    return StepView(*head(step), speaker=step.seats[0])


def _talk_view(_game: Game, step: Step) -> StepView:
    return StepView(*head(step), ready=tuple(ask.seat for ask in step.asks if ask.answer))


def _speech_view(game: Game, step: Step) -> StepView:
    return StepView(*head(step), speaker=step.seats[0], after=_next_speakers(game), candidates=running(game))


ROUND = passing(_open_round)
ORDER_OF_SPEECH = StepKind(_open_order, _close_order, _order_view)
TALK = StepKind(_open_talk, _close, _talk_view)
SPEECH = StepKind(_open_speech, _close, _speech_view)
