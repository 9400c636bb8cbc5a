"""Chance by name, and the seal by which anybody can check a deal afterwards."""

from __future__ import annotations

import random
from collections import Counter
from hashlib import sha256
from itertools import permutations

import pytest

from engine import Setup, dice, replay, start
from engine import events as e
from tests.engine.simulation import NOON, House, Table, random_game

SEED = bytes(range(32)).hex()
OTHER = bytes(32).hex()


def test_a_draw_is_the_same_for_ever() -> None:
    """Stored games are played on by newer code: these numbers may never change."""
    assert dice.number(SEED, 1, "deal", 2) == 9_753_158_836_793_045_883
    assert dice.fraction(SEED, 1, "deal", 2) == pytest.approx(9_753_158_836_793_045_883 / 2**64)
    assert dice.between(4, 25, SEED, 3, "absent.seer") == 9.854
    assert dice.pick("abcdef", SEED, 1, "badge", 4) == "e"
    assert dice.pick_several(range(1, 9), 3, SEED, 1, "forced.cupid.link", 5) == (3, 5, 8)
    assert dice.shuffle(range(8), SEED, 0, "deal") == [7, 0, 5, 4, 1, 2, 6, 3]


def test_another_name_is_another_draw() -> None:
    """Seed, day, purpose and seat all count, and do not run into each other."""
    names = [(SEED, 1, "a", 0), (OTHER, 1, "a", 0), (SEED, 2, "a", 0), (SEED, 1, "b", 0), (SEED, 1, "a", 1)]
    names += [(SEED, 11, "a", 0), (SEED, 1, "a/1", 0), (SEED, 1, "a", 10), (SEED, 1, "1/a", 0)]
    assert len({dice.number(*name) for name in names}) == len(names)


def test_what_is_drawn_first_does_not_matter() -> None:
    alone = dice.pick(range(1000), SEED, 1, "public")
    dice.shuffle(range(50), SEED, 1, "secret")
    assert dice.pick(range(1000), SEED, 1, "public") == alone


@pytest.mark.parametrize(("low", "high"), [(0, 1), (3, 3), (4, 25), (3.5, 60)])
def test_seconds_lie_between_their_bounds(low: float, high: float) -> None:
    drawn = [dice.between(low, high, SEED, day, "seconds") for day in range(500)]
    assert all(low <= seconds <= high for seconds in drawn)
    assert all(round(seconds, 3) == seconds for seconds in drawn)
    assert low == high or max(drawn) - min(drawn) > 0.95 * (high - low)


def test_fractions_are_spread_evenly() -> None:
    tenths = Counter(int(10 * dice.fraction(SEED, day, "fraction")) for day in range(10_000))
    assert set(tenths) == set(range(10))
    assert all(850 < count < 1150 for count in tenths.values())


def test_every_item_is_picked_as_often() -> None:
    picked = Counter(dice.pick("abcde", SEED, day, "pick") for day in range(5000))
    assert all(850 < picked[item] < 1150 for item in "abcde")


def test_several_are_picked_in_their_order() -> None:
    pairs = Counter(dice.pick_several("abcd", 2, SEED, day, "pair") for day in range(6000))
    assert set(pairs) == {("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")}
    assert all(850 < count < 1150 for count in pairs.values())
    assert dice.pick_several("abc", 3, SEED, 1, "all") == ("a", "b", "c")
    assert dice.pick_several("abc", 0, SEED, 1, "none") == ()


def test_every_order_is_shuffled_as_often() -> None:
    orders = Counter(tuple(dice.shuffle("abc", SEED, day, "order")) for day in range(6000))
    assert set(orders) == set(permutations("abc"))
    assert all(850 < count < 1150 for count in orders.values())


@pytest.mark.parametrize("number", range(5))
def test_the_deal_can_be_checked_by_anybody(number: int) -> None:
    """The hash at the start is that of the line at the end; from the line's seed the same cards are dealt."""
    rng = random.Random(number)
    setup = Setup(book="classic", seats=14, options={"shuffle_seats": True, "max_days": 2})
    first, *_, last = random_game(Table(setup, rng.randbytes(32)), House(rng))
    (started,) = (event for event in first.events if isinstance(event, e.Started))
    (ended,) = (event for event in last.events if isinstance(event, e.Ended))
    assert sha256(ended.line.encode()).hexdigest() == started.fingerprint
    form, book, differs, seats, deck, deal, centre, seed = ended.line.split("|")
    assert (form, book, differs, int(seats), seed) == (
        "nightfall/1",
        "classic",
        started.differs,
        14,
        ended.seed,
    )
    assert deck == " ".join(f"{role}:{count}" for role, count in sorted(started.deck.items()))
    dealt = replay(start(setup, bytes.fromhex(seed), NOON))
    assert deal.split() == [seat.character.card for seat in dealt.seats]
    assert centre.split("+") == list(dealt.centre)


def test_joiners_are_seated_by_chance_only_where_that_is_wanted() -> None:
    def seating(number: int, shuffled: bool) -> tuple[int, ...]:
        options = {"shuffle_seats": shuffled}
        events = start(Setup(book="classic", seats=8, options=options), number.to_bytes(32, "big"), NOON)
        return next(event.seating for event in events if isinstance(event, e.Started))

    in_order = tuple(range(1, 9))
    assert {seating(number, shuffled=False) for number in range(9)} == {in_order}
    shuffled = [seating(number, shuffled=True) for number in range(400)]
    assert all(sorted(order) == list(in_order) for order in shuffled)
    assert all(25 < sum(order[0] == joiner for order in shuffled) < 80 for joiner in in_order)


def test_a_seat_that_shuffles_the_seats_shuffles_no_cards() -> None:
    """A public draw does not depend on another one."""
    games = [
        replay(start(Setup(book="classic", seats=12, options={"shuffle_seats": shuffled}), bytes(32), NOON))
        for shuffled in (False, True)
    ]
    assert games[0].seats == games[1].seats
