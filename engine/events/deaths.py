"""Deaths, and what follows from them."""

from __future__ import annotations

from msgspec import Struct

from engine.events.event import Event
from engine.game import Due


class Death(Struct, frozen=True, omit_defaults=True):
    """A dead seat as the public sees it, or one of its characters, by its `house`.

    `card`: the role turned over, empty where it stays hidden.
    """

    seat: int
    card: str = ""
    house: str = ""


class Struck(Event, frozen=True):
    """Seats, or characters by their `houses`, are to die, each of its cause; and what that will lead to."""

    causes: dict[int, str]
    dues: tuple[Due, ...]
    houses: tuple[tuple[str, str], ...] = ()


class Fell(Event, frozen=True):
    """Deaths were made public: of the `night`, or by a cause that everybody sees.

    Those are `lynch`, `tie`, `shot`, `heartbreak`, `curse`, `explode`, `left`, `expelled`.

    What killed in the night is not said. `by`: the seat that shot, that was loved, or whose death is the curse.
    """

    occasion: str
    deaths: tuple[Death, ...]
    day: int
    by: int = 0


class CameBack(Event, frozen=True):
    """A seat that was lynched is back at dawn, for good; it votes no more. `card`: what it showed."""

    seat: int
    card: str


class Wounded(Event, frozen=True):
    """An attack has cost a seat lives; so many are left."""

    seat: int
    lives: int


class TurnedOver(Event, frozen=True):
    """Instead of dying a seat has turned its card over; it votes no more."""

    seat: int
    card: str


class CardShown(Event, frozen=True):
    """A seat whose card had stayed hidden showed it."""

    seat: int
    card: str


class PowersLost(Event, frozen=True):
    """The roles of the village have lost their powers for good; `elder`: by whose death."""

    elder: int


class VotersNamed(Event, frozen=True):
    """A scapegoat has said who may vote tomorrow, on this `day`; if he was silent: all who live.

    barred: the others who live.
    """

    seat: int
    voters: tuple[int, ...]
    barred: tuple[int, ...]
    day: int


class DueTaken(Event, frozen=True):
    """A consequence is being seen to."""

    due: Due


OfDeaths = Struck | Fell | CameBack | Wounded | TurnedOver | CardShown | PowersLost | VotersNamed | DueTaken
