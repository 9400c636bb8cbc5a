"""Law 6: two worlds that a seat is not entitled to tell apart give it the same transcript, byte for byte."""

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
from tests.engine.entitlement import PUBLIC, Day, Leave, Line, Night, Render, Table, check
from tests.engine.words import spoken

WOLF, SEER, VILLAGER = "werewolf", "seer", "villager"
QUIET = {"sheriff": False}
HIDDEN = {**QUIET, "reveal_on_death": False}


def line(*nights: Night, votes: Sequence[int] = (0, 0), shot: int = 0, leave: Leave | None = None) -> Line:
    """So many nights; each day everybody votes for that seat, if he may."""
    return Line(nights, tuple(Day(votes=(named,) * 6, elect=(2,) * 6, shot=shot) for named in votes), leave)


PLAIN = Table(
    name="the seer",
    cards=(WOLF, WOLF, SEER, VILLAGER, VILLAGER, VILLAGER),
    seats=6,
    options=QUIET,
    occurs=frozenset({"pack", "is", "lynch"}),
)
WITCH = Table(
    name="the witch, and without potions",
    cards=(WOLF, WOLF, SEER, "witch", VILLAGER, VILLAGER),
    seats=6,
    options=QUIET,
    given=(
        line(Night(attack=3, poison=2), Night(attack=4)),
        line(Night(attack=3, poison=2, heal=True), Night(attack=4)),
        line(Night(attack=2), Night(attack=4)),
    ),
    lines=0,
    occurs=frozenset({"attacked", "is"}),
)
HUNTER_SHOWN = Table(
    name="the hunter",
    cards=(WOLF, SEER, "hunter", "witch", VILLAGER),
    seats=5,
    options=QUIET,
    occurs=frozenset({"shot", "no shot", "may not shoot"}),
)
HUNTER_HIDDEN = Table(
    name="the hunter, hidden cards",
    cards=(WOLF, SEER, "hunter", "witch", VILLAGER, VILLAGER),
    seats=6,
    options=HIDDEN,
    given=(line(Night(attack=3, poison=2), Night(attack=4, heal=True)),),
    lines=2,
    occurs=frozenset({"shot", "no shot", "may not shoot"}),
)
GIRL_UNNOTICED = Table(
    name="the little girl, never noticed",
    cards=(WOLF, WOLF, "little_girl", VILLAGER, VILLAGER, VILLAGER),
    seats=6,
    options={**QUIET, "girl_noticed": 0},
    occurs=frozenset({"peeked at"}),
)
THIEF = Table(
    name="the thief and two wolves",
    cards=(WOLF, WOLF, SEER, "thief", VILLAGER, VILLAGER, VILLAGER),
    seats=5,
    options=QUIET,
    lines=4,
    occurs=frozenset({"centre", "pack"}),
)
TURNS = Table(
    name="speeches in turn",
    cards=(WOLF, SEER, "little_girl", VILLAGER, VILLAGER),
    seats=5,
    options={**QUIET, "speech": "turns", "girl_noticed": 0},
    given=(line(Night(check=1, peek=True), Night(attack=1, check=2)), line(Night(check=1), Night(check=2))),
    lines=1,
    occurs=frozenset({"is", "peeked at"}),
)

