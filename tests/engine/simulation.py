"""Random games: a table of house players who answer what they are asked, a clock, and now and then the host.

Everything goes through the engine's door. What was done is recorded, so that it can be done again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from engine import (
    RULE_BOOKS,
    Answer,
    Command,
    Draw,
    Event,
    Expel,
    Extend,
    Game,
    Leave,
    Prompt,
    Refused,
    RuleBook,
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
    view_for,
)
from engine.commands import Host
from engine.prompts import ability_of
from engine.roles import ROLES
from tests.engine.drawn import drawn_setup, due_options

NOON = 1_800_000_000.0
"""When games of the tests begin, in epoch seconds."""

LONGEST_GAME = 5_000
"""More commands than any random game takes; one that takes more does not end."""


def seed(number: int) -> bytes:
    """A seed by its number."""
    return number.to_bytes(32, "big")


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
    """Who plays at random.

    pass_rate, host_rate: how often a seat declines and the table interferes. standing_rate: how often somebody
    thinks of what can be done at any time.
    """

    rng: random.Random
    pass_rate: float = 0.15
    host_rate: float = 0.02
    standing_rate: float = 0.05
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
            return self._interference(game, later), later
        standing = self.rng.random() < self.standing_rate
        waiting = [p for p in choices(game) if p.answer is None and (standing or p.action not in DRASTIC)]
        if not waiting:
            return Tick(), due
        prompt = self.rng.choice(waiting)
        serial = prompt.serial if self.rng.random() < 0.5 else None
        return Answer(prompt.seat, prompt.action, self.answer(prompt), serial), later

    def answer(self, prompt: Prompt) -> Selection:
        """One of the legal answers."""
        if prompt.optional and (not prompt.options or self.rng.random() < self.pass_rate):
            return ()
        count = self.rng.choice((prompt.least, self.rng.randint(prompt.least, prompt.most)))
        return tuple(self.rng.sample(prompt.options, count))

    def _interference(self, game: Game, now: float) -> Command:
        """One of the table's commands, or a changed mind; a step is extended once only, so that it ends.

        Lovers are interfered with more than others: what follows from their deaths interrupts what is going on.
        """
        prompts = choices(game)
        step = view_for(game, None).step
        kind = self.rng.choice(("extend", "skip", "warn", "expel", "leave", "draw", "change", "change", "change"))
        lovers = [lover for lover in game.lovers if game.is_living(lover)]
        living = game.living()
        if not living:
            # All are dead, and somebody may still shoot.
            return Skip("host")
        seat = self.rng.choice(lovers if lovers and self.rng.random() < 0.5 else living)
        actors = authorities(game, now)
        if kind == "extend" and actors and step and step.serial not in self.extended:
            self.extended.add(step.serial)
            return Extend(actors[0], self.rng.randint(1, 120))
        if kind == "warn":
            return Warn("host", seat, self.rng.choice(("", "oath", "outside")))
        if kind == "expel":
            sentence = Expel("host", seat, "sentence")
            return sentence if happens(game, sentence, now) and self.rng.random() < 0.5 else Expel("host", seat)
        if kind == "leave":
            dead = [place.number for place in game.seats if not place.alive and not place.gone]
            asked = [prompt.seat for prompt in prompts if prompt.seat in dead]
            return Leave(self.rng.choice(asked or dead or [seat]) if self.rng.random() < 0.5 else seat)
        if kind == "draw" and happens(game, Draw("host"), now):
            return Draw("host")
        if kind == "change" and prompts:
            prompt = self.rng.choice(prompts)
            return Answer(prompt.seat, prompt.action, self.answer(prompt))
        return Skip(actors[0]) if actors else Tick()


DRASTIC = {"wolf.explode", "sheriff.withdraw"}
"""What a seat may do for so long that it seldom thinks of it."""


def stands(prompt: Prompt) -> bool:
    """Say whether the question stands beside those of the step and may outlive it."""
    return ability_of(prompt.action).standing is not None


def happens(game: Game, command: Command, now: float) -> bool:
    """Say whether the command is accepted."""
    return not isinstance(decide(game, command, now), Refused)


def authorities(game: Game, now: float) -> list[int | Host]:
    """Who may end the open step: the host, or the seat that stands in for one."""
    anybody: list[int | Host] = ["host", *range(1, len(game.seats) + 1)]
    return [actor for actor in anybody if happens(game, Skip(actor), now)]


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


def random_table(book: str, seats: int, name: str) -> Table:
    """A table of the book, as its name draws it."""
    return Table(drawn_setup(book, seats, name), random.Random(f"seed.{book}.{seats}.{name}").randbytes(32))


def sampled_seats(rules: RuleBook) -> list[int]:
    """The fewest, the most, and some between: few enough for the laws to be tried on all."""
    step = -(-(rules.most - rules.fewest) // 4)
    return sorted({*range(rules.fewest, rules.most, step), rules.most})


IN_HOUSES = {"wolf.kill", "thief.look", "trap.use"}
IN_THE_VILLAGE = {"wolves.kill", "thief.take"}
"""What the same card does in the book of the houses, and in the others."""


def actions_of(rules: RuleBook, *, usual: bool) -> set[str]:
    """What the cards of a book can do; `usual`: with the options that it has by itself."""
    actions = {ability.action for role in rules.roles for ability in ROLES[role].abilities}
    actions -= IN_THE_VILLAGE if rules.name == "lupusburg" else IN_HOUSES
    options = rules.options({})
    if not options.explode if usual else "explode" not in rules.option_names:
        actions -= {"wolf.explode"}
    if options.idiot != "returns" if usual else "idiot" not in rules.option_names:
        actions -= {"speech.claim"}
    return actions


BOOKS_AND_SEATS = [(rules.name, seats) for rules in RULE_BOOKS.values() for seats in sampled_seats(rules)]
"""The tables at which random games are played."""

_MOODS = ((0.0, 0.15), (0.05, 0.15), (0.3, 0.15), (0.1, 0.9), (0.3, 0.5))
"""How often the host interferes, and how often a seat declines."""


def tables(book: str, seats: int) -> Iterator[tuple[Table, House]]:
    """The games of one number of seats."""
    for turn, (host_rate, pass_rate) in enumerate(2 * _MOODS):
        house = House(random.Random(f"{book}.{seats}.{turn}"), host_rate=host_rate, pass_rate=pass_rate)
        if turn % 3 == 1:
            house.standing_rate = 0.4
        setup = drawn_setup(book, seats, str(turn), due_options(book, seats, turn, 2 * len(_MOODS)))
        yield Table(setup, house.rng.randbytes(32)), house
