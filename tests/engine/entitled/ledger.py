"""What somebody is entitled to know of what has happened: the rulings that all books share.

A ruling is a function of what has happened – an event, the game before and after it, with all its secrets – that
gives notes: a seat and what it knows from now on; `PUBLIC` stands for everybody. What follows from a seat's card
and from what is public needs no note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine import Command, Event, Expel, Extend, Game, Leave, Options, Skip, Warn, dice
from engine import events as e
from engine.game import Step
from engine.options import thaw
from engine.roles import ROLES
from tests.engine.entitled.transcripts import PUBLIC, Note

Entry = tuple[int, Note]


class Happened(NamedTuple):
    """An event, and the game before and after it."""

    event: Any
    before: Game
    after: Game

    @property
    def options(self) -> Options:
        """The options of the game."""
        return thaw(self.after.options)


Ruling = Callable[[Happened], Iterator[Entry]]


@dataclass(frozen=True)
class Disturbance:
    """A seat goes, or the host does something, in the midst of a step of that day.

    what: `leave`, `skip`, `extend`, `warn`, `expel`. where: the call, the ballot or pause by its action, or the
    public event that opens the step. after: so many seconds later. seat: whom it is about; 0: drawn for a line.
    """

    what: str
    day: int
    where: str
    after: float = 1.0
    seat: int = 0

    def __str__(self) -> str:
        return f"{self.what} at {self.where}"

    def command(self) -> Command:
        """What is asked of the engine."""
        match self.what:
            case "leave":
                return Leave(self.seat)
            case "skip":
                return Skip("host")
            case "extend":
                return Extend("host", 30)
            case "warn":
                return Warn("host", self.seat)
            case "expel":
                return Expel("host", self.seat)
        raise ValueError(self.what)


@dataclass(frozen=True, kw_only=True)
class Table:
    """A small table of a book: its cards, its options, how its worlds are made.

    cards: one a seat – or two, where a seat has two characters –, and the centre's. nights: how many are played.
    lines: how many ways of behaving are tried, each with so many deals. occurs: notes that somebody must get.
    apart: cards that no seat has both of. disturbed: what disturbs a line, each line by one of them in turn.
    """

    name: str
    cards: tuple[str, ...]
    seats: int
    each: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    nights: int = 2
    lines: int = 3
    deals: int = 8
    seed: int = 1
    occurs: frozenset[str] = frozenset()
    apart: tuple[str, ...] = ()
    disturbed: tuple[Disturbance, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Entitled:
    """What a book adds to the shared rulings, and the tables it is tried on.

    rulings: by kind of event, or by the action of an answer; they stand in for a shared one of the same name.
    """

    tables: tuple[Table, ...]
    rulings: Mapping[str, Ruling]

    def notes(self, happened: Happened) -> Iterator[Entry]:
        """What is known from now on, and by whom."""
        event = happened.event
        names = [type(event).__name__]
        if isinstance(event, e.Answered):
            yield event.seat, ("I", event.action, event.answer)
            names.append(event.action)
        for name in names:
            ruling = self.rulings.get(name) or SHARED.get(name)
            if ruling:
                yield from ruling(happened)


def everybody(*note: Any) -> Entry:
    return PUBLIC, note


# Who is who ----------------------------------------------------------------------------------------------


def role_of(game: Game, seat: int) -> str:
    return game.seat(seat).role


def is_wolf(role: str) -> bool:
    return ROLES[role].wolf


def pack(game: Game) -> tuple[int, ...]:
    """The living wolves."""
    return tuple(seat.number for seat in game.seats if seat.alive and is_wolf(seat.role))


def holder(game: Game, role: str) -> int:
    """The living seat that plays the role, of which there is one; 0 if there is none."""
    return next((seat.number for seat in game.seats if seat.alive and seat.role == role), 0)


def acts(game: Game, role: str) -> int:
    """The living seat that plays the role and has its power."""
    return 0 if game.cursed and role in VILLAGE_POWERS else holder(game, role)


VILLAGE_POWERS = {"seer", "witch", "hunter", "guard", "little_girl", "scapegoat", "idiot"}
"""What the elder's death takes (new_moon); of the table of another book only some are there."""


# What the public learns ------------------------------------------------------------------------------------


def dealt(h: Happened) -> Iterator[Entry]:
    """Each its own cards, each wolf the pack."""
    for seat in h.after.seats:
        yield seat.number, ("cards", tuple(character.card for character in seat.characters))
        if all(is_wolf(character.role) for character in seat.characters):
            yield seat.number, ("pack", pack(h.after))


def shown(options: Options, occasion: str, role: str) -> bool:
    """Is the card of this dead seat turned over: by option.

    Whoever blows himself up shows himself; a lynched hunter too, unless he may hide.
    """
    if occasion == "explode" or not options.reveal_on_death:
        return occasion == "explode"
    when = options.hunter_shoots_when
    betrayed = role == "hunter" and not options.hunter_may_hide and (when == "any" or "lynch" in when)
    return occasion != "lynch" or options.reveal_on_lynch or betrayed


def fell(h: Happened) -> Iterator[Entry]:
    """Who died, on what occasion, in seat order; no cause of the night's (C21)."""
    event: e.Fell = h.event
    dead = []
    for death in sorted(event.deaths, key=lambda death: (death.seat, death.house)):
        role = "" if death.house else role_of(h.after, death.seat)
        seen = shown(h.options, event.occasion, role) or h.before.seat(death.seat).character.shown
        dead.append((death.seat, death.house, role if seen else ""))
    yield everybody(event.occasion, tuple(dead), event.by)


def votes(h: Happened) -> Iterator[Entry]:
    """After a ballot every vote is shown (G34)."""
    event: e.BallotClosed = h.event
    yield everybody(
        event.action, event.round, tuple((vote.seat, vote.choice) for vote in event.votes), event.leaders
    )