TABLES = (
    PLAIN,
    WITCH,
    HUNTER_SHOWN,
    HUNTER_HIDDEN,
    GIRL_UNNOTICED,
    THIEF,
    TURNS,
    Table(
        name="the witch, hidden cards",
        cards=(WOLF, WOLF, "witch", VILLAGER, VILLAGER),
        seats=5,
        options=HIDDEN,
        occurs=frozenset({"attacked"}),
    ),
    Table(
        name="the hunter, cards hidden at a lynching",
        cards=(WOLF, SEER, "hunter", "witch", VILLAGER),
        seats=5,
        options={**QUIET, "reveal_on_lynch": False, "hunter_may_hide": True},
        occurs=frozenset({"shot", "no shot"}),
    ),
    Table(
        name="the guard",
        cards=(WOLF, SEER, "guard", "witch", VILLAGER),
        seats=5,
        options=QUIET,
        occurs=frozenset({"attacked", "is"}),
    ),
    Table(
        name="cupid",
        cards=(WOLF, WOLF, "cupid", VILLAGER, VILLAGER),
        seats=5,
        options=QUIET,
        occurs=frozenset({"lover", "heartbreak"}),
    ),
    Table(
        name="cupid and the hunter, hidden cards",
        cards=(WOLF, "hunter", "cupid", VILLAGER, VILLAGER, VILLAGER),
        seats=6,
        options=HIDDEN,
        occurs=frozenset({"lover", "heartbreak", "shot", "no shot"}),
    ),
    Table(
        name="the thief, cupid and the witch",
        cards=(WOLF, "witch", "cupid", "thief", VILLAGER, VILLAGER, VILLAGER),
        seats=5,
        options=HIDDEN,
        occurs=frozenset({"centre", "lover", "attacked"}),
    ),
    Table(
        name="the little girl, always noticed",
        cards=(WOLF, WOLF, "little_girl", "witch", VILLAGER, VILLAGER),
        seats=6,
        options={**QUIET, "girl_noticed": 1},
        deals=12,
        occurs=frozenset({"noticed", "pack seizes", "attacked"}),
    ),
    Table(
        name="the little girl and the guard",
        cards=(WOLF, WOLF, "little_girl", "guard", VILLAGER, VILLAGER),
        seats=6,
        options={**HIDDEN, "girl_noticed": 1},
        seed=2,
        occurs=frozenset({"noticed", "pack seizes"}),
    ),
    Table(
        name="the sheriff",
        cards=(WOLF, WOLF, SEER, "hunter", VILLAGER, VILLAGER),
        seats=6,
        occurs=frozenset({"sheriff", "badge", "shot"}),
    ),
    Table(
        name="the sheriff, hidden cards",
        cards=(WOLF, WOLF, SEER, "hunter", VILLAGER, VILLAGER),
        seats=6,
        options={"reveal_on_death": False},
        lines=2,
        deals=12,
        occurs=frozenset({"sheriff", "badge", "no shot"}),
    ),
    Table(
        name="a seat leaves at night",
        cards=(WOLF, WOLF, SEER, "guard", VILLAGER, VILLAGER),
        seats=6,
        options=QUIET,
        leaves=((1, "wolves", 1.0), (2, "seer", 1.0), (1, "wolves", 12.0)),
        deals=12,
        occurs=frozenset({"left"}),
    ),
    Table(
        name="a seat leaves before a ballot is full, hidden cards",
        cards=(WOLF, WOLF, SEER, "hunter", VILLAGER, VILLAGER),
        seats=6,
        options=HIDDEN,
        lines=2,
        leaves=((1, "vote.lynch", 1.0), (2, "vote.lynch", 1.0)),
        occurs=frozenset({"left"}),
    ),
    Table(
        name="a living seat leaves in the hunter's pause",
        cards=(WOLF, WOLF, SEER, "hunter", VILLAGER, VILLAGER),
        seats=6,
        options=HIDDEN,
        given=(line(Night(attack=3), Night(attack=2), votes=(2, 1), leave=Leave(4, 1, "hunter.shoot")),),
        lines=1,
        leaves=((2, "hunter.shoot", 1.0),),
        occurs=frozenset({"left", "no shot"}),
    ),
    Table(
        name="a seat leaves in the middle of a ballot",
        cards=(WOLF, WOLF, SEER, "hunter", VILLAGER, VILLAGER),
        seats=6,
        options=QUIET,
        given=(line(Night(), Night(), votes=(6, 1), leave=Leave(6, 1, "vote.lynch", 2.35)),),
        lines=0,
        deals=25,
        occurs=frozenset({"left"}),
    ),
    Table(
        name="the host skips and extends",
        cards=(WOLF, WOLF, SEER, "witch", VILLAGER),
        seats=5,
        options=QUIET,
        host=(("skip", 1, "wolves"), ("skip", 1, "witch"), ("extend", 1, "witch"), ("extend", 2, "wolves")),
    ),
    Table(
        name="a seat leaves at night, hidden cards",
        cards=(WOLF, WOLF, SEER, "guard", VILLAGER, VILLAGER),
        seats=6,
        options=HIDDEN,
        leaves=((1, "wolves", 1.0), (2, "seer", 1.0), (1, "wolves", 12.0)),
        seed=2,
    ),
    Table(
        name="a seat leaves while the witch is called, hidden cards",
        cards=(WOLF, WOLF, SEER, "witch", VILLAGER, VILLAGER),
        seats=6,
        options=HIDDEN,
        leaves=((1, "witch", 1.0), (2, "witch", 1.0)),
    ),
    Table(
        name="a seat leaves while the thief or cupid is called, hidden cards",
        cards=(WOLF, WOLF, "thief", "cupid", VILLAGER, VILLAGER, VILLAGER, VILLAGER),
        seats=6,
        options=HIDDEN,
        leaves=((1, "thief", 1.0), (1, "cupid", 1.0)),
    ),
    Table(
        name="a dead seat leaves in the hunter's pause",
        cards=(WOLF, SEER, "hunter", VILLAGER, VILLAGER),
        seats=5,
        options=HIDDEN,
        given=(line(Night(), Night(), votes=(2, 1), leave=Leave(2, 1, "hunter.shoot")),),
        lines=0,
        deals=15,
    ),
    Table(
        name="a hunter who shoots whatever killed him, hidden cards",
        cards=(WOLF, "hunter", "cupid", VILLAGER, VILLAGER),
        seats=5,
        options={**HIDDEN, "hunter_shoots_when": "any"},
    ),
)


