"""The nouns of a game, frozen. Nothing here decides anything.

Seats are numbered from 1 clockwise; instants are epoch seconds. A seat owns one character, or two in the
books that deal two cards. What is a secret and what is not is no matter of these records: see `views.py`.
"""

from __future__ import annotations

import re
from enum import IntEnum

from msgspec import Struct

Option = int | str
"""What can be chosen: a seat, or a word – a card, a house, `yes`."""

Answer = tuple[Option, ...]
"""A selection of options, in the order of the prompt; the empty one declines (`pass`)."""

PASS: Answer = ()
YES: Answer = ("yes",)

FORMAT = 1
"""The version of the stored form of a game."""


def seats_in(answer: Answer) -> tuple[int, ...]:
    """The seats that an answer names."""
    return tuple(option for option in answer if isinstance(option, int))


_HOUSE = re.compile(r"([1-9][0-9]?)[ab]")
"""A house, as `3a`: the first of seat 3."""


def owner_of(option: Option) -> int:
    """Whose it is: a seat is its own, a house its seat's; 0 for another word, which is nobody's."""
    if isinstance(option, int):
        return option
    house = _HOUSE.fullmatch(option)
    return int(house[1]) if house else 0


def place(whom: Option) -> str:
    """The order of seats, and of houses."""
    return str(whom).zfill(4)


class Character(Struct, frozen=True, omit_defaults=True):
    """One card of a seat: as dealt (`card`), and what it plays by now (`role`). house: where it lives, as `3a`."""

    card: str
    role: str
    alive: bool = True
    cause: str = ""
    shown: bool = False
    tokens: dict[str, int] = {}
    house: str = ""


class Seat(Struct, frozen=True, omit_defaults=True):
    """A player's place. treasure: the one of its houses that hides the treasure."""

    number: int
    characters: tuple[Character, ...]
    marks: tuple[str, ...] = ()
    warnings: dict[str, int] = {}
    treasure: str = ""

    @property
    def gone(self) -> bool:
        """Say whether he has left: in life, by which he died, or after it."""
        return "gone" in self.marks or any(card.cause in ("left", "expelled") for card in self.characters)

    @property
    def alive(self) -> bool:
        """A seat is in the game as long as one of its characters lives."""
        cards = self.characters
        return cards[0].alive if len(cards) == 1 else any(card.alive for card in cards)

    @property
    def character(self) -> Character:
        """The seat's card, in the books that deal one."""
        return self.characters[0]

    @property
    def role(self) -> str:
        """What the seat plays, in the books that deal one card."""
        return self.characters[0].role


class Ask(Struct, frozen=True, omit_defaults=True):
    """A question put to a seat. `done`: it takes no further answer. `given`: it had one, if void by now."""

    seat: int
    action: str
    answer: Answer | None = None
    done: bool = False
    given: bool = False


class Call(Struct, frozen=True, omit_defaults=True):
    """A call of an open step. `held`: somebody answers it; if nobody does, it lasts until `ends` (ruling 3)."""

    name: str
    ends: float
    held: bool = False


class Step(Struct, frozen=True, omit_defaults=True):
    """A piece of the agenda; once opened (`serial` > 0) it also holds what has been answered so far.

    among: how many seats lived as a ballot opened.
    """

    kind: str
    name: str = ""
    phase: str = ""
    seats: tuple[int, ...] = ()
    candidates: tuple[Option, ...] = ()
    calls: tuple[str, ...] = ()
    round: int = 0
    serial: int = 0
    deadline: float = 0.0
    asks: tuple[Ask, ...] = ()
    open_calls: tuple[Call, ...] = ()
    paused: float | None = None
    among: int = 0

    @property
    def is_open(self) -> bool:
        """Say whether the step has begun."""
        return self.serial > 0

    @property
    def simulated(self) -> tuple[Call, ...]:
        """The calls that nobody can answer and that last all the same."""
        return tuple(call for call in self.open_calls if not call.held)


class Intent(Struct, frozen=True):
    """What somebody wants to happen this night, as it stood when its wave closed."""

    seat: int
    action: str
    answer: Answer


class Fact(Struct, frozen=True):
    """Something a seat was told in private: about whom, what, in which night, on what occasion."""

    seat: int
    about: Option
    what: str
    day: int
    occasion: str


class Rank(IntEnum):
    """The order of the consequences of a death (rulings 7 and G24)."""

    HEARTBREAK = 1
    CURSE = 2
    ALLOW = 3
    SHOT = 4
    BADGE = 6
    LAST_WORDS = 7


class Due(Struct, frozen=True, omit_defaults=True):
    """A consequence that a death still has to have. `moment` tells the deaths of one moment from others'."""

    rank: Rank
    seat: int
    cause: str
    moment: int = 0


class Election(Struct, frozen=True, omit_defaults=True):
    """How far the election of a sheriff has come.

    serial: of the step in which the candidates came forward. standing: who stands and has not withdrawn.
    broken: how many elections a self-destruct has put an end to. over: there will be none any more.
    """

    serial: int = 0
    standing: tuple[int, ...] = ()
    broken: int = 0
    over: bool = False


class Home(Struct, frozen=True):
    """A house with whoever lives, or lived, in it; treasure: is it the one that hides its seat's treasure."""

    name: str
    role: str
    alive: bool
    treasure: bool


class Fate(Struct, frozen=True, omit_defaults=True):
    """How the game ended for one seat. homes: its houses, in the books that have them."""

    seat: int
    roles: tuple[str, ...]
    camp: str
    fate: str
    won: bool
    homes: tuple[Home, ...] = ()


class Score(Struct, frozen=True):
    """What a seat's points are for. goal: its goal card, `goal_points`: for it. wolf: the wolf's for the dead."""

    seat: int
    living: int
    treasure: int
    bet: int
    goal: str
    goal_points: int
    wolf: int
    total: int


