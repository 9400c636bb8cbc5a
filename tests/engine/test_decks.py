"""Decks: what a book recommends, what it forbids and why, and that the deal is fair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from engine import RULE_BOOKS, DeckRefused, Game, Problem, Setup, choices, replay, start
from engine import events as e
from tests.engine.drawn import drawn_setup
from tests.engine.simulation import NOON, seed

CLASSIC = RULE_BOOKS["classic"]
TABLE = {
    8: (2, 1, 5),
    9: (2, 1, 6),
    10: (2, 1, 7),
    11: (2, 1, 8),
    12: (3, 1, 8),
    13: (3, 1, 9),
    14: (3, 1, 10),
    15: (3, 1, 11),
    16: (3, 1, 12),
    17: (3, 1, 13),
    18: (4, 1, 13),
}
"""The book's table: werewolves, seer, villagers."""


def deal(setup: Setup, number: int = 0) -> Game:
    return replay(start(setup, seed(number), NOON))


def cards(game: Game) -> list[str]:
    return [character.card for seat in game.seats for character in seat.characters]


def problems(seats: int, deck: Mapping[str, int], **options: Any) -> set[tuple[str, str]]:
    found = CLASSIC.problems_of(seats, dict(deck), CLASSIC.options(options))
    return {(problem.code, problem.role) for problem in found}


def plain(seats: int, **specials: int) -> dict[str, int]:
    """The book's table with specials in the place of villagers."""
    wolves, seer, villagers = TABLE[seats]
    return {"werewolf": wolves, "seer": seer, **specials, "villager": villagers - sum(specials.values())}


# Every book ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_every_recommended_deck_is_dealt(name: str) -> None:
    book = RULE_BOOKS[name]
    for seats in range(book.fewest, book.most + 1):
        deck = book.deck_for(seats)
        assert set(deck) <= set(book.roles)
        assert book.problems_of(seats, deck, book.options({})) == []
        game = deal(Setup(book=name, seats=seats, deck=deck))
        dealt = Counter((*cards(game), *game.centre))
        assert dealt == Counter(deck) + Counter(book.shuffled_in(deck, book.options({})))
        assert dealt == Counter(game.deck)
        by_itself = Counter(deal(Setup(book=name, seats=seats), seats).deck)
        by_itself -= Counter(book.shuffled_in(dict(by_itself), book.options({})))
        assert book.problems_of(seats, dict(by_itself), book.options({})) == []
        assert {len(seat.characters) for seat in game.seats} == {2 if name == "lupusburg" else 1}


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_a_table_of_too_few_or_too_many_is_refused(name: str) -> None:
    """However its deck adds up."""
    book = RULE_BOOKS[name]
    for seats in (0, 1, book.fewest - 1, book.most + 1, 99):
        for deck in ({"seer": 1, "villager": seats - 1}, {**book.deck_for(book.fewest), "villager": seats}):
            assert book.problems_of(seats, deck, book.options({})) != [], (seats, deck)
            with pytest.raises(DeckRefused):
                start(Setup(book=name, seats=seats, deck=deck), bytes(32), NOON)


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_the_deal_is_fair(name: str) -> None:
    """Each seat gets each role as often as the deck has it, give or take what chance may take."""
    book = RULE_BOOKS[name]
    deals, seats = 1500, min(12, book.most)
    counted: Counter[tuple[int, str]] = Counter()
    for number in range(deals):
        counted.update(enumerate(cards(deal(Setup(book=name, seats=seats), number))))
    deck = book.deck_for(seats)
    places = sum(deck.values())
    chi = 0.0
    for role, copies in deck.items():
        expected = deals * copies / places
        chi += sum((counted[place, role] - expected) ** 2 / expected for place in range(places))
    freedom = (places - 1) * (len(deck) - 1)
    assert 0.5 * freedom < chi < 1.6 * freedom


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_another_seed_is_another_deal(name: str) -> None:
    seats = min(12, RULE_BOOKS[name].most)
    deals = [tuple(cards(deal(Setup(book=name, seats=seats), number))) for number in range(50)]
    assert len(set(deals)) == 50


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_every_role_that_may_be_switched_on_is_dealt(name: str) -> None:
    """Alone, at every number of seats at which the book deals it; what it adds and takes away sums up."""
    book = RULE_BOOKS[name]
    dealt = set[str]()
    for seats in range(book.fewest, book.most + 1):
        for role in book.choosable:
            deck = book.deck_of(seats, (role,))
            if book.problems_of(seats, deck, book.options({})) == []:
                game = deal(Setup(book=name, seats=seats, deck=deck))
                assert Counter((*cards(game), *game.centre)) == Counter(game.deck)
                dealt |= {role} & set(game.deck)
    assert dealt == set(book.choosable)


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_a_drawn_deck_is_dealt_as_it_was_drawn(name: str) -> None:
    book = RULE_BOOKS[name]
    for seats in range(book.fewest, book.most + 1):
        for number in range(6):
            setup = drawn_setup(name, seats, f"deck.{number}")
            game = deal(setup, number)
            wanted = Counter(setup.deck or game.deck)
            options = book.options(setup.options)
            wanted += Counter(book.shuffled_in(dict(wanted), options)) if setup.deck else Counter()
            assert Counter((*cards(game), *game.centre)) == Counter(game.deck) == wanted


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_a_deck_that_the_book_leaves_open_is_drawn_from_the_seed(name: str) -> None:
    """At 13 seats of lupus three of four roles are in, whichever; everywhere else there is one deck."""
    book = RULE_BOOKS[name]
    for seats in range(book.fewest, book.most + 1):
        decks = {tuple(sorted(deal(Setup(book=name, seats=seats), number).deck.items())) for number in range(40)}
        assert len(decks) == (4 if (name, seats) == ("lupus", 13) else 1)


