"""The night."""

from __future__ import annotations

from engine.events.event import Event
from engine.game import Intent


class NightFell(Event, frozen=True):
    """Night `day` began."""

    day: int


class WaveOpened(Event, frozen=True):
    """These roles of the public deck are called, whether or not anybody holds them.

    counted: the call lasts to its deadline, whoever answers (the Sage counts).
    """

    serial: int
    calls: tuple[str, ...]
    deadline: float
    counted: bool = False


class Gathered(Event, frozen=True):
    """A wave closed; this is what its seats want to happen."""

    intents: tuple[Intent, ...]


class Attacked(Event, frozen=True):
    """Whom the pack attacks tonight; 0 for nobody."""

    seat: int


class GirlTaken(Event, frozen=True):
    """The pack has seized the little girl instead of its other target."""

    seat: int


class Became(Event, frozen=True):
    """A seat plays another role from now on."""

    seat: int
    role: str
    tokens: dict[str, int]


class Marked(Event, frozen=True):
    """A seat is in a condition from now on."""

    seat: int
    mark: str


class Unmarked(Event, frozen=True):
    """A seat is no longer in a condition."""

    seat: int
    mark: str


class Enchanted(Event, frozen=True):
    """Seats have been enchanted."""

    seats: tuple[int, ...]


class Linked(Event, frozen=True):
    """Two seats fell in love."""

    lovers: tuple[int, int]


class Spent(Event, frozen=True):
    """A seat has used up something it had."""

    seat: int
    token: str


class PowerGone(Event, frozen=True):
    """A seat is called in the night, and told that its power is gone (ruling 3)."""

    seat: int
    call: str


OfTheNight = (
    NightFell
    | WaveOpened
    | Gathered
    | Attacked
    | GirlTaken
    | Became
    | Marked
    | Unmarked
    | Enchanted
    | Linked
    | Spent
    | PowerGone
)
