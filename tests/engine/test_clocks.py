"""Games end, and no clock stands in the past: at silent tables, with the shortest times, with late answers."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import pytest

from engine import RULE_BOOKS, Answer, Refused, Setup, Tick, choices, decide, due_at, dump
from tests.engine.drawn import SHAPES
from tests.engine.simulation import NOON, House, Table, play, random_game, random_table, sampled_seats


@pytest.mark.parametrize("book", RULE_BOOKS)
def test_every_game_ends(book: str) -> None:
    """Also where nobody ever answers as he should, whatever the options (`random_game` counts)."""
    for seats in sampled_seats(RULE_BOOKS[book]):
        for pass_rate in (0.0, 0.6, 1.0):
            for number in range(5):
                name = f"ends.{pass_rate}.{number}"
                house = House(random.Random(f"{book}.{seats}.{name}"), pass_rate=pass_rate)
                table = random_table(book, seats, name)
                if pass_rate == 1.0:
                    table = replace_options(table, max_days=4)
                *_, last = random_game(table, house)
                assert last.game.over is not None


def replace_options(table: Table, **options: Any) -> Table:
    """The table with some options set."""
    setup = dataclasses.replace(table.setup, options={**table.setup.options, **options})
    return dataclasses.replace(table, setup=setup)


@pytest.mark.parametrize("book", RULE_BOOKS)
def test_a_silent_table_ends_on_its_last_day(book: str) -> None:
    """Nobody ever presses anything: the clock alone plays, and `max_days` ends it as a draw at the latest."""
    rules = RULE_BOOKS[book]
    for seats in range(rules.fewest, rules.most + 1):
        moment = Table(Setup(book=book, seats=seats, options={"max_days": 5}), bytes([seats]) * 32).begin()
        while not moment.game.over:
            due = due_at(moment.game)
            assert due is not None
            moment = play(moment.game, Tick(), due)
        assert moment.game.day <= 5
        everybody_lives = all(seat.alive for seat in moment.game.seats)
        assert (moment.game.day, moment.game.over.camp) == (5, "draw") or not everybody_lives


@pytest.mark.parametrize("book", RULE_BOOKS)
def test_the_shortest_times_leave_no_clock_in_the_past(book: str) -> None:
    """Every time as short as it may be, calls of absent roles of up to a minute, and a little girl in the deck."""
    rules = RULE_BOOKS[book]
    seats = min(12, rules.most)
    times = [name for name in rules.option_names if name.endswith("_s")]
    options: dict[str, Any] = {name: SHAPES[name].get("minimum", [3, 60]) for name in times}
    deck = rules.deck_for(seats)
    if "little_girl" in rules.roles:
        options |= {"girl_noticed": 1}
        deck |= {"little_girl": 1, "villager": deck["villager"] - 1}
    for number in range(10):
        rng = random.Random(f"short.{book}.{number}")
        table = Table(Setup(book=book, seats=seats, options=options, deck=deck), rng.randbytes(32))
        for moment in random_game(table, House(rng, pace=(0.0, 0.5))):
            due = due_at(moment.game)
            assert due is None or due > moment.now, moment.game.agenda[0]


@pytest.mark.parametrize("book", RULE_BOOKS)
def test_a_late_answer_is_refused_and_a_late_clock_is_no_other(book: str) -> None:
    """At the deadline it is too late; a clock that comes late ends the same step."""
    rules = RULE_BOOKS[book]
    moment = Table(Setup(book=book, seats=rules.fewest), bytes(32)).begin()
    prompt = choices(moment.game)[0]
    answer = Answer(prompt.seat, prompt.action, prompt.options[: prompt.least])
    stored = dump(moment.game)
    for late in (0.0, 0.001, 3600.0):
        assert decide(moment.game, answer, prompt.deadline + late) == Refused("late")
    assert decide(moment.game, Tick(), NOON) == ()
    assert dump(moment.game) == stored
    in_time = play(moment.game, Tick(), prompt.deadline).game
    too_late = play(moment.game, Tick(), prompt.deadline + 7200).game
    assert (in_time.phase, in_time.serial) == (too_late.phase, too_late.serial)
    assert due_at(too_late) == pytest.approx((due_at(in_time) or 0) + 7200)