# classic -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", TABLE)
def test_the_table_of_the_book(seats: int) -> None:
    deck = CLASSIC.deck_for(seats)
    wolves, seer, villagers = TABLE[seats]
    specials = sum(count for role, count in deck.items() if role not in ("werewolf", "seer", "villager"))
    assert (deck["werewolf"], deck["seer"], deck["villager"] + specials) == (wolves, seer, villagers)
    assert problems(seats, plain(seats)) == set()


def test_the_recommended_specials() -> None:
    specials = {
        seats: set(CLASSIC.deck_for(seats)) - {"werewolf", "seer", "villager"}
        for seats in range(CLASSIC.fewest, CLASSIC.most + 1)
    }
    few = {"witch", "hunter"}
    assert specials[8] == specials[9] == few
    assert specials[10] == specials[11] == few | {"cupid"}
    assert specials[12] == specials[13] == few | {"cupid", "guard"}
    assert all(specials[seats] == few | {"cupid", "guard", "thief"} for seats in range(14, 19))


def test_every_special_may_be_added() -> None:
    for seats in range(9, 19):
        every = dict.fromkeys(("thief", "hunter", "cupid", "witch", "guard"), 1)
        assert problems(seats, plain(seats, **every)) == set()
        for role in (*every, "little_girl"):
            if seats < 17 or role != "thief":
                assert problems(seats, plain(seats, **{role: 1})) == set()


@pytest.mark.parametrize(
    ("seats", "deck", "options", "expected"),
    [
        (8, {**plain(8), "piper": 1, "villager": 4}, {}, ("role", "piper")),
        (8, {**plain(8), "": 1, "villager": 4}, {}, ("role", "")),
        (8, {**plain(8), "werewolf": 3, "villager": 4}, {}, ("fixed", "werewolf")),
        (8, {**plain(8), "werewolf": 0, "villager": 7}, {}, ("fixed", "werewolf")),
        (8, {**plain(8), "seer": 2, "villager": 4}, {}, ("fixed", "seer")),
        (8, {"werewolf": 2, "villager": 6}, {}, ("fixed", "seer")),
        (8, plain(8, witch=2), {}, ("one", "witch")),
        (8, plain(8, witch=1, hunter=1, cupid=1, guard=1, little_girl=1), {}, ("at_least", "villager")),
        (17, plain(17, thief=1), {}, ("box", "villager")),
        (18, plain(18, thief=1), {}, ("box", "villager")),
        (9, plain(8), {}, ("sum", "")),
        (8, {**plain(8), "villager": 6}, {}, ("sum", "")),
        (8, plain(8, guard=1), {"guard_min_seats": 12}, ("too_few_seats", "guard")),
        (8, {**plain(8), "witch": -1, "villager": 6}, {}, ("one", "witch")),
    ],
)
def test_what_the_book_forbids(
    seats: int, deck: dict[str, int], options: dict[str, Any], expected: tuple[str, str]
) -> None:
    assert expected in problems(seats, deck, **options)
    with pytest.raises(DeckRefused) as refused:
        start(Setup(book="classic", seats=seats, deck=deck, options=options), bytes(32), NOON)
    assert expected in {(problem.code, problem.role) for problem in refused.value.problems}
    assert expected[0] in str(refused.value)


