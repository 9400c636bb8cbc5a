"""Random games: a table of house players who answer what they are asked, a clock, and now and then the host.

Everything goes through the engine's door. What was done is recorded, so that it can be done again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from engine import (
    RULE_BOOKS,
    Answer,
    Command,
    Event,
    Expel,
    Extend,
    Game,
    Leave,
    OptionRefused,
    Prompt,
    Refused,
    Selection,
    Setup,
    Skip,
    Tick,
    Warn,
    choices,
    decide,
    due_at,
    evolve,
    replay,
    start,
)

NOON = 1_800_000_000.0
"""When games of the tests begin, in epoch seconds."""

LONGEST_GAME = 5_000
"""More commands than any random game takes; one that takes more does not end."""


@dataclass(frozen=True)
class Table:
    """What a game is made from: with the same commands it is the same game."""

    setup: Setup
    seed: bytes
    now: float = NOON

    def begin(self) -> Moment:
        """The game up to its first open question."""
        events = start(self.setup, self.seed, self.now)
        return Moment(None, self.now, events, replay(events))


@dataclass(frozen=True)
class Moment:
    """A command, when it came, what it led to, and the game after it. The first moment has no command."""

    command: Command | None
    now: float
    events: tuple[Event, ...]
    game: Game


@dataclass
class House:
    """Who plays at random. `pass_rate`, `host_rate`: how often a seat declines and the table interferes."""

    rng: random.Random
    pass_rate: float = 0.15
    host_rate: float = 0.02
    pace: tuple[float, float] = (0.0, 3.0)
    extended: set[int] = field(default_factory=set)

    def command(self, game: Game, now: float) -> tuple[Command, float]:
        """What happens next, and when."""
        due = due_at(game)
        assert due is not None, "a game that goes on has a clock"
        later = round(now + self.rng.uniform(*self.pace), 3)
        if later >= due:
            return Tick(), due
        if self.rng.random() < self.host_rate:
            return self._interference(game), later
        waiting = [prompt for prompt in choices(game) if prompt.answer is None]
        if not waiting:
            return Tick(), due
        prompt = self.rng.choice(waiting)
        serial = prompt.serial if self.rng.random() < 0.5 else None
        return Answer(prompt.seat, prompt.action, self.answer(prompt), serial), later

    def answer(self, prompt: Prompt) -> Selection:
        """One of the legal answers."""
        if prompt.optional and (not prompt.options or self.rng.random() < self.pass_rate):
            return ()
        count = self.rng.randint(prompt.least, prompt.most)
        return tuple(self.rng.sample(prompt.options, count))

    def _interference(self, game: Game) -> Command:
        """One of the table's commands, or a changed mind; a step is extended once only, so that it ends.

        Lovers are interfered with more than others: what follows from their deaths interrupts what is going on.
        """
        prompts = choices(game)
        serial = prompts[0].serial if prompts else 0
        kind = self.rng.choice(("extend", "skip", "warn", "expel", "leave", "change", "change", "change"))
        lovers = [lover for lover in game.lovers if game.is_living(lover)]
        seat = self.rng.choice(lovers if lovers and self.rng.random() < 0.5 else game.living())
        if kind == "extend" and serial and serial not in self.extended:
            self.extended.add(serial)
            return Extend("host", self.rng.randint(1, 120))
        if kind == "warn":
            return Warn("host", seat, self.rng.choice(("", "oath", "sentence")))
        if kind == "expel":
            return Expel("host", seat)
        if kind == "leave":
            dead = [place.number for place in game.seats if not place.alive and not place.gone]
            asked = [prompt.seat for prompt in prompts if prompt.seat in dead]
            return Leave(self.rng.choice(asked or dead or [seat]) if self.rng.random() < 0.5 else seat)
        if kind == "change" and prompts:
            prompt = self.rng.choice(prompts)
            return Answer(prompt.seat, prompt.action, self.answer(prompt))
        return Skip("host")


def play(game: Game, command: Command, now: float) -> Moment:
    """Let a command that must be accepted happen."""
    events = decide(game, command, now)
    assert not isinstance(events, Refused), (command, events)
    for event in events:
        game = evolve(game, event)
    return Moment(command, now, events, game)


def random_game(table: Table, house: House) -> Iterator[Moment]:
    """A game from its start to its end, moment by moment."""
    moment = table.begin()
    yield moment
    for _ in range(LONGEST_GAME):
        if moment.game.over:
            return
        command, now = house.command(moment.game, moment.now)
        moment = play(moment.game, command, now)
        yield moment
    raise AssertionError(f"no end after {LONGEST_GAME} commands")


def again(table: Table, commands: Iterable[tuple[Command, float]]) -> Iterator[Moment]:
    """The same commands at the same instants, from the start."""
    moment = table.begin()
    yield moment
    for command, now in commands:
        moment = play(moment.game, command, now)
        yield moment


def every_answer(prompt: Prompt) -> Iterator[Selection]:
    """All legal answers, each selection once: a prompt's options have no order."""
    if prompt.optional:
        yield ()
    for count in range(prompt.least, prompt.most + 1):
        yield from combinations(prompt.options, count)


