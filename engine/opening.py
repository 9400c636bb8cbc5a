"""`start`: from a table's setup to the first night. The deal is sealed before anybody sees a card."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine import camps, dice, houses, seal
from engine.dealing import Deal, deal, goals_left
from engine.events import Begun, CardDealt, Event, HomeDealt, OfficePassed, Started
from engine.game import Character, Result, Seat, Step, Town
from engine.history import evolve
from engine.options import OptionRefused, thaw
from engine.play import Play
from engine.referee import run
from engine.roles import ROLES
from engine.rulebooks import RULE_BOOKS
from engine.rulebooks.book import Box, Deck, Problem
from engine.steps.offices import SAGE, WELCOME


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What a table has agreed on.

    options: what differs from the book. deck: None for the recommended one.
    deal, centre: given where a played game is replayed; then the deck is what was dealt, whatever the book
    says of it, and seats that are not named are villagers.
    welcome, sage: the seat with which that card begins; 0 where the book draws it. serial: after which the steps
    of this game are counted, so that no answer to a game before fits it.
    Where there are houses: mayor: the seat that has been chosen, 0 to draw it. before: the result of the game
    before this one in the same match, None in its first. houses, goals: given with `deal`; of each house whose
    card it is, and under `treasure` the letter of the one that hides it.
    """

    book: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    deck: Mapping[str, int] | None = None
    deal: Mapping[int, str | tuple[str, ...]] | None = None
    centre: tuple[str, ...] = ()
    welcome: int = 0
    sage: int = 0
    serial: int = 0
    mayor: int = 0
    before: Result | None = None
    houses: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    goals: Mapping[int, str] = field(default_factory=dict)