def test_a_problem_says_what_the_number_should_be() -> None:
    options = CLASSIC.options({"guard_min_seats": 12})
    found = CLASSIC.problems_of(12, {**plain(12), "werewolf": 2, "villager": 9}, options)
    assert Problem("fixed", "werewolf", 3) in found
    assert CLASSIC.problems_of(8, plain(8, guard=1), options) == [Problem("too_few_seats", "guard", 12)]
    assert CLASSIC.problems_of(12, plain(12, guard=1), options) == []
    assert CLASSIC.problems_of(17, plain(17, thief=1), options) == [Problem("box", "villager", 13)]


def test_an_unknown_book_and_a_short_seed() -> None:
    with pytest.raises(KeyError):
        start(Setup(book="checkers", seats=8), bytes(32), NOON)
    with pytest.raises(ValueError, match="32 bytes"):
        start(Setup(book="classic", seats=8), bytes(31), NOON)


def test_the_thief_brings_two_more_villagers() -> None:
    """Two cards stay in the centre, and the public deck has all of them."""
    deck = CLASSIC.deck_for(14)
    game = deal(Setup(book="classic", seats=14))
    assert len(game.centre) == 2
    assert sum(game.deck.values()) == 16
    assert game.deck["villager"] == deck["villager"] + 2
    assert deal(Setup(book="classic", seats=12)).centre == ()


def test_at_least_one_wolf_is_always_in_play() -> None:
    """C3: with both wolves in the centre the thief is dealt, and has to take one of them."""
    both = 0
    setup = Setup(book="classic", seats=8, deck=plain(8, thief=1))
    for number in range(2000):
        game = deal(setup, number)
        if "werewolf" in cards(game):
            continue
        both += 1
        assert game.centre == ("werewolf", "werewolf")
        assert "thief" in cards(game)
        (prompt,) = choices(game)
        assert prompt.action == "thief.take"
        assert (prompt.options, prompt.optional) == (("werewolf",), False)
    assert both > 0


def test_every_card_comes_to_the_centre_at_some_time() -> None:
    seen = set[str]()
    for number in range(300):
        seen.update(deal(Setup(book="classic", seats=14), number).centre)
    assert seen == set(CLASSIC.deck_for(14))


def test_a_given_deal_is_taken_as_it_is() -> None:
    """A game that is played again: named seats as given, the others villagers, whatever the book says of it."""
    setup = Setup(book="classic", seats=18, deal={18: "werewolf", 1: "thief"}, centre=("seer", "werewolf"))
    game = deal(setup)
    assert cards(game) == ["thief", *["villager"] * 16, "werewolf"]
    assert game.centre == ("seer", "werewolf")
    assert game.deck == {"seer": 1, "thief": 1, "villager": 16, "werewolf": 2}
    assert cards(deal(setup, 7)) == cards(game)


def test_every_seat_is_told_its_card_and_the_pack_its_members() -> None:
    events = start(Setup(book="classic", seats=18), seed(3), NOON)
    game = replay(events)
    dealt = [event for event in events if isinstance(event, e.CardDealt)]
    assert [(event.seat, event.cards, event.audience) for event in dealt] == [
        (seat.number, (seat.role,), (seat.number,)) for seat in game.seats
    ]
    wolves = [seat.number for seat in game.seats if seat.role == "werewolf"]
    told = {event.seat: {fact.about for fact in event.facts} for event in events if isinstance(event, e.Told)}
    for wolf in wolves:
        assert told[wolf] == set(wolves) - {wolf}
    assert set(told) == set(wolves) | {seat.number for seat in game.seats if seat.role == "thief"}
