"""The houses: moving in, turns, the mayor."""

from __future__ import annotations

from engine.events.event import Event


class PlacingOpened(Event, frozen=True):
    """These seats place their characters in their houses."""

    serial: int
    seats: tuple[int, ...]
    deadline: float


class Placed(Event, frozen=True):
    """A seat's characters have moved in: the first card in house a, the second in house b."""

    seat: int
    cards: tuple[str, str]


class TurnOpened(Event, frozen=True):
    """It is a seat's turn to do something that it may also leave undone; `after` may do it next, in this order."""

    serial: int
    action: str
    seat: int
    after: tuple[int, ...]
    deadline: float


class GoalSwapped(Event, frozen=True):
    """A seat has changed its goal for another of the pile."""

    seat: int


class GoalDrawn(Event, frozen=True):
    """The goal that a seat drew."""

    seat: int
    goal: str


class PrivilegeOpened(Event, frozen=True):
    """The mayor may use his privileges; `broom`: that of the broom too."""

    serial: int
    seat: int
    broom: bool
    deadline: float


class PrivilegeUsed(Event, frozen=True):
    """The mayor used a privilege on another seat: he peeks or inspects there, or hands it the broom (B-18)."""

    action: str
    seat: int
    target: int


class BroomLeft(Event, frozen=True):
    """The broom has left the game."""


class BetPlaced(Event, frozen=True):
    """A seat has put a coin on the seat it takes for the wolf."""

    seat: int
    on: int
    coin: int


class TrapSet(Event, frozen=True):
    """The mayor has put the trap on a house for this night."""

    house: str


class TrapUsed(Event, frozen=True):
    """The thief has laid the trap over the claw: nobody was killed, and the trap has left the game."""


OfTheHouses = (
    PlacingOpened
    | Placed
    | TurnOpened
    | GoalSwapped
    | GoalDrawn
    | PrivilegeOpened
    | PrivilegeUsed
    | BroomLeft
    | BetPlaced
    | TrapSet
    | TrapUsed
)