@pytest.mark.parametrize("table", [pytest.param(table, id=table.name) for table in TABLES])
def test_a_seat_is_shown_what_it_is_entitled_to_and_no_more(table: Table) -> None:
    verdict = check(table, spoken)
    assert not verdict.leaks, verdict.leaks[0]
    assert not verdict.withheld, verdict.withheld[0]
    assert not verdict.refused, verdict.refused[0]
    # Nothing is proved where every deal is told from every other.
    assert min(verdict.mixed[seat] for seat in range(PUBLIC, table.seats + 1)) >= 8
    assert verdict.told >= table.occurs


# Leaks, planted ----------------------------------------------------------------------------------------

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
        return play.game.living()[drawn]

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


@pytest.mark.parametrize(
    ("plant", "table"),
    [
        (waiting_list, PLAIN),
        (early_night, WITCH),
        (early_night, THIEF),
        (cause_in_the_view, WITCH),
        (cause_by_cause, WITCH),
        (running_stream, TURNS),
        (refusal_by_role, PLAIN),
        (refusal_by_target, PLAIN),
        (prompts_for_all, GIRL_UNNOTICED),
        (order_of_killing, WITCH),
        (pause_for_the_hunter, HUNTER_HIDDEN),
        (no_pause_for_the_poisoned, HUNTER_HIDDEN),
        (empty_pause, HUNTER_HIDDEN),
    ],
)
def test_a_leak_is_found(plant: Plant, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the leak each of these tables is clean: that is the test above."""
    plant(monkeypatch)
    assert check(table, first_leak_only=True).leaks


# Words -------------------------------------------------------------------------------------------------


def numbered() -> Render:
    """Words that carry a number counted over all messages of a game, private ones too."""
    sent = itertools.count()

    def render(heard: Sequence[engine.Event], view: engine.View) -> list[str]:
        nonlocal sent
        if view.mine is None and any(isinstance(event, events.Started) for event in heard):
            sent = itertools.count()
        return [f"message {next(sent)}"] if heard else []

    return render


def test_a_leak_in_the_words_is_found() -> None:
    assert check(THIEF, numbered(), first_leak_only=True).leaks


def test_a_leak_in_a_sentence_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The group's night says how many have been written to so far."""
    private_news, group_night = private.news, public.night
    written = itertools.count()
    so_far = 0

    def counting(*args: Any) -> str:
        nonlocal so_far
        so_far = next(written)
        return private_news(*args)

    monkeypatch.setattr(private, "news", counting)
    monkeypatch.setattr(public, "night", lambda *args: f"{group_night(*args)} {so_far}")
    assert check(THIEF, spoken, first_leak_only=True).leaks
