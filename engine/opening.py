"""`start`: from a table's setup to the first night. The deal is sealed before anybody sees a card."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import camps, dice, seal
from engine.events import Begun, CardDealt, Event, Started
from engine.game import Character, Seat, Step
from engine.history import evolve
from engine.options import OptionRefused
from engine.play import Play
from engine.referee import run
from engine.roles import ROLES
from engine.rulebooks import RULE_BOOKS
from engine.rulebooks.book import Deck, Problem


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What a table has agreed on.

    options: what differs from the book. deck: None for the recommended one.
    deal, centre: given where a played game is replayed; then the deck is what was dealt, whatever the book
    says of it, and seats that are not named are villagers.
    welcome, sage: the seat with which that card begins; 0 where the book draws it.
    """

    book: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    deck: Mapping[str, int] | None = None
    deal: Mapping[int, str] | None = None
    centre: tuple[str, ...] = ()
    welcome: int = 0
    sage: int = 0


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
    cards, centre, deck = _deal(setup, seed.hex())
    begun = Begun(
        "nobody",
        book=setup.book,
        options=options,
        differs=book.differs(options),
        seed=seed.hex(),
        deck=deck,
        seats=tuple(
            Seat(number, (Character(card, card, tokens=dict(ROLES[card].tokens)),))
            for number, card in enumerate(cards, start=1)
        ),
        centre=centre,
        agenda=(*book.prelude, Step("nightfall")),
        offices={office: seat for office in ("welcome", "sage") if (seat := getattr(setup, office))},
    )
    play = Play(evolve(None, begun), now)
    play.events.append(begun)
    _announce(play)
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


def _deal(setup: Setup, seed: str) -> tuple[tuple[str, ...], tuple[str, ...], Deck]:
    """The card of each seat, the centre, and the public deck."""
    if setup.deal is not None:
        cards = tuple(setup.deal.get(seat, "villager") for seat in range(1, setup.seats + 1))
        return cards, setup.centre, dict(sorted(Counter((*cards, *setup.centre)).items()))
    book = RULE_BOOKS[setup.book]
    deck = Counter(check_setup(setup))
    if setup.deck is None:
        deck = Counter(_with_lottery(setup, seed))
    deck += Counter(book.shuffled_in(dict(deck), book.options(setup.options)))
    cards, centre = _shuffled(deck, setup.seats, seed)
    return cards, centre, dict(sorted(deck.items()))


def _with_lottery(setup: Setup, seed: str) -> Deck:
    """The recommended deck; what the book leaves to the lot is drawn from the seed."""
    book = RULE_BOOKS[setup.book]
    lots, count = book.lottery(setup.seats)
    recommended = book.recommended_with(setup.seats, book.options(setup.options))
    fixed = tuple(role for role in recommended if role not in lots)
    return book.deck_with(setup.seats, (*fixed, *dice.pick_several(lots, count, seed, 0, "deck")))


def _shuffled(deck: Deck, seats: int, seed: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The card of each seat and the centre, as a seed deals them."""
    shuffled = dice.shuffle(sorted(Counter(deck).elements()), seed, 0, "deal")
    return tuple(shuffled[:seats]), tuple(shuffled[seats:])


def _announce(play: Play) -> None:
    game = play.game
    joiners = list(range(1, len(game.seats) + 1))
    if play.options.shuffle_seats:
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

    fingerprint: its SHA-256 in hex, to be compared with the one published at the start. dealt_again: the cards
    that its seed deals to the seats, and the centre. honest: these are the cards that the line says were dealt.
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
    cards, centre = _shuffled(sealed.deck, sealed.seats, sealed.seed)
    return Verdict(
        fingerprint=seal.fingerprint_of(line),
        dealt_again=cards,
        centre_again=centre,
        honest=sealed.deal == tuple((card,) for card in cards) and sealed.centre == centre,
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
