"""Worlds of a table played on the engine: who answers what and when, what each seat is shown and may know.

Whoever is called answers at the instant at which the same call would end if nobody held it: when a holder answers
is chance, that he exists is the secret. All of a pack answer alike (ruling G16 is the one exception).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

import engine
from engine import Prompt, Refused, Selection, Setup, Tick
from engine import events as e
from engine.prompts import ability_of
from tests.engine.entitled.ledger import Entitled, Table, happens
from tests.engine.entitlement import (
    BEGAN,
    FIRST_VOTE,
    NEXT_VOTE,
    PUBLIC,
    Known,
    Note,
    Render,
    Run,
    Shown,
    Verdict,
    compare,
    encoded,
    is_dawn,
    masked,
)

KILLERS = (
    "wolves.kill",
    "wolf.kill",
    "witch.poison",
    "hunter.shoot",
    "white_wolf.banish",
    "owl.nominate",
    "vote.lynch",
)
"""What decides who dies: siblings of a line have the same dead of other causes, or other secrets."""


@dataclass(frozen=True)
class Line:
    """Everybody's behaviour, whatever the deal: preferences drawn by name. swapped: killers change places."""

    name: str
    heals: bool = True
    swapped: bool = False
    secrets: int = 0

    def chance(self, action: str, day: int, seat: int) -> Random:
        """By day every seat has a mind of its own; what is secret is done alike by whoever holds the card."""
        if self.swapped:
            action = {"wolves.kill": "witch.poison", "witch.poison": "wolves.kill"}.get(action, action)
        secrets = 0 if action in KILLERS or not ability_of(action).call else self.secrets
        return Random(f"{self.name}.{action}.{day}.{seat}.{secrets}")

    def answer(self, prompt: Prompt, day: int, seats: int) -> Selection:
        """The first of what is preferred that is legal."""
        at_night = bool(ability_of(prompt.action).call)
        chance = self.chance(prompt.action, day, 0 if at_night else prompt.seat)
        if prompt.optional and (not prompt.options or chance.random() < self._declines(prompt.action)):
            return ()
        named = Random(f"{self.name}.named.{day}").randint(1, seats)
        salt = chance.random()
        order = sorted(prompt.options, key=lambda option: Random(f"{salt}.{option}").random())
        if not at_night and named in order and chance.random() < 0.8:
            order = [named, *(option for option in order if option != named)]
        chosen = order[: max(prompt.least, 1)]
        return tuple(option for option in prompt.options if option in chosen)

    def _declines(self, action: str) -> float:
        """How often something is not done: every other line heals nobody, so that several die in one night."""
        if action == "witch.heal":
            return 1 - self.heals
        return 0.1 if action in KILLERS else 0.25

    def siblings(self) -> Iterator[Line]:
        """The line, and others that the public may take for it."""
        yield self
        yield replace(self, swapped=True)
        yield replace(self, secrets=1)


@dataclass(frozen=True)
class World:
    """A deal and what is done with it."""

    deal: tuple[tuple[str, ...], ...]
    centre: tuple[str, ...]
    line: Line

    def __str__(self) -> str:
        dealt = " ".join(f"{seat}:{'+'.join(cards)}" for seat, cards in enumerate(self.deal, 1))
        return f"{dealt} centre:{'+'.join(self.centre)} {self.line}"


def worlds(book: str, table: Table) -> Iterator[World]:
    """Some worlds of a table, always the same."""
    for number in range(table.lines):
        deals = _deals(table, Random(f"{book}.{table.name}.{number}"))
        for line in Line(f"{book}.{table.name}.{number}", heals=number % 2 > 0).siblings():
            yield from (World(deal, centre, line) for deal, centre in deals)


def _deals(table: Table, random: Random) -> list[tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]]:
    found: dict[tuple[tuple[tuple[str, ...], ...], tuple[str, ...]], None] = {}
    for _ in range(table.deals * 20):
        cards = random.sample(table.cards, len(table.cards))
        size = table.seats * table.each
        hands = tuple(tuple(sorted(cards[i : i + table.each])) for i in range(0, size, table.each))
        if table.apart and any(set(table.apart) <= set(hand) for hand in hands):
            continue
        if any("werewolf" in hand for hand in hands):
            found[hands, tuple(sorted(cards[size:]))] = None
        if len(found) == table.deals:
            break
    return list(found)


