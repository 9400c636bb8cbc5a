"""The agenda, and the questions put to seats."""

from __future__ import annotations

from engine.events.event import Event
from engine.game import Answer, Call, Fact, Step

# The agenda --------------------------------------------------------------------------------------------


class Planned(Event, frozen=True):
    """Steps were put in front of the agenda; the step that was open waits since `at`."""

    steps: tuple[Step, ...]
    at: float


class Opened(Event, frozen=True):
    """The first step of the agenda began."""

    step: Step


class Closed(Event, frozen=True):
    """The first step of the agenda is done with."""

    serial: int


class Resumed(Event, frozen=True):
    """The step that had waited goes on; its clock stood still meanwhile."""

    serial: int
    shift: float
    deadline: float


class CallEnded(Event, frozen=True):
    """A call that nobody could answer has lasted long enough."""

    name: str


# Prompts -----------------------------------------------------------------------------------------------


class Prompted(Event, frozen=True):
    """A seat is asked in private; that it is asked at all, others may have heard by another event."""

    seat: int
    actions: tuple[str, ...]
    serial: int


class Asked(Event, frozen=True):
    """A question was added to the open step."""

    seats: tuple[int, ...]
    action: str


class Answered(Event, frozen=True):
    """A seat answered. `final`: it cannot be changed. `by_chance`: drawn at the deadline."""

    seat: int
    action: str
    answer: Answer
    final: bool = False
    by_chance: bool = False


class Expired(Event, frozen=True):
    """A question's own time was up before its step's."""

    seat: int
    action: str


class Voided(Event, frozen=True):
    """An answer no longer counts because it named somebody who has gone (G2); the question is open again."""

    seat: int
    action: str
    serial: int


class AsksDropped(Event, frozen=True):
    """Seats that are no longer in the game are asked nothing any more in a step; these of its calls go on."""

    seats: tuple[int, ...]
    serial: int
    open_calls: tuple[Call, ...]


class Gone(Event, frozen=True):
    """Somebody who was dead already has left: he is asked nothing any more (G6)."""

    seat: int


class Told(Event, frozen=True):
    """A seat was told something in private; no facts: that there is nothing to tell."""

    seat: int
    occasion: str
    facts: tuple[Fact, ...]


class Reminded(Event, frozen=True):
    """A seat is reminded of a rule about what it is being asked."""

    seat: int
    action: str


class Denied(Event, frozen=True):
    """A seat is reminded that it may not do what it would otherwise be asked for."""

    seat: int
    action: str


OfTheAgenda = (
    Planned
    | Opened
    | Closed
    | Resumed
    | CallEnded
    | Prompted
    | Asked
    | Answered
    | Expired
    | Voided
    | AsksDropped
    | Gone
    | Told
    | Reminded
    | Denied
)
