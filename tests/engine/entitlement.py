"""Law 6, made executable: what a seat may know, what it is shown, and whether the two agree.

A world is a deal and a line of everybody's behaviour. The *oracle* tells from the rule book alone what
each seat is entitled to know of a world; the *driver* plays the world on the engine and keeps what each
seat is shown, byte for byte. Two worlds in which a seat is entitled to know the same must show it the same;
and two worlds that show it the same must not differ in what it is entitled to.

Whoever is called answers at the instant at which the same call would end if nobody held it: when a holder
answers is chance, that he exists is the secret. All wolves answer alike (ruling G16 is the one exception).
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

import msgspec

import engine
from engine import dice, events

Answer = tuple[int | str, ...]
Deal = tuple[tuple[str, ...], tuple[str, ...]]
"""The cards of the seats, and of the centre."""
Note = tuple[Any, ...]
"""One thing that somebody is entitled to know."""
Render = Callable[[Sequence[engine.Event], engine.View], list[str]]
"""The words made of what somebody hears; the view's `mine` tells who it is, None stands for the group."""

BEGAN = 1_800_000_000.0
PUBLIC = 0
"""Stands for somebody without a seat, who knows what everybody knows."""

FIRST_VOTE, NEXT_VOTE = 2.0, 0.1
"""A ballot's votes fall one after the other in seat order; seconds."""

EARLY, IN_BALLOT, IN_CALL = 0.5, 2.25, 11.0
"""So many seconds after a step has opened every seat tries what it may not do, and what it may."""


# Worlds --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Night:
    """What whoever holds a card would do in a night; 0 and empty: decline. What is not legal is declined."""

    take: str = ""
    link: tuple[int, int] = (1, 2)
    protect: int = 0
    check: int = 0
    attack: int = 0
    heal: bool = False
    poison: int = 0
    peek: bool = False
    seize: bool = False


@dataclass(frozen=True, kw_only=True)
class Day:
    """What is done in a day: the votes by seat (0 abstains), a hunter's target, a sheriff's heir."""

    votes: tuple[int, ...]
    elect: tuple[int, ...] = ()
    shot: int = 0
    heir: int = 0


@dataclass(frozen=True)
class Leave:
    """A seat goes, so many seconds after the wave with that call, that ballot or the hunter's pause has opened."""

    seat: int
    day: int
    where: str
    after: float = 1.0


@dataclass(frozen=True)
class Host:
    """What the host does one second after the wave with that call has opened: `skip` or `extend`."""

    what: str
    day: int
    where: str


@dataclass(frozen=True)
class Line:
    """Everybody's behaviour, whatever the deal."""

    nights: tuple[Night, ...]
    days: tuple[Day, ...]
    leave: Leave | None = None
    host: Host | None = None


@dataclass(frozen=True)
class World:
    """A deal and what is done with it."""

    deal: tuple[str, ...]
    centre: tuple[str, ...]
    line: Line

    def __str__(self) -> str:
        dealt = " ".join(f"{seat}:{card}" for seat, card in enumerate(self.deal, 1))
        centre = f" centre:{'+'.join(self.centre)}" if self.centre else ""
        return f"{dealt}{centre}\n    {self.line}"


@dataclass(frozen=True, kw_only=True)
class Table:
    """A small table: its public deck, its options, and how its worlds are made.

    given: lines of behaviour; lines: how many are drawn besides; deals: how many deals each is played with.
    leaves, host: where somebody leaves, or the host interferes; one of them is drawn for a line.
    seed: the game's; all worlds of a table have the same. occurs: notes that its worlds must give somebody.
    """

    name: str
    cards: tuple[str, ...]
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    nights: int = 2
    given: tuple[Line, ...] = ()
    lines: int = 3
    deals: int = 9
    leaves: tuple[tuple[int, str, float], ...] = ()
    host: tuple[tuple[str, int, str], ...] = ()
    seed: int = 1
    occurs: frozenset[str] = frozenset()

    @property
    def secret(self) -> bytes:
        """The game's seed, the same in all worlds of the table."""
        return self.seed.to_bytes(32, "big")

    def has(self, role: str) -> bool:
        """Say whether the public deck holds this card."""
        return role in self.cards

    def option(self, name: str, otherwise: Any) -> Any:
        """An option of the table; `otherwise`: what the book has."""
        return self.options.get(name, otherwise)

    def lasts(self, day: int, call: str, seat: int = 0) -> float:
        """How many seconds a call goes on that nobody answers (ruling 3)."""
        return dice.between(4, 25, self.secret.hex(), day, f"absent.{call}", seat)

    def worlds(self) -> list[World]:
        """Some of the worlds of this table, always the same ones: every line with many deals."""
        random = Random(self.name)
        dealt = deals(self.cards, self.seats)
        return [
            World(deal, centre, line)
            for drawn in itertools.chain(self.given, (self._line(random) for _ in range(self.lines)))
            for deal, centre in random.sample(dealt, min(len(dealt), self.deals))
            for line in siblings(drawn)
        ]

    def _line(self, random: Random) -> Line:
        nights = tuple(self._night(random) for _ in range(self.nights))
        days = tuple(self._day(random) for _ in range(self.nights))
        line = Line(nights, days)
        if self.leaves:
            day, where, after = random.choice(self.leaves)
            line = replace(line, leave=Leave(random.randint(1, self.seats), day, where, after))
        if self.host:
            line = replace(line, host=Host(*random.choice(self.host)))
        return line

    def _night(self, random: Random) -> Night:
        attack, poison, first, second = random.sample(range(1, self.seats + 1), 4)
        return Night(
            take=random.choice(sorted(set(self.cards))),
            link=(first, second),
            protect=random.choice((0, attack, poison)),
            check=random.randint(1, self.seats),
            attack=random.choice((0, attack, attack)),
            heal=random.random() < 0.4,
            poison=random.choice((0, poison)),
            peek=random.random() < 0.7,
            seize=random.random() < 0.5,
        )

    def _day(self, random: Random) -> Day:
        named = random.choice((0, random.randint(1, self.seats), random.randint(1, self.seats)))
        return Day(
            votes=tuple(
                named if random.random() < 0.8 else random.randint(0, self.seats) for _ in range(self.seats)
            ),
            elect=tuple(random.choice((1, 2, 2, 3)) for _ in range(self.seats)),
            shot=random.choice((0, *range(1, self.seats + 1))),
            heir=random.choice((0, *range(1, self.seats + 1))),
        )