class Course:
    """Plays a world, and keeps what each seat and the public are shown and may know."""

    def __init__(self, book: str, table: Table, entitled: Entitled, world: World, render: Render | None) -> None:
        self.table = table
        self.entitled = entitled
        self.world = world
        self.render = render
        self.notes: dict[int, list[Note]] = {seat: [] for seat in range(PUBLIC, table.seats + 1)}
        self.shown: dict[int, list[Shown]] = {seat: [] for seat in self.notes}
        self.views: dict[int, bytes] = {}
        self.cuts: dict[int, list[Known]] = defaultdict(list)
        self.since: dict[int, float] = {}
        self.setup = Setup(
            book=book,
            seats=table.seats,
            options=table.options,
            deal={seat: hand if table.each > 1 else hand[0] for seat, hand in enumerate(world.deal, 1)},
            centre=world.centre,
        )

    def play(self) -> Run:
        """Play the world to its end, or to the night after its last day."""
        begun = engine.start(self.setup, seed=self.table.seed.to_bytes(32, "big"), now=BEGAN)
        self.game = engine.evolve(None, begun[0])
        self._note(begun[0], None)
        now = BEGAN
        self._happen(begun[1:], now, first=begun[:1])
        for _ in range(2000):
            if self.game.over or self.game.day > self.table.nights:
                break
            command, now = self._next(now)
            outcome = engine.decide(self.game, command, now)
            assert not isinstance(outcome, Refused), (command, outcome, str(self.world))
            self._happen(outcome, now)
        self._cut()
        return Run(self.world, {seat: tuple(cuts) for seat, cuts in self.cuts.items()}, ())

    def _next(self, now: float) -> tuple[engine.Command, float]:
        due = engine.due_at(self.game)
        assert due is not None
        waiting = [
            (self._answers_at(prompt, now), prompt.seat, prompt)
            for prompt in engine.choices(self.game)
            if prompt.answer is None and ability_of(prompt.action).standing is None
        ]
        at, _, prompt = min(waiting, key=lambda item: item[:2], default=(due, 0, None))
        if prompt is None or at >= due:
            return Tick(), due
        answer = self.world.line.answer(prompt, self.game.day, self.table.seats)
        return engine.Answer(prompt.seat, prompt.action, answer, prompt.serial), at

    def _answers_at(self, prompt: Prompt, now: float) -> float:
        """Under a call when it would end by itself; by day one seat after the other."""
        step = self.game.agenda[0]
        opened = self.since.setdefault(step.serial, now)
        ends = {call.name: call.ends for call in step.open_calls}
        by_day = opened + FIRST_VOTE + NEXT_VOTE * prompt.seat
        at = ends.get(ability_of(prompt.action).call, ends.get(prompt.action, by_day))
        return max(now, min(at, step.deadline - 1))

    # What is shown, and what may be known

    def _note(self, event: engine.Event, before: engine.Game | None) -> None:
        for seat, note in self.entitled.notes(happens(event, before, self.game)):
            for whom in self.notes if seat == PUBLIC else (seat,):
                self._add(self.notes[whom], note)

    def _add(self, notes: list[Note], note: Note) -> None:
        """The night's dead are one piece of news (C21), in however many pieces they are told."""
        if note[0] == "night" and notes and notes[-1][0] == "night":
            note = ("night", tuple(sorted((*notes.pop()[1], *note[1]))), note[2])
        notes.append(note)

    def _cut(self) -> None:
        for seat, notes in self.notes.items():
            self.cuts[seat].append(Known(tuple(notes), tuple(self.shown[seat])))

    def _happen(self, happened: Sequence[engine.Event], now: float, first: Sequence[engine.Event] = ()) -> None:
        if not first and any(_is_cut(event) for event in happened):
            self._cut()
        for event in happened:
            before, self.game = self.game, engine.evolve(self.game, event)
            self._note(event, before)
        for seat, lines in self.shown.items():
            heard = [masked(event) for event in (*first, *happened) if engine.hears(event.audience, seat or None)]
            lines += (Shown(now, encoded(event).decode()) for event in heard)
            if self.game.over:
                continue
            view = engine.view_for(self.game, seat or None)
            seen = encoded(view)
            changed = self.views.get(seat) != seen
            if changed:
                self.views[seat] = seen
                lines.append(Shown(now, seen.decode()))
            if self.render and (heard or changed):
                lines += (Shown(now, text) for text in self.render(heard, view))


def _is_cut(event: engine.Event) -> bool:
    """What is known is compared before the night's dead, before a ballot's result and at nightfall."""
    return isinstance(event, e.BallotClosed | e.NightFell) or is_dawn(event)


def check(book: str, table: Table, entitled: Entitled, render: Render | None = None) -> Verdict:
    """Play the worlds of a table and compare them."""
    return compare(Course(book, table, entitled, world, render).play() for world in worlds(book, table))
