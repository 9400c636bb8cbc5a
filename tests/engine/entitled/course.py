"""Worlds of a table played on the engine: who answers what and when, what each seat is shown and may know.

Whoever is called answers at the instant at which the same call would end if nobody held it: when a holder answers
is chance, that he exists is the secret. All of a pack answer alike (ruling G16 is the one exception).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import engine
from engine import Prompt, Refused, Selection, Setup, Tick
from engine import events as e
from engine.prompts import ability_of
from engine.rights import RIGHTS
from engine.roles import ROLES
from tests.engine.entitled.ledger import Disturbance, Entitled, Table, happens
from tests.engine.entitled.transcripts import (
    BEGAN,
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

FIRST_VOTE, NEXT_VOTE = 2.0, 0.1
"""By day one seat answers after the other; seconds."""

EARLY, IN_CALL, IN_BALLOT = 0.5, 11.0, 2.25
"""So many seconds after a step has opened every seat tries what it may not do, and what it may."""

TRIED_AGAIN: Mapping[str, tuple[float, ...]] = {
    "wave": (IN_CALL,),
    **dict.fromkeys(("ballot", "nomination", "verdict"), (IN_BALLOT,)),
}

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
    """Everybody's behaviour, whatever the deal: preferences drawn by name.

    swapped: killers change places. spares: who would vote for the one who goes in that ballot abstains instead.
    """

    name: str
    heals: bool = True
    swapped: bool = False
    secrets: int = 0
    disturbed: Disturbance | None = None
    spares: bool = False

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
        if gone := self._goes_in(prompt, day):
            # Who has voted for him abstains when he is asked anew, or has done so before.
            first = named if named in (*order, gone) else next(iter(order), gone)
            if prompt.optional and first == gone and (self.spares or gone not in order):
                return ()
        chosen = order[: max(prompt.least, 1)]
        return tuple(option for option in prompt.options if option in chosen)

    def _goes_in(self, prompt: Prompt, day: int) -> int:
        """Who goes while this ballot is open; 0: nobody."""
        upset = self.disturbed
        if upset and upset.what in ("leave", "expel") and (upset.day, upset.where) == (day, prompt.action):
            return upset.seat
        return 0

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
        if self.disturbed and "." in self.disturbed.where:
            yield replace(self, spares=True)


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
        upset = None
        if table.disturbed:
            upset = table.disturbed[number % len(table.disturbed)]
            seat = upset.seat or Random(f"{book}.{table.name}.{number}.disturbed").randint(1, table.seats)
            upset = replace(upset, seat=seat)
        for line in Line(f"{book}.{table.name}.{number}", heals=number % 2 > 0, disturbed=upset).siblings():
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
        self.disturbance: tuple[float, engine.Command] | None = None
        self.disturbed = False
        self.tried: dict[int, int] = {}
        self.tries = {seat: tries(table, seat) for seat in range(1, table.seats + 1)}
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
            command, at = self._next(now)
            self._try_before(at)
            now = at
            outcome = engine.decide(self.game, command, now)
            if isinstance(outcome, Refused):
                # The host wants something of a seat that is dead: that he is refused, everybody may see.
                assert isinstance(command, engine.Warn | engine.Expel), (command, outcome, str(self.world))
                self.shown[PUBLIC].append(Shown(now, outcome.code))
                continue
            self._happen(outcome, now)
        self._cut()
        known = {seat: tuple(cuts) for seat, cuts in self.cuts.items()}
        return Run(self.world, (self.world.deal, self.world.centre), known)

    def _next(self, now: float) -> tuple[engine.Command, float]:
        due = engine.due_at(self.game)
        assert due is not None
        waiting = [
            (self._answers_at(prompt, now), prompt.seat, prompt)
            for prompt in engine.choices(self.game)
            if prompt.answer is None and ability_of(prompt.action).standing is None
        ]
        at, _, prompt = min(waiting, key=lambda item: item[:2], default=(due, 0, None))
        if self.disturbance and self.disturbance[0] < min(at, due):
            (at, command), self.disturbance = self.disturbance, None
            self._note_disturbance(at)
            return command, at
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

    def _expect(self, event: engine.Event, now: float) -> None:
        """Plan the disturbance when what it waits for opens, which everybody hears."""
        upset = self.world.line.disturbed
        if not upset or self.disturbed or event.audience != "everybody" or upset.day != self.game.day:
            return
        if upset.where in (type(event).__name__, getattr(event, "action", ""), *getattr(event, "calls", ())):
            self.disturbed = True
            self.disturbance = now + upset.after, upset.command()

    def _note_disturbance(self, at: float) -> None:
        """Whoever does it, or sees it done, knows when it was; of one of the dead who leaves nobody else hears."""
        upset = self.world.line.disturbed
        assert upset is not None
        hidden = upset.what == "leave" and not self.game.is_living(upset.seat)
        if hidden:
            self.shown[upset.seat].append(Shown(at, "leaves"))
        for seat in (upset.seat,) if hidden else self.notes:
            self.notes[seat].append(("leaves unheard" if hidden else str(upset), upset.after))

    def _try_before(self, until: float) -> None:
        """Every seat tries some of what there is to try. Nothing happens; that it could is kept, or why not."""
        step = engine.view_for(self.game, None).step
        if step is None:
            return
        opened = self.since.setdefault(step.serial, until)
        instants = EARLY, *TRIED_AGAIN.get(step.kind, ())
        for nth in range(self.tried.get(step.serial, 0), len(instants)):
            at = opened + instants[nth]
            if at >= until:
                return
            self.tried[step.serial] = nth + 1
            for seat, commands in self.tries.items():
                codes = []
                for command in commands[(2 * step.serial + nth) % len(commands)]:
                    outcome = engine.decide(self.game, command, at)
                    codes.append(outcome.code if isinstance(outcome, Refused) else "accepted")
                self.shown[seat].append(Shown(at, f"tries {' '.join(codes)}"))

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
            self._expect(event, now)
        if not self.game.over:
            self.since.setdefault(self.game.agenda[0].serial, now)
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


def tries(table: Table, seat: int) -> tuple[tuple[engine.Command, ...], ...]:
    """What a seat tries, instant by instant: every action of the deck, with one answer after the other, well and
    badly made; the table's commands."""
    seats = range(1, table.seats + 1)
    answers: list[Selection] = [(), ("yes",), (1, 2), (1, 1), *((number,) for number in seats)]
    if table.each > 1:
        answers += ((house,) for number in seats for house in (f"{number}a", f"{number}b"))
    cards = sorted({ability.action for card in table.cards for ability in ROLES[card].abilities})
    actions = ["vote.lynch", *cards, *sorted({*RIGHTS} - {"vote.lynch"}), "no.action"]
    wrong = engine.Answer(seat, "vote.lynch", (1,), serial=1)
    commands = (engine.Leave(seat), engine.Skip(seat), engine.Extend(seat, 10), engine.Draw("host"), wrong)
    return tuple(
        (
            *(engine.Answer(seat, action, answers[(nth + i) % len(answers)]) for i, action in enumerate(actions)),
            commands[nth % len(commands)],
        )
        for nth in range(len(answers) * len(commands))
    )


def play_all(book: str, table: Table, entitled: Entitled, render: Render | None = None) -> Iterable[Run]:
    """The worlds of a table, one after the other."""
    return (Course(book, table, entitled, world, render).play() for world in worlds(book, table))


def check(
    book: str, table: Table, entitled: Entitled, render: Render | None = None, *, first_leak_only: bool = False
) -> Verdict:
    """Play the worlds of a table and compare them. `render` adds the words made of what somebody hears."""
    return compare(play_all(book, table, entitled, render), first_leak_only=first_leak_only)
