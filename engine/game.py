"""The nouns of a game, frozen. Nothing here decides anything.

Seats are numbered from 1 clockwise; instants are epoch seconds. A seat owns one character, or two in the
books that deal two cards. What is a secret and what is not is no matter of these records: see `views.py`.
"""

from __future__ import annotations

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


class Character(Struct, frozen=True, omit_defaults=True):
    """One card of a seat: as dealt (`card`), and what it plays by now (`role`)."""

    card: str
    role: str
    alive: bool = True
    cause: str = ""
    shown: bool = False
    tokens: dict[str, int] = {}


class Seat(Struct, frozen=True, omit_defaults=True):
    """A player's place."""

    number: int
    characters: tuple[Character, ...]
    marks: tuple[str, ...] = ()
    warnings: dict[str, int] = {}

    @property
    def gone(self) -> bool:
        """Say whether he has left: in life, by which he died, or after it."""
        return "gone" in self.marks or self.characters[0].cause in ("left", "expelled")

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


class Fate(Struct, frozen=True):
    """How the game ended for one seat."""

    seat: int
    roles: tuple[str, ...]
    camp: str
    fate: str
    won: bool


class Result(Struct, frozen=True):
    """How a game ended: the camp that won (or `draw`), and every seat's fate."""

    camp: str
    winners: tuple[int, ...]
    fates: tuple[Fate, ...]


class Game(Struct, frozen=True, omit_defaults=True):
    """Everything there is to know about a game, secrets included. Only `history.py` makes one.

    speech_round, claimed: the serial of a round of speeches, and who has claimed the floor in it out of turn.
    cursed: the village has lost its powers. allowed, allowed_on: who may vote on one day. sides: who belonged to
    each side of the village when the roles were final.
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
    sides: dict[str, tuple[int, ...]] = {}
    over: Result | None = None

    def seat(self, number: int) -> Seat:
        """The seat of that number."""
        return self.seats[number - 1]

    def is_living(self, number: Option) -> bool:
        """Say whether this is a seat of the game that lives."""
        return isinstance(number, int) and 1 <= number <= len(self.seats) and self.seats[number - 1].alive

    def living(self) -> tuple[int, ...]:
        """The numbers of the living seats, in their order."""
        return tuple(seat.number for seat in self.seats if seat.alive)

    def holders(self, roles: frozenset[str]) -> tuple[int, ...]:
        """The living seats that play one of these roles, in their order."""
        return tuple(
            seat.number
            for seat in self.seats
            if any(character.alive and character.role in roles for character in seat.characters)
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