VARIATIONS: tuple[dict[str, Any], ...] = (
    {},
    {"speech": "turns", "tie": "runoff", "ballots": "open", "badge": "must", "last_words": ["wolves", "lynch"]},
    {"reveal_on_death": False, "hunter_shoots_when": "any", "wolves_win": "parity", "tie": "runoff"},
    {"sheriff": False, "witch_potions_per_night": 1, "witch_self_heal": "never", "seer_sees": "camp"},
    {"abstain": False, "wolves_may_pass": False, "wolves_may_attack_wolves": False, "wolves_agree": "unanimous"},
    {"thief_must_take": "always", "guard_covers_girl": False, "girl_noticed": 1, "lovers_know": "role"},
    {"shuffle_seats": True, "warnings": 1, "leavers_win": True, "max_days": 3, "guard_and_heal_kills": True},
    {"abstain": False, "tie": "runoff", "tie_voters": "untied", "tie_rounds": 2, "badge": "must"},
    {"lovers_may_vote_each_other": True, "guard_self": False, "guard_repeat": True, "girl_noticed": 0},
    {"reveal_on_lynch": False, "speech": "turns", "last_words": ["wolves", "poison", "shot", "heartbreak"]},
    {"all_dead": "wolves", "witch_told": "with_antidote", "warnings_by_kind": True, "sheriff_weight": 1.5},
    {"seen_as_wolf": ["hunter"], "witch_told_when_protected": False, "witch_self_heal": "no_guard"},
)
"""Options to play with, each set as different from the last as may be; a book takes those it has."""


def options_for(book: str, variation: int) -> dict[str, Any]:
    """One of the variations, as far as the book has its options and values."""
    rules = RULE_BOOKS[book]
    options: dict[str, Any] = {}
    for name, value in VARIATIONS[variation % len(VARIATIONS)].items():
        try:
            rules.freeze({name: value})
        except OptionRefused:
            continue
        options[name] = value
    return options


def random_deck(book: str, seats: int, rng: random.Random, options: dict[str, Any]) -> dict[str, int]:
    """A deck that the book deals: the one it recommends, with roles put in and taken out."""
    rules = RULE_BOOKS[book]
    frozen = rules.options(options)
    deck = rules.deck_for(seats)
    for _ in range(8):
        role = rng.choice(rules.roles)
        by = rng.choice((1, 1, -1))
        changed = {**deck, role: deck.get(role, 0) + by, "villager": deck.get("villager", 0) - by}
        changed = {name: count for name, count in changed.items() if count}
        if min(changed.values()) > 0 and not rules.problems_of(seats, changed, frozen):
            deck = changed
    return deck


def random_table(book: str, seats: int, variation: int, rng: random.Random) -> Table:
    """A table of the book with one of the variations and some deck."""
    options = options_for(book, variation)
    deck = random_deck(book, seats, rng, options)
    return Table(Setup(book=book, seats=seats, options=options, deck=deck), rng.randbytes(32))


BOOKS_AND_SEATS = [
    (book.name, seats) for book in RULE_BOOKS.values() for seats in range(book.fewest, book.most + 1)
]
"""Every table there can be."""

_MOODS = ((0.0, 0.15), (0.03, 0.15), (0.3, 0.15), (0.1, 0.9), (0.2, 0.3), (0.4, 0.5))
"""How often the host interferes, and how often a seat declines."""


def tables(book: str, seats: int) -> Iterator[tuple[Table, House]]:
    """The games of one number of seats; over all numbers every variation has its turn several times."""
    for turn, (host_rate, pass_rate) in enumerate(_MOODS):
        rng = random.Random(f"{book}.{seats}.{turn}")
        house = House(rng, host_rate=host_rate, pass_rate=pass_rate)
        yield random_table(book, seats, seats * 5 + turn * 3, rng), house