def deals(cards: tuple[str, ...], seats: int) -> list[Deal]:
    """Every distinct deal, with the centre, in which somebody is a wolf or must become one (C3)."""
    found: dict[Deal, None] = {}
    for dealt in itertools.permutations(sorted(cards)):
        hands, centre = dealt[:seats], tuple(sorted(dealt[seats:]))
        if "werewolf" in hands or ("thief" in hands and centre == ("werewolf", "werewolf")):
            found[hands, centre] = None
    return list(found)


def siblings(line: Line) -> Iterator[Line]:
    """The line, and others which the public may take for it: other causes, other secrets, the same dead.

    Where somebody leaves in a ballot: as if those who wanted to vote for him had abstained.
    """
    first, *rest = line.nights
    yield line
    yield replace(line, nights=(replace(first, attack=first.poison, poison=first.attack, heal=False), *rest))
    yield replace(
        line, nights=(replace(first, protect=first.attack, check=first.check % 4 + 1, heal=False), *rest)
    )
    if line.leave and "." in line.leave.where:
        gone = line.leave.seat
        yield replace(line, days=tuple(replace(day, votes=_without(gone, day.votes)) for day in line.days))


def _without(gone: int, votes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(0 if named == gone else named for named in votes)


# The oracle ----------------------------------------------------------------------------------------------


class Act(NamedTuple):
    """A seat's answer."""

    seat: int
    action: str
    answer: Answer


class Moment(NamedTuple):
    """When acts are due: under a call, in a ballot, in a pause; `nth`: which of several in one day."""

    day: int
    name: str
    nth: int = 0


class Oracle:
    """A referee of its own, after `rules/classic.md` and the rulings; it knows the world and no engine.

    told: what each seat (and the public) is entitled to know, in the order in which it comes to know it.
    acts: who answers what, and when; draws: the seat by which the length of a pause is drawn.
    cuts: how much of it each seat knows just before the night's dead are named, and before a ballot closes.
    """

    def __init__(self, table: Table, world: World) -> None:
        self.table = table
        self.line = world.line
        self.centre = world.centre
        self.seats = tuple(range(1, table.seats + 1))
        self.role = dict(zip(self.seats, world.deal, strict=True))
        self.alive = set(self.seats)
        self.cause: dict[int, str] = {}
        self.lovers: tuple[int, ...] = ()
        self.sheriff = 0
        self.potions = {"heal", "poison"}
        self.guarded = 0
        self.attacked = self.poisoned = self.shielded = self.healed = self.seized = 0
        self.noticed = self.wolves_done = False
        self.pauses: list[tuple[int, ...]] = []
        self.day = 0
        self.winner = ""
        self.told: dict[int, list[Note]] = {seat: [] for seat in (PUBLIC, *self.seats)}
        self.cuts: dict[int, list[int]] = {seat: [] for seat in self.told}
        self.acts: dict[Moment, list[Act]] = defaultdict(list)
        self.draws: dict[Moment, int] = {}
        self._play()

    # What anybody learns

    def _everybody(self, *note: Any) -> None:
        for notes in self.told.values():
            notes.append(note)

    def _cut(self) -> None:
        for seat, notes in self.told.items():
            self.cuts[seat].append(len(notes))

    def _tell(self, seat: int, *note: Any) -> None:
        self.told[seat].append(note)

    def _act(self, moment: Moment, seat: int, action: str, answer: Answer) -> None:
        """A seat answers; it knows what it did."""
        self.acts[moment].append(Act(seat, action, answer))
        self._tell(seat, "I", action, answer)

    # Who is who

    def _holder(self, role: str) -> int:
        """The living seat that plays the role, of which there is one; 0 if there is none."""
        return next((seat for seat in self._living() if self.role[seat] == role), 0)

    def _living(self) -> tuple[int, ...]:
        return tuple(sorted(self.alive))

    def _pack(self) -> tuple[int, ...]:
        return tuple(seat for seat in self._living() if self.role[seat] == "werewolf")

    def _lover_of(self, seat: int) -> int:
        return sum(self.lovers) - seat if seat in self.lovers else 0

    # The game

    def _play(self) -> None:
        for seat in self.seats:
            self._tell(seat, "card", self.role[seat])
        for wolf in self._pack():
            self._tell(wolf, "pack", self._pack())
        for night, day in zip(self.line.nights, self.line.days, strict=True):
            self.day += 1
            for part in (self._night, self._dawn, self._election, self._lynching):
                part(night, day)
                if self.winner:
                    self._everybody("over", self.winner)
                    return

    # Nights

    def _night(self, night: Night, _day: Day) -> None:
        self.attacked = self.poisoned = self.shielded = self.healed = self.seized = 0
        self.noticed = self.wolves_done = False
        waves = ("guard", "seer", "wolves", "little_girl"), ("witch",)
        for wave in ((("thief",), ("cupid",)) if self.day == 1 else ()) + waves:
            calls = tuple(call for call in wave if self.table.has({"wolves": "werewolf"}.get(call, call)))
            self._wave(night, calls)
            if self.winner:
                return
        self.guarded = self.shielded

    def _wave(self, night: Night, calls: tuple[str, ...]) -> None:
        """The calls of a wave in the order of their instants, and whoever leaves in between."""
        if "thief" in calls and (thief := self._holder("thief")):
            self._tell(thief, "centre", self.centre)
        if "witch" in calls:
            self._brief_the_witch()
        host = self.line.host
        if host and host.day == self.day and host.where in calls:
            self._everybody("host", host.what)
            if host.what == "skip":
                return
        instants = [(self.table.lasts(self.day, call), call) for call in calls]
        instants += [(leave.after, "leave") for call in calls if (leave := self._leave(call))]
        answers = {
            "thief": self._call_thief,
            "cupid": self._call_cupid,
            "guard": self._call_guard,
            "seer": self._call_seer,
            "wolves": self._call_wolves,
            "little_girl": self._call_little_girl,
            "witch": self._call_witch,
            "leave": self._leave_a_wave,
        }
        for _, call in sorted(instants):
            answers[call](night)
            if self.winner:
                return

    def _leave(self, where: str) -> Leave | None:
        """Who leaves there today, if he still lives."""
        leave = self.line.leave
        if leave and (leave.day, leave.where) == (self.day, where) and leave.seat in self.alive:
            return leave
        return None

    def _call_thief(self, night: Night) -> None:
        """With two wolves in the centre he must take one. Nobody else learns anything."""
        thief = self._holder("thief")
        if not thief:
            return
        taken = night.take if night.take in self.centre else ""
        if not taken and self.centre == ("werewolf", "werewolf"):
            taken = "werewolf"
        self._act(Moment(self.day, "thief"), thief, "thief.take", (taken,) if taken else ())
        self.role[thief] = taken or "villager"
        if taken == "werewolf":
            for wolf in self._pack():
                self._tell(wolf, "pack", self._pack())

    def _call_cupid(self, night: Night) -> None:
        """Lovers learn each other's seat, not the role."""
        cupid = self._holder("cupid")
        if not cupid:
            return
        self.lovers = tuple(sorted(night.link)) if self.alive.issuperset(night.link) else self._living()[:2]
        self._act(Moment(self.day, "cupid"), cupid, "cupid.link", self.lovers)
        for seat in self.lovers:
            self._tell(seat, "lover", self._lover_of(seat))

    def _call_guard(self, night: Night) -> None:
        """Any living seat, but not the one of the night before; he is never told whether it mattered."""
        guard = self._holder("guard")
        if guard:
            legal = night.protect in self.alive and night.protect != self.guarded
            self.shielded = night.protect if legal else 0
            self._choose("guard", guard, "guard.protect", self.shielded)

    def _call_seer(self, night: Night) -> None:
        """He learns the exact role of another living seat."""
        seer = self._holder("seer")
        if seer:
            target = night.check if night.check in self.alive and night.check != seer else 0
            self._choose("seer", seer, "seer.check", target)
            if target:
                self._tell(seer, "is", target, self.role[target])

    def _call_wolves(self, night: Night) -> None:
        """All name the same; they see each other's answers."""
        self.attacked = night.attack if night.attack in self.alive else 0
        for wolf in self._pack():
            self._choose("wolves", wolf, "wolves.kill", self.attacked)
            for fellow in self._pack():
                self._tell(fellow, "pack names", wolf, self.attacked)
        self.wolves_done = True
        if self.noticed:
            self._seize("wolves", night)

    def _call_little_girl(self, night: Night) -> None:
        """She sees one wolf. If she is noticed the pack learns her seat; that she was, she is not told."""
        girl = self._holder("little_girl")
        if not girl:
            return
        self._act(Moment(self.day, "little_girl"), girl, "girl.peek", ("yes",) if night.peek else ())
        if not night.peek:
            return
        seed = self.table.secret.hex()
        self._tell(girl, "peeked at", dice.pick(self._pack(), seed, self.day, "girl.peek", girl))
        chance = self.table.option("girl_noticed", 0.25)
        if dice.fraction(seed, self.day, "girl.noticed", girl) < chance:
            self.noticed = True
            for wolf in self._pack():
                self._tell(wolf, "noticed", girl)
            if self.wolves_done:
                self._seize("little_girl", night)

    def _seize(self, call: str, night: Night) -> None:
        """The first yes decides, and the pack's other target is safe (C17)."""
        for wolf in self._pack():
            self._act(Moment(self.day, call), wolf, "wolves.take_girl", ("yes",) if night.seize else ())
            for fellow in self._pack():
                self._tell(fellow, "pack seizes", wolf, night.seize)
            if night.seize:
                self.seized, self.attacked = self._holder("little_girl"), 0
                return

    def _brief_the_witch(self) -> None:
        """While she has a potion she is told whom the wolves attack, also if the guard protects that seat."""
        witch = self._holder("witch")
        if witch and self.potions:
            self._tell(witch, "attacked", self.attacked if self.attacked in self.alive else 0)

    def _call_witch(self, night: Night) -> None:
        """Both questions are answered at once. Of one who has left meanwhile there is nothing to heal."""
        witch, moment = self._holder("witch"), Moment(self.day, "witch")
        if not witch:
            return
        if "heal" in self.potions and self.attacked in self.alive:
            self.healed = self.attacked if night.heal else 0
            self._act(moment, witch, "witch.heal", ("yes",) if self.healed else ())
        if "poison" in self.potions:
            self.poisoned = night.poison if night.poison in self.alive else 0
            self._choose("witch", witch, "witch.poison", self.poisoned)
        self.potions -= {"heal"} if self.healed else set()
        self.potions -= {"poison"} if self.poisoned else set()

    def _choose(self, call: str, seat: int, action: str, target: int) -> None:
        self._act(Moment(self.day, call), seat, action, (target,) if target else ())

    def _leave_a_wave(self, _night: Night) -> None:
        """Who leaves takes his answers in the open wave with him; those that name him are given anew (G1, G2)."""
        leave = self.line.leave
        if not leave:
            return
        role, moment = self.role[leave.seat], Moment(self.day, "leave")
        self._tell(leave.seat, "I leave")
        self._die({leave.seat: "left"}, "left")
        self._consequences()
        if self.winner or leave.where == "witch":
            return
        if role == "guard":
            self.shielded = 0
        elif self.shielded == leave.seat:
            self.shielded = 0
            self._act(moment, self._holder("guard"), "guard.protect", ())
        if self.wolves_done and self.attacked == leave.seat:
            self.attacked = 0
            for wolf in self._pack():
                self._act(moment, wolf, "wolves.kill", ())
                for fellow in self._pack():
                    self._tell(fellow, "pack names", wolf, 0)

    # Deaths

    def _dawn(self, _night: Night, _day: Day) -> None:
        """The dead are named together, in seat order, without a cause; of two causes the strictest counts."""
        dead = {}
        if self.attacked and self.attacked not in (self.shielded, self.healed):
            dead[self.attacked] = "wolves"
        if self.seized:
            dead[self.seized] = "wolves"
        if self.poisoned:
            dead[self.poisoned] = "poison"
        self._cut()
        self._die({seat: cause for seat, cause in dead.items() if seat in self.alive}, "night")
        self._consequences()

    def _shown(self, occasion: str) -> bool:
        shown: bool = self.table.option("reveal_on_death", True)
        return shown and (occasion != "lynch" or self.table.option("reveal_on_lynch", True))

    def _die(self, causes: dict[int, str], occasion: str, by: int = 0) -> None:
        shown = self._shown(occasion)
        self._everybody(occasion, tuple((seat, self.role[seat] if shown else "") for seat in sorted(causes)), by)
        self.cause |= causes
        self.alive -= set(causes)
        for seat, cause in causes.items():
            if self.role[seat] == "hunter" and not self._may_shoot(cause):
                self._tell(seat, "may not shoot")
        hunters = [
            seat for seat, cause in causes.items() if self.role[seat] == "hunter" and self._may_shoot(cause)
        ]
        if causes and (hunters or (not shown and self._pauses(occasion))):
            self.pauses.append(tuple(sorted(causes if not shown else hunters)))

    def _may_shoot(self, cause: str) -> bool:
        when = self.table.option("hunter_shoots_when", ("wolves", "lynch"))
        return cause != "left" and (when == "any" or cause in when)

    def _pauses(self, occasion: str) -> bool:
        """With hidden cards a pause hides who the hunter is: after every death he could shoot of (G31)."""
        after = {"night", "lynch"}
        if self.table.option("hunter_shoots_when", ()) == "any":
            after.add("heartbreak")
        return self.table.has("hunter") and occasion in after

    def _consequences(self) -> None:
        """Heartbreak, shots, the end, the badge; whatever kills starts them again (ruling 7, G24)."""
        while True:
            broken = next((seat for seat in self.lovers if seat in self.alive and self._is_alone(seat)), 0)
            if broken:
                self._die({broken: "heartbreak"}, "heartbreak", by=self._lover_of(broken))
            elif self.pauses:
                self._pause(self.pauses.pop(0))
            else:
                break
        self.winner = self._won()
        if not self.winner and self.sheriff and self.sheriff not in self.alive:
            self._pass_the_badge()

    def _is_alone(self, seat: int) -> bool:
        return self._lover_of(seat) not in self.alive

    def _pause(self, dead: tuple[int, ...]) -> None:
        hunter = next((s for s in dead if self.role[s] == "hunter" and self._may_shoot(self.cause[s])), 0)
        moment = self._next("hunter.shoot")
        self.draws[moment] = dead[0]
        leaves = moment.nth == 0 and self._leaves_a_pause(hunter)
        target = self.line.days[self.day - 1].shot if hunter and not leaves else 0
        target = target if target in self.alive else 0
        if hunter and not leaves:
            self._act(moment, hunter, "hunter.shoot", (target,) if target else ())
        if target:
            self._die({target: "shot"}, "shot", by=hunter)
        else:
            self._everybody("no shot", hunter if hunter and self._shown_dead(hunter) else 0)

    def _leaves_a_pause(self, hunter: int) -> bool:
        """A living seat leaves as ever; a dead one's leaving only takes his shot (G6). Say whether it does."""
        leave = self.line.leave
        if not leave or (leave.day, leave.where) != (self.day, "hunter.shoot"):
            return False
        self._tell(leave.seat, "I leave")
        if leave.seat in self.alive:
            self._die({leave.seat: "left"}, "left")
        return leave.seat == hunter

    def _shown_dead(self, seat: int) -> bool:
        return self._shown("lynch" if self.cause[seat] == "lynch" else "night")

    def _next(self, name: str) -> Moment:
        """The next moment of that name in this day."""
        nth = sum(moment.day == self.day and moment.name == name for moment in self.draws)
        return Moment(self.day, name, nth)

    def _won(self) -> str:
        wolves = set(self._pack())
        mixed = len([seat for seat in self.lovers if self.role[seat] == "werewolf"]) == 1
        if not self.alive:
            return "draw"
        if mixed and self.alive == set(self.lovers):
            return "lovers"
        if wolves == self.alive:
            return "wolves"
        return "" if wolves else "village"

    def _pass_the_badge(self) -> None:
        """He names a living heir or tears it; one who left is not asked."""
        dead, heir = self.sheriff, 0
        if self.cause[dead] != "left":
            moment = self._next("sheriff.pass_badge")
            self.draws[moment] = 0
            heir = self.line.days[self.day - 1].heir
            heir = heir if heir in self.alive else 0
            self._act(moment, dead, "sheriff.pass_badge", (heir,) if heir else ())
        self.sheriff = heir
        self._everybody("badge", dead, heir)

    # Days

    def _election(self, _night: Night, day: Day) -> None:
        """On day 1: the most votes; a tie is voted once more among the tied, then there is no sheriff."""
        if self.day > 1 or self.table.option("sheriff", "after_talk") in ("off", False):
            return
        leaders = self._ballot("sheriff.vote", 0, day.elect, self._living())
        if self.winner:
            return
        if len(leaders) > 1:
            leaders = self._ballot("sheriff.vote", 1, day.elect, leaders)
        self.sheriff = leaders[0] if len(leaders) == 1 else 0
        self._everybody("sheriff", self.sheriff)

    def _lynching(self, _night: Night, day: Day) -> None:
        leaders = self._ballot("vote.lynch", 0, day.votes, self._living())
        if len(leaders) == 1 and not self.winner:
            self._die({leaders[0]: "lynch"}, "lynch")
            self._consequences()

    def _ballot(self, action: str, nth: int, wishes: tuple[int, ...], among: tuple[int, ...]) -> tuple[int, ...]:
        """Hidden until the close, then every vote is shown (G34). Return who leads."""
        moment = Moment(self.day, action, nth)
        votes = {}
        leave = self._leave(action) if nth == 0 else None
        if leave:
            votes = {s: self._vote(action, s, wishes, among) for s in self._living() if votes_at(s) < leave.after}
            for seat, vote in votes.items():
                self._act(moment, seat, action, vote)
            self._tell(leave.seat, "I leave")
            self._die({leave.seat: "left"}, "left")
            self._consequences()
            if self.winner:
                return ()
            votes.pop(leave.seat, None)
            for seat in (seat for seat, vote in votes.items() if vote == (leave.seat,)):
                votes[seat] = ()
                self._act(Moment(self.day, "leave"), seat, action, ())
        for seat in self._living():
            if seat not in votes:
                votes[seat] = self._vote(action, seat, wishes, among)
                self._act(moment, seat, action, votes[seat])
        self._cut()
        self._everybody(action, nth, tuple(sorted(votes.items())))
        count: Counter[int | str] = Counter()
        for seat, choice in votes.items():
            for named in choice:
                count[named] += 2 if action == "vote.lynch" and seat == self.sheriff else 1
        return tuple(s for s in self._living() if count[s] and count[s] == max(count.values()))

    def _vote(self, action: str, seat: int, wishes: tuple[int, ...], among: tuple[int, ...]) -> Answer:
        """Nobody votes for himself or his lover in a lynching; in an election everybody may for everybody."""
        named = wishes[seat - 1]
        barred = (seat, self._lover_of(seat)) if action == "vote.lynch" else ()
        return (named,) if named in among and named in self.alive and named not in barred else ()


def votes_at(seat: int) -> float:
    """So many seconds after a ballot has opened the seat votes."""
    return FIRST_VOTE + NEXT_VOTE * seat


# The driver ----------------------------------------------------------------------------------------------


class Shown(NamedTuple):
    """One thing that was shown to somebody, and when."""

    at: float
    what: str

    def __str__(self) -> str:
        return f"+{self.at - BEGAN:.3f} {self.what}"


class Known(NamedTuple):
    """What a seat may know by some moment, and what it has been shown by then."""

    entitled: tuple[Note, ...]
    shown: tuple[Shown, ...]


class Run(NamedTuple):
    """A world as it was played: what each seat knows, moment by moment, and which answers were refused."""

    world: Any
    known: dict[int, tuple[Known, ...]]
    refused: tuple[str, ...]


class Probing(NamedTuple):
    """Every seat tries half of all there is to try, if that step is still open."""

    serial: int
    half: int


class Driver:
    """Plays a world on the engine, and keeps what each seat and the public are shown."""

    def __init__(self, table: Table, world: World, render: Render | None = None) -> None:
        self.table = table
        self.world = world
        self.render = render
        self.oracle = Oracle(table, world)
        self.shown: dict[int, list[Shown]] = {seat: [] for seat in (PUBLIC, *self.oracle.seats)}
        self.cuts: dict[int, list[int]] = {seat: [] for seat in self.shown}
        self.views: dict[int, bytes] = {}
        self.refused: list[str] = []
        self.queue: list[tuple[float, int, engine.Command | Probing]] = []
        self.order = itertools.count()
        self.alive = set(self.oracle.seats)
        self.pauses: Counter[tuple[int, str]] = Counter()
        self.done = False
        self.probes = {seat: tuple(probes(table, seat)) for seat in self.oracle.seats}

    def play(self) -> Run:
        """Play the world to its end, or to the night after its last day."""
        setup = engine.Setup(
            book="classic",
            seats=self.table.seats,
            options=self.table.options,
            deal=dict(enumerate(self.world.deal, 1)),
            centre=self.world.centre,
        )
        begun = engine.start(setup, seed=self.table.secret, now=BEGAN)
        self.game = engine.replay(begun)
        self._show(begun, BEGAN)
        while not self.done:
            self._go_on()
        return Run(self.world, {seat: tuple(self._known(seat)) for seat in self.shown}, tuple(self.refused))

    def _known(self, seat: int) -> Iterator[Known]:
        told, shown = self.oracle.told[seat], self.shown[seat]
        for notes, lines in zip(self.oracle.cuts[seat], self.cuts[seat], strict=False):
            yield Known(tuple(told[:notes]), tuple(shown[:lines]))
        yield Known(tuple(told), tuple(shown))

    def _go_on(self) -> None:
        """The next instant: the clock's if something is due, else the next thing somebody does."""
        due = engine.due_at(self.game)
        if self.queue and (due is None or self.queue[0][0] < due):
            now, _, what = heapq.heappop(self.queue)
            if isinstance(what, Probing):
                self._probe(what, now)
            else:
                self._decide(what, now)
        elif due is None:
            raise AssertionError(f"nothing is due and nobody acts\n  {self.world}")
        else:
            self._decide(engine.Tick(), due)

    def _decide(self, command: engine.Command, now: float) -> None:
        outcome = engine.decide(self.game, command, now)
        if isinstance(outcome, engine.Refused):
            self.refused.append(f"{command} at +{now - BEGAN:.3f}: {outcome.code}")
            return
        for event in outcome:
            self.game = engine.evolve(self.game, event)
        self._show(outcome, now)

    # What is shown

    def _show(self, happened: Sequence[engine.Event], now: float) -> None:
        """Let everybody hear what he may, and look at his view; a finished game has no secrets any more."""
        over = isinstance(happened[-1], events.Ended) if happened else False
        for seat, lines in self.shown.items():
            heard = [masked(event) for event in happened if engine.hears(event.audience, seat or None)]
            for event in heard:
                if isinstance(event, events.BallotClosed) or is_dawn(event):
                    self.cuts[seat].append(len(lines))
                lines.append(Shown(now, encoded(event).decode()))
            if over:
                continue
            view = engine.view_for(self.game, seat or None)
            seen = encoded(view)
            changed = self.views.get(seat) != seen
            if changed:
                self.views[seat] = seen
                lines.append(Shown(now, seen.decode()))
            if self.render and (heard or changed):
                lines += (Shown(now, text) for text in self.render(heard, view))
        for event in happened:
            self._follow(event, now)

    def _probe(self, probing: Probing, now: float) -> None:
        """Every seat tries what it may and may not do. Only whether and why not is kept: nothing happens."""
        step = engine.view_for(self.game, None).step
        if step is None or step.serial != probing.serial:
            return
        for seat, tries in self.probes.items():
            codes = []
            for command in tries[probing.half :: 2]:
                outcome = engine.decide(self.game, command, now)
                codes.append(outcome.code if isinstance(outcome, engine.Refused) else "accepted")
            self.shown[seat].append(Shown(now, f"probes {' '.join(codes)}"))

    # What is done

    def _follow(self, event: engine.Event, now: float) -> None:
        """Plan what is done next from what was made public."""
        day = self.game.day
        match event:
            case events.NightFell():
                self.done = event.day > self.table.nights
            case events.Ended():
                self.done = True
            case events.Fell():
                self.alive -= {death.seat for death in event.deaths}
            case events.WaveOpened():
                for call in event.calls:
                    self._plan(Moment(day, call), now + self.table.lasts(day, call))
                    self._interfere(call, now)
                self._plan_probes(event.serial, now + EARLY, now + IN_CALL)
            case events.TalkOpened():
                if day > 1:
                    for seat in self.alive:
                        self._push(now + votes_at(seat), engine.Answer(seat, "talk.ready", ("yes",)))
                self._plan_probes(event.serial, now + EARLY)
            case events.SpeechOpened():
                self._push(now + 7, engine.Answer(event.seat, "speech.end", ("yes",)))
                self._plan_probes(event.serial, now + EARLY)
            case events.BallotOpened():
                self._plan(Moment(day, event.action, event.round), now, in_turn=True)
                if event.round == 0:
                    self._interfere(event.action, now)
                self._plan_probes(event.serial, now + EARLY, now + IN_BALLOT)
            case events.ReactionOpened():
                moment = Moment(day, event.action, self.pauses[day, event.action])
                self.pauses[day, event.action] += 1
                draws = self.oracle.draws.get(moment, 0)
                self._plan(moment, now + self.table.lasts(day, event.action, draws))
                if moment.nth == 0:
                    self._interfere(event.action, now)
                self._plan_probes(event.serial, now + EARLY)

    def _push(self, at: float, what: engine.Command | Probing) -> None:
        heapq.heappush(self.queue, (at, next(self.order), what))

    def _plan(self, moment: Moment, at: float, *, in_turn: bool = False) -> None:
        for act in self.oracle.acts.get(moment, ()):
            self._push(at + in_turn * votes_at(act.seat), engine.Answer(act.seat, act.action, act.answer))

    def _plan_probes(self, serial: int, *instants: float) -> None:
        for half, at in enumerate(instants, serial):
            self._push(at, Probing(serial, half % 2))

    def _interfere(self, where: str, now: float) -> None:
        """Somebody leaves, or the host skips or extends the step."""
        leave, host, day = self.world.line.leave, self.world.line.host, self.game.day
        if leave and (leave.day, leave.where) == (day, where):
            if leave.seat in self.alive or where == "hunter.shoot":
                self._push(now + leave.after, engine.Leave(leave.seat))
            self._plan(Moment(day, "leave"), now + leave.after)
        if host and (host.day, host.where) == (day, where):
            self._push(now + 1, engine.Skip("host") if host.what == "skip" else engine.Extend("host", 30))


def is_dawn(event: engine.Event) -> bool:
    """Say whether this names the night's dead."""
    return isinstance(event, events.Fell) and event.occasion == "night"


def encoded(thing: engine.Event | engine.View) -> bytes:
    """The bytes of an event or a view."""
    return msgspec.json.encode(thing)


def masked(event: engine.Event) -> engine.Event:
    """The event without the hash of the deal, which differs between deals, and without the open result."""
    if isinstance(event, events.Started):
        return msgspec.structs.replace(event, fingerprint="")
    if isinstance(event, events.Ended):
        return msgspec.structs.replace(event, result=engine.Result(event.result.camp, (), ()), seed="", line="")
    return event


ACTIONS = {
    "thief": ("thief.take",),
    "cupid": ("cupid.link",),
    "guard": ("guard.protect",),
    "seer": ("seer.check",),
    "werewolf": ("wolves.kill",),
    "little_girl": ("girl.peek", "wolves.take_girl"),
    "witch": ("witch.heal", "witch.poison"),
    "hunter": ("hunter.shoot",),
    "villager": ("vote.lynch",),
}
DAY_ACTIONS = ("sheriff.vote", "sheriff.pass_badge", "talk.ready", "speech.end", "no.action")


def probes(table: Table, seat: int) -> Iterator[engine.Command]:
    """What a seat tries: every action of the deck, on every seat, well and badly made; the table's commands."""
    answers: list[Answer] = [(), ("yes",), (1, 2), (2, 3), (table.seats - 1, table.seats), (1, 1)]
    answers += ((number,) for number in range(1, table.seats + 2))
    for role in sorted(set(table.cards)):
        for action, answer in itertools.product(ACTIONS[role], answers):
            yield engine.Answer(seat, action, answer)
    for action, answer in itertools.product(DAY_ACTIONS, answers[:3]):
        yield engine.Answer(seat, action, answer)
    yield engine.Answer(seat, "vote.lynch", (1,), serial=1)
    yield engine.Leave(seat)
    yield engine.Skip(seat)
    yield engine.Extend(seat, 10)
    yield engine.Draw("host")


# The comparison ------------------------------------------------------------------------------------------


class Verdict(NamedTuple):
    """What came out of comparing the worlds of a table.

    leaks: where a seat was shown a difference it is not entitled to. withheld: where it was shown none
    though it is entitled to one. refused: answers that the oracle holds legal and the engine does not.
    mixed: how many groups of worlds that a seat cannot tell apart have different deals, by seat.
    told: what sort of things anybody was entitled to know.
    """

    leaks: list[str]
    withheld: list[str]
    refused: list[str]
    mixed: Counter[int]
    told: set[str]


def compare(runs: Iterable[Run], *, first_leak_only: bool = False) -> Verdict:
    """Group the worlds by what each seat may know at a moment, and look whether each group is shown the same."""
    verdict = Verdict([], [], [], Counter(), set())
    by_notes: dict[tuple[int, int, tuple[Note, ...]], tuple[World, Known]] = {}
    by_lines: dict[tuple[int, int, tuple[Shown, ...]], tuple[World, Known]] = {}
    hands: dict[tuple[int, int, tuple[Note, ...]], set[Deal]] = defaultdict(set)
    for run in runs:
        verdict.refused.extend(f"{refused}\n  {run.world}" for refused in run.refused)
        for seat, moments in run.known.items():
            verdict.told.update(note[0] for note in moments[-1].entitled)
            for moment, known in enumerate(moments):
                this, notes, lines = (
                    (run.world, known),
                    (seat, moment, known.entitled),
                    (seat, moment, known.shown),
                )
                hands[notes].add((run.world.deal, run.world.centre))
                other = by_notes.setdefault(notes, this)
                if other[1].shown != known.shown:
                    verdict.leaks.append(_report(seat, other, this, *_first(other[1].shown, known.shown)))
                other = by_lines.setdefault(lines, this)
                if other[1].entitled != known.entitled:
                    verdict.withheld.append(_report(seat, other, this, *_first(other[1].entitled, known.entitled)))
        if first_leak_only and verdict.leaks:
            break
    verdict.mixed.update(seat for (seat, _, _), dealt in hands.items() if len(dealt) > 1)
    return verdict


def _first(one: Iterable[object], other: Iterable[object]) -> tuple[str, str]:
    """The first line in which they differ, cut to where it does."""
    first, second = next((str(a), str(b)) for a, b in itertools.zip_longest(one, other) if a != b)
    same = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    begin = max(0, same - 80)

    def cut(line: str) -> str:
        return f"{line[:30]} … {line[begin : same + 120]}" if begin > 30 else line[:240]

    return cut(first), cut(second)


def _report(seat: int, one: tuple[World, Known], other: tuple[World, Known], first: str, second: str) -> str:
    return "\n".join(
        (
            f"seat {seat} ({PUBLIC}: everybody), entitled to {one[1].entitled}, in two worlds:",
            f"  {one[0]}",
            f"  {other[0]}",
            f"  {first}",
            f"  {second}",
        )
    )


def check(table: Table, render: Render | None = None, *, first_leak_only: bool = False) -> Verdict:
    """Play the worlds of a table and compare them. `render` adds the words made of what somebody hears."""
    runs = (Driver(table, world, render).play() for world in table.worlds())
    return compare(runs, first_leak_only=first_leak_only)
