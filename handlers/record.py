"""The record of one table: who sits there, the game, and what is still to be sent. One row, one version.

Users and chats are the platform's ids; instants are epoch seconds. The record holds secrets: it goes to the
store and nowhere else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Struct

from engine import Game, load
from engine.events import AnyEvent
from handlers.packing import squeeze, unsqueeze

SORT = "TABLE"
PACK_ACTION = "wolves.kill"
"""What the pack answers together: each sees what the others have said."""

RECEIPTS = 100
"""How many triggers are remembered so that one that comes again changes nothing."""

PRESS_COMES_AGAIN_MIN = 3
"""For more than so many minutes a press is remembered: Telegram drops one that it could not deliver after 2½."""


Options = dict[str, bool | int | float | str | tuple[str | float, ...]]
"""What a table has changed of its book's options."""


class Person(Struct, frozen=True, omit_defaults=True):
    """Somebody who has joined. `reachable`: the bot may write to him in private."""

    user: int
    name: str
    language: str
    reachable: bool = True


class Reply(Struct, frozen=True, omit_defaults=True):
    """What a press is answered with: a code of the wording's, and what it speaks of.

    chosen: an answer that counts. name: of a person or group, as it came from outside. alert: to be shown until it
    is closed. url: to be opened instead. strip: the pressed keyboard is of no use. mask: the options chosen so far
    where several are wanted.
    """

    code: str
    seat: int = 0
    number: int = 0
    word: str = ""
    chosen: tuple[int | str, ...] = ()
    name: str = ""
    alert: bool = False
    url: str = ""
    strip: bool = False
    mask: int | None = None


class Receipt(Struct, frozen=True, omit_defaults=True):
    """A trigger that has been dealt with, in which minute since the epoch, and its answer.

    last: the last effect that was waiting by then.
    """

    trigger: str
    reply: Reply | None
    last: int
    minute: int = 0

    def is_of_use(self, now: float) -> bool:
        """Say whether the trigger may still come again; a text may for a day."""
        return not self.trigger.startswith("c") or now // 60 - self.minute <= PRESS_COMES_AGAIN_MIN


class Lease(Struct, frozen=True):
    """Who is sending: nobody else does until then. `trigger`: on whose account."""

    owner: str
    until: float
    trigger: str


# Effects: what is to be sent. Sentences are made when they are ---------------------------------------------