def held_fire(h: Happened) -> Iterator[Entry]:
    """That a hunter did not shoot is known only where his card lies open: else the pause tells nothing (G31)."""
    open_hunters = [s.number for s in h.after.seats if s.role == "hunter" and s.character.shown and not s.alive]
    if h.event.seat in open_hunters:
        yield everybody("no shot", h.event.seat)


def in_public(*names: str) -> Ruling:
    """These fields of an event are what everybody may know of it."""

    def ruling(h: Happened) -> Iterator[Entry]:
        yield everybody(type(h.event).__name__, *(getattr(h.event, name) for name in names))

    return ruling


def said_in_public(h: Happened) -> Iterator[Entry]:
    """An answer that everybody hears."""
    yield everybody("says", h.event.seat, h.event.action, h.event.answer)


def ended(h: Happened) -> Iterator[Entry]:
    yield everybody("over", h.event.result.camp)


# What the night tells in private ----------------------------------------------------------------------------


def opened(step: Step | None, *calls: str) -> bool:
    return step is not None and any(call in step.calls for call in calls)


def lovers(h: Happened) -> Iterator[Entry]:
    """Each other's seat; the role too where the book says so."""
    one, other = h.event.lovers
    for seat, partner in ((one, other), (other, one)):
        known = role_of(h.after, partner) if h.options.lovers_know == "role" else ""
        yield seat, ("lover", partner, known)


def became(h: Happened) -> Iterator[Entry]:
    """He knows what he plays; if it is a wolf he and the pack know each other at once."""
    yield h.event.seat, ("is now", h.event.role)
    if is_wolf(h.event.role):
        for wolf in pack(h.after):
            yield wolf, ("pack", pack(h.after))


def pack_hears(h: Happened) -> Iterator[Entry]:
    """Wolves see each other's answers as they come (ruling 5)."""
    for wolf in pack(h.after):
        yield wolf, ("pack says", h.event.seat, h.event.action, h.event.answer)


def seer_sees(h: Happened) -> Iterator[Entry]:
    """The exact role, or wolf or not, of the seat he named."""
    for target in h.event.answer:
        role = role_of(h.before, target)
        if h.options.seer_sees == "camp":
            role = "wolf" if is_wolf(role) or role in h.options.seen_as_wolf else "not wolf"
        yield h.event.seat, ("sees", target, role)


def protected(game: Game) -> int:
    """Whom the guard protects tonight, by what he has said; 0 for nobody."""
    return next(
        (t for i in game.intents if i.action == "guard.protect" for t in i.answer if isinstance(t, int)), 0
    )


def before_a_wave(h: Happened) -> Iterator[Entry]:
    """What holders are told as they are called: the thief the centre, the witch the attack."""
    calls = h.event.calls
    if "thief" in calls and (thief := holder(h.after, "thief")):
        yield thief, ("centre", tuple(sorted(h.after.centre)))
    if "witch" in calls and (witch := acts(h.after, "witch")):
        yield from _attack(h, witch)
    if h.after.cursed:
        for call in calls:
            if call in VILLAGE_POWERS and (seat := holder(h.after, call)):
                yield seat, ("power gone", call)


def _attack(h: Happened, witch: int) -> Iterator[Entry]:
    """Also if the guard protects that seat, unless the book says otherwise; while any potion is left."""
    tokens = h.after.seat(witch).character.tokens
    told = tokens["antidote"] if h.options.witch_told == "with_antidote" else sum(tokens.values())
    attacked = h.after.attack
    if attacked == protected(h.after) and not h.options.witch_told_when_protected:
        attacked = 0
    if told:
        yield witch, ("attacked", attacked if h.after.is_living(attacked) else 0)


def girl_peeks(h: Happened) -> Iterator[Entry]:
    """She sees a random wolf, and may be noticed: then the pack learns her seat; that she was, she is not told."""
    girl, game = h.event.seat, h.before
    if h.event.answer:
        yield girl, ("peeks at", dice.pick(pack(game), game.seed, game.day, "girl.peek", girl))
        if dice.fraction(game.seed, game.day, "girl.noticed", girl) < h.options.girl_noticed:
            for wolf in pack(game):
                yield wolf, ("noticed", girl)


def may_not_shoot(h: Happened) -> Iterator[Entry]:
    """A dead hunter who may not shoot is told so in private."""
    when = h.options.hunter_shoots_when
    for seat, cause in h.event.causes.items():
        if role_of(h.after, seat) == "hunter" and when != "any" and cause not in when:
            yield seat, ("may not shoot",)


def last_words(h: Happened) -> Iterator[Entry]:
    """Who may speak once more says what he did not die of: the books want it so (table «Last words?»)."""
    if h.event.name == "last_words" and h.after.seat(h.event.seat).character.cause in h.options.last_words:
        yield everybody("last words", h.event.seat)


SHARED: Mapping[str, Ruling] = {
    "Begun": dealt,
    "Fell": fell,
    "BallotClosed": votes,
    "HeldFire": held_fire,
    "SpeechOpened": last_words,
    "SheriffElected": in_public("seat"),
    "BadgePassed": in_public("seat", "to"),
    "Skipped": in_public(),
    "Extended": in_public("seconds"),
    "Warned": in_public("seat", "kind", "count"),
    "Ended": ended,
    "Linked": lovers,
    "Became": became,
    "wolves.kill": pack_hears,
    "wolves.take_girl": pack_hears,
    "seer.check": seer_sees,
    "girl.peek": girl_peeks,
    "WaveOpened": before_a_wave,
    "Struck": may_not_shoot,
}


def happens(event: Event, before: Game | None, after: Game) -> Happened:
    return Happened(event, before or after, after)
