"""The table: a game begins and ends; what its authority does."""

from __future__ import annotations

from msgspec import field

from engine.events.event import Event
from engine.game import Result, Seat, Step, Town

# The table ---------------------------------------------------------------------------------------------


class Begun(Event, frozen=True):
    """The deal, as only the engine knows it."""

    book: str
    options: str
    differs: str
    seed: str
    deck: dict[str, int]
    seats: tuple[Seat, ...]
    centre: tuple[str, ...]
    agenda: tuple[Step, ...]
    offices: dict[str, int] = field(default_factory=dict)
    town: Town | None = None
    serial: int = 0


class Started(Event, frozen=True):
    """A game has started: its public deck, the options that differ from the book, the hash of its deal.

    `seating`: at index k-1 the joiner (from 1) who sits on seat k (option `shuffle_seats`).
    """

    book: str
    seats: int
    deck: dict[str, int]
    differs: str
    fingerprint: str
    seating: tuple[int, ...]


class CardDealt(Event, frozen=True):
    """A seat was dealt its cards."""

    seat: int
    cards: tuple[str, ...]


class HomeDealt(Event, frozen=True):
    """A seat learns which of its houses hides its treasure, and its goal."""

    seat: int
    treasure: str
    goal: str


class Ended(Event, frozen=True):
    """The game is over; with the seed and the written-down line, whoever likes can check the deal."""

    result: Result
    days: int
    seed: str
    line: str


# The table's commands ----------------------------------------------------------------------------------


class Extended(Event, frozen=True):
    """The open step has more time."""

    serial: int
    seconds: int
    deadline: float


class Skipped(Event, frozen=True):
    """The open step was ended by the table's authority."""

    serial: int


class Warned(Event, frozen=True):
    """A seat was warned, for the `count`-th time."""

    seat: int
    kind: str
    count: int


class DrawOffered(Event, frozen=True):
    """Nobody has died for so many days and nights that the host may call it a draw (G36)."""

    days: int


OfTheTable = Begun | Started | CardDealt | HomeDealt | Ended | Extended | Skipped | Warned | DrawOffered
