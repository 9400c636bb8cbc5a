"""Leaks, planted: each makes the engine, or the words, tell what they must not. The comparison has to find it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

import engine
from engine import camps, deaths, events, views
from engine.game import Ask, Call, Due, Game, Rank, Step
from engine.play import Play
from engine.prompts import Prompt
from engine.steps import kind, reaction, speech, wave
from handlers.wording import private, public
from tests.engine.entitled.transcripts import Render

Plant = Callable[[pytest.MonkeyPatch], None]


def waiting_list(patch: pytest.MonkeyPatch) -> None:
    """The public view says who still owes an answer in a wave."""
    seen_by_all = views._step

    def leaky(game: Game) -> kind.StepView | None:
        seen = seen_by_all(game)
        if seen is None or seen.kind != "wave":
            return seen
        return replace(seen, voters=tuple(ask.seat for ask in game.agenda[0].asks if ask.answer is None))

    patch.setattr(views, "_step", leaky)


def early_night(patch: pytest.MonkeyPatch) -> None:
    """A call that nobody can answer is over at once."""
    begin = kind.begin

    def leaky(play: Play, step: Step, seconds: float, asks: tuple[Ask, ...], _: tuple[Call, ...] = ()) -> Step:
        return begin(play, step, seconds, asks)

    patch.setattr(wave, "begin", leaky)


def cause_in_the_view(patch: pytest.MonkeyPatch) -> None:
    """The public view says what killed the dead."""
    view_for = engine.view_for

    def leaky(game: Game, seat: int | None) -> engine.View:
        view = view_for(game, seat)
        seats = (replace(s, marks=(game.seat(s.number).character.cause,)) for s in view.seats)
        return replace(view, seats=tuple(seats))

    patch.setattr(engine, "view_for", leaky)


def cause_by_cause(patch: pytest.MonkeyPatch) -> None:
    """The night's dead are named in one message for each cause."""
    strike = deaths.strike

    def leaky(play: Play, causes: Iterable[tuple[int, str]], occasion: str, by: int = 0, **more: Any) -> None:
        dead = list(causes)
        for cause in sorted({cause for _, cause in dead}) or [""]:
            strike(play, [death for death in dead if death[1] == cause], occasion, by, **more)

    patch.setattr(deaths, "strike", leaky)


def running_stream(patch: pytest.MonkeyPatch) -> None:
    """Draws come one after the other from a stream: a girl who peeks shifts who speaks first."""

    def leaky(play: Play) -> int:
        drawn = sum(fact.occasion == "girl.peek" for fact in play.game.facts)
        return play.game.living()[drawn % len(play.game.living())]

    patch.setattr(speech, "_first_speaker", leaky)


def refusal_by_role(patch: pytest.MonkeyPatch) -> None:
    """What a bad answer is refused with depends on the cards of those it names."""

    def leaky(game: Game, _question: Prompt, answer: engine.Selection) -> str:
        return "not_listed" if set(answer) & set(camps.pack(game)) else "how_many"

    patch.setattr("engine.referee.refusal", leaky)


def refusal_by_target(patch: pytest.MonkeyPatch) -> None:
    """Somebody who is not asked at all learns from the refusal whether he named a wolf."""
    decide = engine.decide

    def leaky(game: Game, command: engine.Command, now: float) -> tuple[engine.Event, ...] | engine.Refused:
        outcome = decide(game, command, now)
        refused = isinstance(outcome, engine.Refused) and outcome.code == "not_asked"
        if refused and isinstance(command, engine.Answer) and set(command.answer) & set(camps.pack(game)):
            return engine.Refused("not_listed")
        return outcome

    patch.setattr(engine, "decide", leaky)


def prompts_for_all(patch: pytest.MonkeyPatch) -> None:
    """Everybody hears who is asked something at night."""

    def leaky(_audience: object, seat: int, actions: tuple[str, ...], serial: int) -> events.Prompted:
        return events.Prompted("everybody", seat, actions, serial)

    patch.setattr(kind, "Prompted", leaky)


def order_of_killing(patch: pytest.MonkeyPatch) -> None:
    """The dead are named as they were killed, the poisoned first."""
    published = deaths._published

    def leaky(game: Game, *who: Any) -> tuple[events.Death, ...]:
        return tuple(sorted(published(game, *who), key=lambda d: game.seat(d.seat).character.cause != "poison"))

    patch.setattr(deaths, "_published", leaky)


def pause_only_for(patch: pytest.MonkeyPatch, meant: Callable[[Game, Due], bool]) -> None:
    """With hidden cards the pause for the hunter is made after some deaths only."""
    dues = deaths._dues

    def leaky(play: Play, seat: int, dead: dict[int, str], shown: bool) -> Iterable[Due]:
        return (due for due in dues(play, seat, dead, shown) if due.rank != Rank.SHOT or meant(play.game, due))

    patch.setattr(deaths, "_dues", leaky)


def pause_for_the_hunter(patch: pytest.MonkeyPatch) -> None:
    """There is a pause only if a hunter has died."""
    pause_only_for(patch, lambda game, due: game.seat(due.seat).role == "hunter")


def no_pause_for_the_poisoned(patch: pytest.MonkeyPatch) -> None:
    """There is a pause only if a hunter could shoot of that death."""
    pause_only_for(patch, lambda _, due: due.cause != "poison")


def empty_pause(patch: pytest.MonkeyPatch) -> None:
    """The pause is over at once if no hunter has died."""
    begin = kind.begin

    def leaky(play: Play, step: Step, seconds: float, asks: tuple[Ask, ...], _: tuple[Call, ...] = ()) -> Step:
        return begin(play, step, seconds, asks)

    patch.setattr(reaction, "begin", leaky)


# In the words ----------------------------------------------------------------------------------------


def numbered() -> Render:
    """Words that carry a number counted over all messages of a game, private ones too."""
    sent = itertools.count()

    def render(heard: Sequence[engine.Event], view: engine.View) -> list[str]:
        nonlocal sent
        if view.mine is None and any(isinstance(event, events.Started) for event in heard):
            sent = itertools.count()
        return [f"message {next(sent)}"] if heard else []

    return render


def number_in_a_sentence(patch: pytest.MonkeyPatch) -> None:
    """The group's night says how many have been written to so far."""
    private_news, group_night = private.news, public.night
    written = itertools.count()
    so_far = 0

    def counting(*args: Any) -> str:
        nonlocal so_far
        so_far = next(written)
        return private_news(*args)

    patch.setattr(private, "news", counting)
    patch.setattr(public, "night", lambda *args: f"{group_night(*args)} {so_far}")
