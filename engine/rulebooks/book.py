"""What a rule book is: seats, decks, options, and the script of a night and of a day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.game import Game, Option, Result, Step
from engine.options import OptionRefused, Options, differing, freeze, thaw
from engine.roles import CALLS

Deck = dict[str, int]


@dataclass(frozen=True)
class Problem:
    """Why a deck cannot be dealt: a code, the role it is about, the number it should be."""

    code: str
    role: str = ""
    number: int = 0


def no_lottery(_seats: int) -> tuple[tuple[str, ...], int]:
    """Nothing is left to the lot."""
    return (), 0


def waves(*night: tuple[str, ...]) -> tuple[Step, ...]:
    """The waves of a night, in its order; each names the calls that are open together."""
    return tuple(Step("wave", phase="night", calls=calls) for calls in night)


def sheriff_day(game: Game) -> tuple[Step, ...]:
    """The day of the books with a sheriff: he is elected before the dead are named, or after the talk."""
    when = thaw(game.options).sheriff
    return (
        *(_election(game) if when == "before_dawn" else ()),
        Step("dawn"),
        Step("round", phase="talk"),
        *(_election(game) if when == "after_talk" else ()),
        Step("ballot", name="vote.lynch", phase="vote"),
    )


def _election(game: Game) -> tuple[Step, ...]:
    """Held once; one that was broken off begins afresh (E8)."""
    if game.election.over:
        return ()
    if thaw(game.options).sheriff_candidates:
        return (Step("candidacy", name="sheriff.run", phase="election"),)
    return (Step("ballot", name="sheriff.vote", phase="election"),)


def hunters_wave(game: Game) -> tuple[Step, ...]:
    """The last call of a night, where the hunter is asked at night (E26)."""
    return waves(("hunter",)) if thaw(game.options).hunter_shoots_at == "night" else ()


def nobody(_options: Options) -> Mapping[str, str]:
    """No role takes another's place."""
    return {}


def _is_made(call: str, game: Game) -> bool:
    return any(ability.nights(game) for ability in CALLS[call])


@dataclass(frozen=True, kw_only=True)
class Trial:
    """How a book names its suspects and judges them. Who stands is a seat or, of two cards, a house.

    nearest: all who can stand, the nearest first – of two with equal votes the nearer counts. order: the seats
    that name somebody, as their turns come. rounds: how often. ballots: how many a seat has in the verdict.
    nominee: who is a suspect whatever the votes; None for nobody.
    """

    nearest: Callable[[Game], tuple[Option, ...]]
    order: Callable[[Game], tuple[int, ...]]
    rounds: int = 1
    ballots: Callable[[Game, int], int]
    nominee: Callable[[Game], Option | None]


def thief_beside(deck: Mapping[str, int], options: Options) -> int:
    """How many cards a deck has on top of the seats': the thief's own, where one villager comes with him (H29)."""
    return 1 if deck.get("thief") and options.thief_extra == "one_villager" else 0


@dataclass(frozen=True, kw_only=True)
class Box:
    """What is in the box of a game of houses besides the cards of two characters a seat.

    goals: the goal cards. coins: those of a number of seats, the top one first. apart: cards that one seat must
    not be dealt together.
    """

    goals: tuple[str, ...]
    coins: Mapping[int, tuple[int, ...]]
    apart: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Ending:
    """A book's own way to end. outcome: how a game has ended, empty while it goes on. result: what then counts."""

    outcome: Callable[[Game], str]
    result: Callable[[Game, str], Result]