class Result(Struct, frozen=True, omit_defaults=True):
    """How a game ended: the camp that won (or `draw`), and every seat's fate.

    Where points are counted: sheet: of each seat, what they are made of. turned_over: houses whose card is shown
    to end the game. number: which game of its match it was; totals: each seat's points in the match so far; mayor:
    the last one; champion: who has won the match, 0 while it goes on or if nobody has.
    """

    camp: str
    winners: tuple[int, ...]
    fates: tuple[Fate, ...]
    sheet: tuple[Score, ...] = ()
    turned_over: tuple[str, ...] = ()
    number: int = 1
    totals: tuple[int, ...] = ()
    mayor: int = 0
    champion: int = 0

    @property
    def score(self) -> dict[int, int]:
        """The points of each seat in this game."""
        return {points.seat: points.total for points in self.sheet}


class Bet(Struct, frozen=True):
    """A coin that a seat has put on another, which it takes for the wolf."""

    seat: int
    on: int
    coin: int


class Town(Struct, frozen=True, omit_defaults=True):
    """What lies on the table of a game of houses.

    dealt, goals: the goal card of each seat, as dealt and by now. pile: those left, in the order of their names.
    settled: the seats whose characters have moved in. swapped: those that have changed their goal. coins: those
    left, the top one first. broom, trap: are they still in the game. trapped: the house the trap lies on.
    killed: the house whose character was killed last night. number, totals: which game of its match this is, and
    each seat's points before it.
    """

    dealt: tuple[str, ...]
    goals: tuple[str, ...]
    pile: tuple[str, ...]
    coins: tuple[int, ...]
    settled: tuple[int, ...] = ()
    swapped: tuple[int, ...] = ()
    bets: tuple[Bet, ...] = ()
    broom: bool = False
    trap: bool = False
    trapped: str = ""
    killed: str = ""
    number: int = 1
    totals: tuple[int, ...] = ()


class Game(Struct, frozen=True, omit_defaults=True):
    """Everything there is to know about a game, secrets included. Only `history.py` makes one.

    speech_round, claimed: the serial of a round of speeches, and who has claimed the floor in it out of turn.
    cursed: the village has lost its powers. allowed, allowed_on: who may vote on one day.
    morning: the serial of the first step of the running day, 0 at night. cut_short: it ends in a self-destruct.
    """

    book: str
    options: str
    differs: str
    seed: str
    deck: dict[str, int]
    seats: tuple[Seat, ...]
    format: int = FORMAT
    centre: tuple[str, ...] = ()
    day: int = 0
    phase: str = "setup"
    agenda: tuple[Step, ...] = ()
    serial: int = 0
    intents: tuple[Intent, ...] = ()
    last_night: tuple[Intent, ...] = ()
    attack: int = 0
    taken: int = 0
    facts: tuple[Fact, ...] = ()
    lovers: tuple[int, ...] = ()
    offices: dict[str, int] = {}
    election: Election = Election()
    morning: int = 0
    cut_short: bool = False
    dues: tuple[Due, ...] = ()
    moment: int = 0
    night_dead: tuple[int, ...] = ()
    executed: int = 0
    speech_start: int = 0
    named: tuple[tuple[int, Option], ...] = ()
    suspects: tuple[Option, ...] = ()
    speech_round: int = 0
    claimed: tuple[int, ...] = ()
    quiet: int = 0
    cursed: bool = False
    allowed: tuple[int, ...] = ()
    allowed_on: int = 0
    town: Town | None = None
    over: Result | None = None

    def seat(self, number: int) -> Seat:
        """The seat of that number."""
        return self.seats[number - 1]

    def is_living(self, whom: Option) -> bool:
        """Say whether this is a seat of the game that lives, or a house with a living character."""
        if isinstance(whom, str):
            return any(card.house == whom and card.alive for seat in self.seats for card in seat.characters)
        return 1 <= whom <= len(self.seats) and self.seats[whom - 1].alive

    def houses(self) -> tuple[str, ...]:
        """The houses whose character lives, in their order: 1a 1b 2a … The others have left the game."""
        return tuple(
            sorted(card.house for seat in self.seats for card in seat.characters if card.house and card.alive)
        )

    def houses_of(self, number: int) -> tuple[str, ...]:
        """Those of a seat."""
        return tuple(sorted(card.house for card in self.seat(number).characters if card.house and card.alive))

    def takes_part(self, number: int) -> bool:
        """Say whether a seat has its turns by day: while it lives; in a game of houses until it leaves (B-21)."""
        return self.seat(number).alive or (self.town is not None and not self.seat(number).gone)

    def living(self) -> tuple[int, ...]:
        """The numbers of the living seats, in their order."""
        return tuple([seat.number for seat in self.seats if seat.alive])

    def holders(self, roles: frozenset[str]) -> tuple[int, ...]:
        """The living seats that play one of these roles, in their order; of two characters either may be alive."""
        return tuple(
            seat.number
            for seat in self.seats
            if seat.alive and any(character.role in roles for character in seat.characters)
        )

    def clockwise(self, start: int) -> tuple[int, ...]:
        """All seats in their order from `start` on."""
        numbers = tuple(seat.number for seat in self.seats)
        return numbers[start - 1 :] + numbers[: start - 1]

    def left_of(self, number: int) -> int:
        """The next living seat clockwise; the seat itself where no other lives."""
        return next((n for n in self.clockwise(number)[1:] if self.seats[n - 1].alive), number)

    def lover_of(self, number: int) -> int | None:
        """The seat that this seat is in love with."""
        if number not in self.lovers:
            return None
        return self.lovers[1] if self.lovers[0] == number else self.lovers[0]