class DeckRefused(ValueError):
    """A deck the book does not deal, with every reason."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(", ".join(problem.code for problem in problems))
        self.problems = problems


def start(setup: Setup, seed: bytes, now: float) -> tuple[Event, ...]:
    """Deal the cards and let the first night fall.

    seed: 32 bytes that nobody can guess. now: epoch seconds.
    Raises KeyError for an unknown book, OptionRefused, DeckRefused.
    """
    if len(seed) != 32:
        raise ValueError("a seed has 32 bytes")
    book = RULE_BOOKS[setup.book]
    options = book.freeze(setup.options)
    dealt, deck = _deal(setup, seed.hex())
    begun = Begun(
        "nobody",
        book=setup.book,
        options=options,
        differs=book.differs(options),
        seed=seed.hex(),
        deck=deck,
        seats=tuple(_seat(setup, number, dealt) for number in range(1, setup.seats + 1)),
        centre=dealt.centre,
        agenda=(*book.prelude, Step("nightfall")),
        offices={office: seat for office, seat in ((WELCOME, setup.welcome), (SAGE, setup.sage)) if seat},
        town=_town(setup, book.box, dealt, options) if book.box else None,
        serial=setup.serial,
    )
    play = Play(evolve(None, begun), now)
    play.events.append(begun)
    _announce(play)
    if book.box:
        _announce_homes(play, setup)
    run(play)
    return tuple(play.events)


def check_setup(setup: Setup) -> Deck:
    """The deck that a setup would be dealt, without the cards added at the deal.

    Raises KeyError for an unknown book, OptionRefused, DeckRefused.
    """
    book = RULE_BOOKS[setup.book]
    options = book.options(setup.options)
    fits = book.fewest <= setup.seats <= book.most
    given = setup.deck if setup.deck is not None else book.deck_for(setup.seats, options) if fits else {}
    deck = dict(given)
    problems = book.problems_of(setup.seats, deck, options)
    if problems:
        raise DeckRefused(problems)
    return deck


def _deal(setup: Setup, seed: str) -> tuple[Deal, Deck]:
    """What each seat is dealt, and the public deck."""
    book = RULE_BOOKS[setup.book]
    if setup.deal is not None:
        given = (setup.deal.get(seat, "villager") for seat in range(1, setup.seats + 1))
        hands = tuple((cards,) if isinstance(cards, str) else cards for cards in given)
        deck = Counter(card for hand in (*hands, setup.centre) for card in hand)
    else:
        hands = ()
        deck = Counter(check_setup(setup))
        if setup.deck is None:
            deck = Counter(_with_lottery(setup, seed))
        deck += Counter(book.shuffled_in(dict(deck), book.options(setup.options)))
    dealt = deal(book, deck, setup.seats, seed)
    if hands:
        treasures = tuple(
            setup.houses.get(seat, {}).get("treasure", letter) for seat, letter in enumerate(dealt.treasures, 1)
        )
        dealt = replace(dealt, hands=hands, centre=setup.centre, treasures=treasures)
    if book.box and setup.goals:
        dealt = replace(dealt, goals=_goals(book.box, dealt, setup.goals))
    return dealt, dict(sorted(deck.items()))


def _with_lottery(setup: Setup, seed: str) -> Deck:
    """The recommended deck; what the book leaves to the lot is drawn from the seed."""
    book = RULE_BOOKS[setup.book]
    lots, count = book.lottery(setup.seats)
    options = book.options(setup.options)
    fixed = tuple(role for role in book.recommended_with(setup.seats, options) if role not in lots)
    return book.deck_of(setup.seats, (*fixed, *dice.pick_several(lots, count, seed, 0, "deck")), options)


def _goals(box: Box, dealt: Deal, given: Mapping[int, str]) -> tuple[str, ...]:
    """The goals given, and for the other seats the first of those left over."""
    left = list(goals_left(box, tuple(given.values())))
    return tuple(given[seat] if seat in given else left.pop(0) for seat in range(1, len(dealt.goals) + 1))


def _seat(setup: Setup, number: int, dealt: Deal) -> Seat:
    """A seat with what it was dealt. Two characters stand before house a and house b until they are placed."""
    hand = dealt.hands[number - 1]
    homes = [f"{number}{letter}" for letter in "ab"] if dealt.treasures else [""] * len(hand)
    if _is_placed(setup, number) and hand[0] != setup.houses[number]["a"]:
        homes.reverse()
    return Seat(
        number,
        tuple(
            Character(card, card, tokens=dict(ROLES[card].tokens), house=house)
            for card, house in zip(hand, homes, strict=True)
        ),
        treasure=f"{number}{dealt.treasures[number - 1]}" if dealt.treasures else "",
    )


def _is_placed(setup: Setup, number: int) -> bool:
    return "a" in setup.houses.get(number, {})


def _town(setup: Setup, box: Box, dealt: Deal, frozen: str) -> Town:
    """The table of a game of houses at its start; in a match, with the points of the games before."""
    options, before = thaw(frozen), setup.before
    return Town(
        dealt=dealt.goals,
        goals=dealt.goals,
        pile=goals_left(box, dealt.goals),
        coins=box.coins[setup.seats],
        settled=tuple(seat for seat in range(1, setup.seats + 1) if _is_placed(setup, seat)),
        broom=setup.seats >= options.broom_seats,
        trap=options.trap,
        number=before.number + 1 if before else 1,
        totals=before.totals if before else (0,) * setup.seats,
    )


def _announce_homes(play: Play, setup: Setup) -> None:
    """Each seat learns its treasure and its goal; everybody, who is mayor."""
    game, town = play.game, houses.town_of(play.game)
    for seat in game.seats:
        play.emit(HomeDealt((seat.number,), seat.number, seat.treasure, town.goals[seat.number - 1]))
    mayor = setup.mayor
    if not mayor and setup.before and play.options.mayor == "rotate":
        mayor = game.clockwise(setup.before.mayor)[1]
    mayor = mayor or dice.pick(range(1, setup.seats + 1), game.seed, 0, "mayor")
    play.emit(OfficePassed("everybody", houses.MAYOR, mayor))


def _announce(play: Play) -> None:
    game = play.game
    joiners = list(range(1, len(game.seats) + 1))
    if play.options.shuffle_seats and (game.town is None or game.town.number == 1):  # a match keeps its seats
        joiners = dice.shuffle(joiners, game.seed, 0, "seating")
    play.emit(
        Started(
            "everybody",
            game.book,
            len(game.seats),
            game.deck,
            game.differs,
            seal.fingerprint(game),
            tuple(joiners),
        )
    )
    for seat in game.seats:
        play.emit(CardDealt((seat.number,), seat.number, tuple(card.card for card in seat.characters)))
    wolves = camps.pack(game)
    for wolf in wolves:
        others = tuple((other, "pack") for other in wolves if other != wolf)
        if others:
            play.tell(wolf, "pack", *others)


# The check -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a line was found to be.

    fingerprint: its SHA-256 in hex, to be compared with the one published at the start. dealt_again: what its seed
    deals to each seat, and the centre. honest: this is what the line says was dealt.
    """

    fingerprint: str
    dealt_again: tuple[str, ...]
    centre_again: tuple[str, ...]
    honest: bool


def verify(line: str) -> Verdict:
    """Deal once more from the seed, deck, options and seats of a line, and compare with the deal it says.

    Raises seal.LineRefused for a text that no game was sealed with.
    """
    sealed = seal.read(line)
    book = RULE_BOOKS.get(sealed.book)
    if book is None:
        raise seal.LineRefused("book")
    options = _changes(sealed.differs)
    try:
        if book.differs(book.freeze(options)) != sealed.differs:
            raise seal.LineRefused("options")
    except OptionRefused:
        raise seal.LineRefused("options") from None
    deck = Counter(sealed.deck)
    deck.subtract(book.shuffled_in(sealed.deck, book.options(options)))
    try:
        check_setup(Setup(book=sealed.book, seats=sealed.seats, options=options, deck=+deck))
    except DeckRefused as refused:
        seats = any(problem.code == "seats" for problem in refused.problems)
        raise seal.LineRefused("seats" if seats else "deck") from None
    again = deal(book, sealed.deck, sealed.seats, sealed.seed)
    return Verdict(
        fingerprint=seal.fingerprint_of(line),
        dealt_again=tuple("+".join(words) for words in again.words),
        centre_again=again.centre,
        honest=sealed.deal == again.words and sealed.centre == again.centre,
    )


def _changes(differs: str) -> dict[str, Any]:
    """The options that a line says differ from the book."""
    try:
        changes = json.loads(differs)
    except (ValueError, RecursionError):
        raise seal.LineRefused("options") from None
    if not isinstance(changes, dict):
        raise seal.LineRefused("options")
    return changes