@dataclass(frozen=True, kw_only=True)
class RuleBook:
    """One rule book.

    fewest, most: seats. roles: what can be in its deck, in the order decks are shown in.
    defaults: options that differ from the engine's. option_names: those it has, in the order they are shown in.
    choosable: the roles a table may switch on, in the order of `roles`. recommended: those the book would take
    for a number of seats. deck_with: the deck for so many seats and these. problems_of: what it forbids in a deck.
    extra_cards: which cards are shuffled in beyond the deck, so that some are left over.
    prelude: what comes before the first night. script: the steps of the round that begins with the night that has
    just fallen. trial: of books that judge suspects. lottery: roles of which so many are drawn from the seed for
    the recommended deck of a number of seats.
    in_place_of: the roles that its options put in another's place where it recommends a deck.
    unrevealed_candidates: who must not reveal himself to be elected sheriff. cupid_keeps_silent: he must not name
    his lovers.
    box: of a book in which a seat has two characters in two houses. ending: of one that is not won by camps.
    """

    name: str
    fewest: int
    most: int
    roles: tuple[str, ...]
    defaults: Mapping[str, Any]
    option_names: tuple[str, ...]
    choosable: tuple[str, ...]
    recommended: Callable[[int], tuple[str, ...]]
    deck_with: Callable[[int, Sequence[str]], Deck]
    problems_of: Callable[[int, Deck, Options], list[Problem]]
    extra_cards: Callable[[Deck], Deck]
    script: Callable[[Game], tuple[Step, ...]]
    prelude: tuple[Step, ...] = ()
    trial: Trial | None = None
    in_place_of: Callable[[Options], Mapping[str, str]] = nobody
    unrevealed_candidates: frozenset[str] = frozenset()
    cupid_keeps_silent: bool = False
    lottery: Callable[[int], tuple[tuple[str, ...], int]] = no_lottery
    box: Box | None = None
    ending: Ending | None = None

    @property
    def hand(self) -> int:
        """How many cards a seat is dealt."""
        return 2 if self.box else 1

    def recommended_with(self, seats: int, options: Options) -> tuple[str, ...]:
        """The special roles that the book would take for so many seats, played with these options."""
        instead = self.in_place_of(options)
        return tuple(instead.get(role, role) for role in self.recommended(seats))

    def deck_for(self, seats: int, options: Options | None = None) -> Deck:
        """The deck the book recommends for so many seats; without options, as it is usually played."""
        return self.deck_of(seats, self.recommended_with(seats, options or thaw(self.usual)), options)

    def deck_of(self, seats: int, specials: Sequence[str], options: Options | None = None) -> Deck:
        """The deck for so many seats and these special roles; who comes beside it takes no villager's place."""
        deck = self.deck_with(seats, specials)
        beside = thief_beside(deck, options or thaw(self.usual))
        return {**deck, "villager": deck["villager"] + beside} if beside else deck

    def shuffled_in(self, deck: Deck, options: Options) -> Deck:
        """The cards that are shuffled in beyond a deck; one fewer where the thief stands beside it already."""
        extra = self.extra_cards(deck)
        beside = thief_beside(deck, options)
        return {**extra, "villager": extra["villager"] - beside} if beside else extra

    def night_of(self, number: int, frozen: str) -> tuple[tuple[str, ...], ...]:
        """The calls of a night of that number, played with these options: those open together in one tuple.

        Whatever is dealt: a deck may leave some of them out.
        """
        game = Game(book=self.name, options=frozen, differs="", seed="", deck={}, seats=(), day=number, agenda=())
        waves = (step.calls for step in self.script(game) if step.kind == "wave")
        tonight = (tuple(call for call in calls if _is_made(call, game)) for calls in waves)
        return tuple(calls for calls in tonight if calls)

    def freeze(self, changes: Mapping[str, Any]) -> str:
        """Validate a table's changes and write all options down. Raises OptionRefused."""
        frozen = freeze(self.defaults, frozenset(self.option_names), changes)
        if not set(thaw(frozen).seen_as_wolf) <= set(self.roles):
            raise OptionRefused("seen_as_wolf", "value")
        return frozen

    def options(self, changes: Mapping[str, Any]) -> Options:
        """The options with a table's changes. Raises OptionRefused."""
        return thaw(self.freeze(changes))

    @cached_property
    def usual(self) -> str:
        """The frozen text of the options as the book has them."""
        return self.freeze({})

    def differs(self, frozen: str) -> str:
        """Of frozen options, what is not as the book has it."""
        return differing(frozen, self.usual)