class Effect(Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """Something to do once the state is durable. `seq`: its place in the order. `after`: not before then."""

    seq: int
    after: float = 0.0


class News(Effect, frozen=True):
    """A new message: to a seat, or (0) to the group. What it says are these events."""

    seat: int
    events: tuple[AnyEvent, ...]


class Sheet(Effect, frozen=True):
    """What a seat is asked in private in a step, what it answered, what it was told in answer.

    standing: the one action that is asked here, where it stands beside the steps. new: a message of its own; else
    the last one is edited. over: it is done with, another one follows it.
    asks: the actions with the answers so far. pack: the fellow wolves' answers. events: what else it says.
    """

    seat: int
    serial: int
    new: bool
    asks: dict[str, tuple[int | str, ...] | None]
    pack: dict[int, tuple[int | str, ...]] = {}
    events: tuple[AnyEvent, ...] = ()
    over: bool = False
    standing: str = ""

    @property
    def key(self) -> str:
        """Its name in `messages`."""
        return sheet_key(self.seat, self.serial, self.standing)


def sheet_key(seat: int, serial: int, standing: str = "") -> str:
    """What a sheet is called; what stands beside the steps has one of its own."""
    return f"{seat}.{serial}.{standing}" if standing else f"{seat}.{serial}"


class Night(Effect, frozen=True):
    """The night's message in the group, new or edited: the calls so far, wave by wave. key: its name.

    counted: the last call lasts to its deadline, whoever answers.
    """

    key: str
    day: int
    new: bool
    waves: tuple[tuple[str, ...], ...]
    deadline: float
    counted: bool = False


class Retire(Effect, frozen=True):
    """The group's message that another one follows: its clock stops and its keyboard goes.

    key: its name in `messages`. events: what it says; day, waves: or those of a night, of which the last is still
    open where it goes on (`open`).
    """

    key: str
    events: tuple[AnyEvent, ...] = ()
    day: int = 0
    waves: tuple[tuple[str, ...], ...] = ()
    open: bool = False


class Counter(Effect, frozen=True):
    """The group's message of a step, edited to show how many have answered; nothing if the step is over."""

    serial: int


class Strip(Effect, frozen=True):
    """Take the keyboard off a message. `key`: its name in `messages`."""

    key: str


class LobbyCard(Effect, frozen=True):
    """The lobby's message, new or edited."""

    new: bool


class SettingsCard(Effect, frozen=True):
    """The message with a lobby's options, new or edited. page: from 0; others have names in `cards`."""

    new: bool
    page: int


class Whisper(Effect, frozen=True):
    """What one of the pack says to another at night. It is in no event, and in no record once it is sent."""

    seat: int
    by: int
    text: str


class Remind(Effect, frozen=True):
    """Tell those who still owe an answer that time runs out: a seat in private, or (0) the group's `seats`."""

    seat: int
    seats: tuple[int, ...]
    serial: int
    deadline: float


class Notice(Effect, frozen=True):
    """A sentence that no event makes: to a seat, or (0) to the group. `code`: its key among the notices.

    about: the seat it speaks of, seats: or several; by: the name of who did it, as it came from outside.
    """

    code: str
    seat: int = 0
    about: int = 0
    seats: tuple[int, ...] = ()
    number: int = 0
    word: str = ""
    by: str = ""


class Archive(Effect, frozen=True):
    """Move the events of a day, or of a part of it, out of the record into a row of their own."""

    game: int
    day: int
    part: int = 0


AnyEffect = (
    News
    | Sheet
    | Night
    | Retire
    | Counter
    | Strip
    | LobbyCard
    | SettingsCard
    | Whisper
    | Remind
    | Notice
    | Archive
)


class Budget(Struct, frozen=True, omit_defaults=True):
    """Sends and edits in the group in the running minute (its number since the epoch)."""

    minute: int = 0
    sends: int = 0
    edits: int = 0


class Count(Struct, frozen=True, omit_defaults=True):
    """The counter under a step's message: when and how often it was edited, and whether it is behind."""

    serial: int = 0
    edited: float = 0.0
    edits: int = 0
    behind: bool = False


class Day(Struct, frozen=True, omit_defaults=True):
    """The events of a day, or of a part of it, that are not archived yet. Parts are counted from 0."""

    day: int
    events: tuple[AnyEvent, ...]
    part: int = 0


class Table(Struct, frozen=True, omit_defaults=True):
    """The record. `people`: in the order of joining; once a game runs, by seat. `game`: its `dump`.

    joined: the users of a running game in the order of joining.
    title: the group's name. opener_name: the host's, while he has no seat; both as they came from outside.
    specials: the roles switched on, None for those the book recommends.
    differed: the options that stood first when the settings were opened.
    idle, discipline: the rules of the house. waves: the calls of the running night so far.
    messages: the ids of messages that may still be edited: `lobby`, `group.<serial>`, those of sheets.
    part: of the running day, the one that is being lived through.
    began, ended: instants of the last game's start and end.
    chronicle: the events the story of a game is told from, secret until its end.
    heard_at: when somebody last touched the lobby. heard_day: the day of the game somebody last pressed or wrote.
    closing: when a lobby that was warned closes. missed: public turns each seat let pass in a row.
    opened: serial and instant of the open step. reminded: the serials whose debtors were reminded.
    talked: when each of the pack last spoke. newest: the name of the group's message that bears the card
    button; said: the events it is made of.
    """

    id: str
    chat: int
    language: str
    opener: int
    phase: Literal["lobby", "playing", "over"] = "lobby"
    topic: int | None = None
    title: str = ""
    opener_name: str = ""
    token: str = ""
    book: str = "classic"
    options: Options = {}
    specials: tuple[str, ...] | None = None
    differed: tuple[str, ...] = ()
    idle: str = "remind"
    discipline: str = "off"
    people: tuple[Person, ...] = ()
    joined: tuple[int, ...] = ()
    games: int = 0
    began: float = 0.0
    ended: float = 0.0
    game: bytes = b""
    today: tuple[Day, ...] = ()
    part: int = 0
    waves: tuple[tuple[str, ...], ...] = ()
    outbox: tuple[AnyEffect, ...] = ()
    next_seq: int = 1
    chronicle: tuple[AnyEvent, ...] = ()
    heard_at: float = 0.0
    heard_day: int = 0
    closing: float = 0.0
    missed: dict[int, int] = {}
    opened: tuple[int, float] = (0, 0.0)
    reminded: tuple[int, ...] = ()
    talked: dict[int, float] = {}
    receipts: tuple[Receipt, ...] = ()
    lease: Lease | None = None
    messages: dict[str, int] = {}
    newest: str = ""
    said: tuple[AnyEvent, ...] = ()
    count: Count = Count()
    budget: Budget = Budget()
    written_by: str = ""

    def seat_of(self, user: int) -> int:
        """The seat (from 1) of a user; 0 if he has none here."""
        return next((seat for seat, person in enumerate(self.people, start=1) if person.user == user), 0)

    def person(self, seat: int) -> Person:
        """Who sits on a seat."""
        return self.people[seat - 1]

    def play(self) -> Game:
        """The game, as it stands."""
        return _played(self.game)

    def receipt(self, trigger: str) -> Receipt | None:
        """The receipt of a trigger that has been dealt with."""
        return next((receipt for receipt in self.receipts if receipt.trigger == trigger), None)


@lru_cache(maxsize=16)
def _played(stored: bytes) -> Game:
    """The game of these bytes: everything that a press asks about it, it asks of the same few."""
    return load(stored)


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Table)


def pack(table: Table) -> bytes:
    """The record as bytes."""
    return squeeze(_encoder.encode(table))


def unpack(body: bytes) -> Table:
    """The record that `pack` wrote."""
    return _decoder.decode(unsqueeze(body))


def key_of(table_id: str) -> str:
    """The store's key of a table."""
    return f"TABLE#{table_id}"
