"""The book elder beyond its scenarios: what a self-destruct leaves, the badge, and what nobody may notice."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from engine import (
    RULE_BOOKS,
    Answer,
    Event,
    Expel,
    Game,
    Prompt,
    Refused,
    Selection,
    Setup,
    Tick,
    View,
    choices,
    decide,
    due_at,
    evolve,
    hears,
    replay,
    start,
    view_for,
)
from engine import events as e
from tests.engine.simulation import NOON, House, Moment, Table, random_game

ELDER = RULE_BOOKS["elder"]
SEED = bytes(range(32))
CALL_S = 5.0
"""How long a call lasts that nobody answers; whoever is asked answers at the same instant."""


# Decks ---------------------------------------------------------------------------------------------------


def test_the_elder_stands_in_for_cupid() -> None:
    instead = ELDER.options({"elder_instead_of_cupid": True})
    for seats in range(ELDER.fewest, ELDER.most + 1):
        usual, other = ELDER.deck_for(seats), ELDER.deck_for(seats, instead)
        assert usual["cupid"] == 1
        assert "elder" not in usual
        assert other == {**{role: n for role, n in usual.items() if role != "cupid"}, "elder": 1}
        assert usual.get("guard", 0) == (1 if seats >= 12 else 0)
        game = replay(
            start(Setup(book="elder", seats=seats, options={"elder_instead_of_cupid": True}), SEED, NOON)
        )
        assert game.deck == dict(sorted(other.items()))


@pytest.mark.parametrize(
    ("seats", "change", "problem"),
    [
        (10, {"elder": 1}, ("never_both", "elder")),
        (11, {"guard": 1}, ("too_few_seats", "guard")),
        (10, {"thief": 1}, ("role", "thief")),
        (10, {"seer": 2}, ("one", "seer")),
    ],
)
def test_what_the_book_does_not_deal(seats: int, change: Mapping[str, int], problem: tuple[str, str]) -> None:
    deck = ELDER.deck_for(seats)
    more = sum(count - deck.get(role, 0) for role, count in change.items())
    deck |= {**change, "villager": deck["villager"] - more}
    found = ELDER.problems_of(seats, deck, ELDER.options({}))
    assert [(found.code, found.role) for found in found] == [problem]


# Random games --------------------------------------------------------------------------------------------


def games() -> Iterator[Iterator[Moment]]:
    """With wolves who blow themselves up rarely enough for a game to have something in it."""
    for number in range(40):
        rng = random.Random(f"elder.{number}")
        seats = 8 + number % 11
        options: dict[str, Any] = {"elder_instead_of_cupid": number % 2 == 1}
        table = Table(Setup(book="elder", seats=seats, options=options), rng.randbytes(32))
        yield random_game(table, Reluctant(rng, host_rate=0.01 * (number % 4)))


class Reluctant(House):
    """House players who press the standing buttons seldom."""

    def command(self, game: Game, now: float) -> Any:
        """Another choice, where it is one of those, three times out of four."""
        command, later = super().command(game, now)
        standing = isinstance(command, Answer) and command.action in ("wolf.explode", "sheriff.withdraw")
        if not standing or self.rng.random() < 0.25:
            return command, later
        asked = [
            p for p in choices(game) if p.answer is None and p.action not in ("wolf.explode", "sheriff.withdraw")
        ]
        if not asked:
            return Tick(), due_at(game)
        prompt = self.rng.choice(asked)
        return Answer(prompt.seat, prompt.action, self.answer(prompt)), later


def test_there_is_never_no_sheriff_once_there_is_one() -> None:
    """Between his death and his answer the dying one still has the badge."""
    elected = 0
    for game in games():
        sheriff = 0
        for moment in game:
            now = view_for(moment.game, None).sheriff
            elected += bool(now and not sheriff)
            if not moment.game.over:
                assert now or not sheriff
            sheriff = now
    assert elected > 20


def test_a_self_destruct_is_open_to_every_living_wolf_by_day_and_to_nobody_else() -> None:
    for game in games():
        for moment in game:
            open_to = {p.seat for p in choices(moment.game) if p.action == "wolf.explode"}
            wolves = {seat.number for seat in moment.game.seats if seat.alive and seat.role == "werewolf"}
            by_day = not moment.game.over and moment.game.phase != "night"
            assert open_to == (wolves if by_day else set()), moment.game.phase


def test_after_a_self_destruct_nothing_comes_before_night_but_what_the_dead_are_asked() -> None:
    broken = postponed = 0
    for game in games():
        cut = False
        for moment in game:
            for event in moment.events:
                if isinstance(event, e.CutShort):
                    assert not cut or not event.election, "no election is broken twice a day"
                    cut, broken = True, broken + 1
                    postponed += event.election == "postponed"
                elif isinstance(event, e.NightFell):
                    cut = False
                later = (e.SpeechOpened, e.BallotOpened, e.CandidacyOpened, e.OrderOpened, e.RoundOpened)
                assert not (cut and isinstance(event, later)), event
    assert broken > 20
    assert postponed > 2


def test_every_seat_is_named_dead_once() -> None:
    for game in games():
        dead = [
            death.seat for moment in game for ev in moment.events if isinstance(ev, e.Fell) for death in ev.deaths
        ]
        assert len(dead) == len(set(dead))


# Worlds --------------------------------------------------------------------------------------------------


class World:
    """A game in which everybody does what he would do, at instants that do not tell what he holds.

    would: what whoever is asked that action answers, by night and day alike; else he declines or says nothing.
    """

    def __init__(
        self, deal: Mapping[int, str], would: Mapping[str, Selection], options: Mapping[str, Any]
    ) -> None:
        setup = Setup(book="elder", seats=10, deal=deal, options={"absent_call_s": [CALL_S, CALL_S], **options})
        self.would = would
        self.now = NOON
        self.heard: list[tuple[float, Event]] = []
        self.seen: list[tuple[float, View]] = []
        begun = start(setup, SEED, NOON)
        self.game = replay(begun)
        self._note(begun)

    def _note(self, happened: tuple[Event, ...]) -> None:
        self.heard += [(self.now, event) for event in happened if not isinstance(event, e.Started)]
        self.seen.append((self.now, view_for(self.game, None)))

    def decide(self, command: Any) -> None:
        """Let a command that is legal happen."""
        happened = decide(self.game, command, self.now)
        assert not isinstance(happened, Refused), (command, happened)
        for event in happened:
            self.game = evolve(self.game, event)
        if happened:
            self._note(happened)

    def until(self, phase: str, day: int) -> World:
        """Play on until the game stands there."""
        while (self.game.phase, self.game.day) != (phase, day):
            assert not self.game.over
            assert self.game.day <= day
            self._step()
        return self

    def _step(self) -> None:
        """A step: after so many seconds its simulated calls end and its questions are answered, in seat order."""
        step = self.game.agenda[0]
        due = due_at(self.game)
        assert due is not None
        timed = step.kind in ("wave", "reaction")
        self.now = min(due, self.now + CALL_S) if timed else self.now + 1
        serial = step.serial
        if due <= self.now:
            self.decide(Tick())
        for prompt in sorted(choices(self.game), key=lambda prompt: prompt.seat):
            if self.game.agenda[0].serial == serial and prompt in choices(self.game):
                self._answer(prompt)
        if self.game.agenda[0].serial == serial and not timed:
            self.now = max(self.now, due_at(self.game) or 0)
            self.decide(Tick())

    def _answer(self, prompt: Prompt) -> None:
        answer = self.would.get(f"{prompt.seat} {prompt.action}", self.would.get(prompt.action))
        if prompt.action in ("wolf.explode", "sheriff.withdraw") and answer is None:
            return
        if answer is None or not prompt.allows(answer):
            answer = () if prompt.optional else None
        if answer is not None:
            self.decide(Answer(prompt.seat, prompt.action, answer))

    def told(self, seat: int | None) -> list[tuple[float, Event]]:
        """All that a seat, or the group, heard so far, and when."""
        return [(at, event) for at, event in self.heard if hears(event.audience, seat)]


DEAL = {1: "werewolf", 2: "werewolf", 3: "seer", 4: "witch", 5: "hunter", 6: "cupid"}
ELECTION: dict[str, Selection] = {
    "7 sheriff.run": ("yes",),
    "8 sheriff.run": ("yes",),
    "speech.end": ("yes",),
    "sheriff.vote": (7,),
    "sheriff.order": ("left",),
    "sheriff.pass_badge": (10,),
    "cupid.link": (8, 9),
}


def test_nothing_of_the_night_is_seen_before_the_dead_are_named() -> None:
    """Whoever holds what, is doomed, shoots or is reminded: the group and a bystander see one election."""
    nights: list[dict[str, Selection]] = [
        {},
        {"wolves.kill": (8,)},
        {"wolves.kill": (7,), "witch.poison": (5,)},
        {"wolves.kill": (5,), "hunter.shoot": (7,)},
        {"wolves.kill": (5,), "hunter.shoot": ()},
        {"wolves.kill": (9,), "witch.heal": ("yes",)},
        {"wolves.kill": (3,), "seer.check": (4,), "witch.poison": (1,)},
    ]
    cards = [DEAL[seat] for seat in range(3, 7)]
    deals = [{**DEAL, **dict(enumerate(cards[turn:] + cards[:turn], 3))} for turn in range(4)]
    worlds = [World(deal, {**ELECTION, **night}, {}).until("election", 1) for deal in deals for night in nights]
    for world in worlds:
        while not any(isinstance(event, e.SheriffElected) for _, event in world.heard):
            assert world.game.phase == "election"
            for seat in (None, 10):
                assert not world.game.over
                assert view_for(world.game, seat).seats == view_for(worlds[0].game, seat).seats
            world._step()
    for world in worlds:
        for seat in (None, 10):
            named = next(i for i, (_, ev) in enumerate(world.told(seat)) if isinstance(ev, e.SheriffElected))
            usual = next(i for i, (_, ev) in enumerate(worlds[0].told(seat)) if isinstance(ev, e.SheriffElected))
            assert world.told(seat)[: named + 1] == worlds[0].told(seat)[: usual + 1]
        assert dict(world.seen[:-1]) == dict(worlds[0].seen[:-1])
    asked = {ev.actions for world in worlds for _, ev in world.heard if isinstance(ev, e.Prompted)}
    assert ("hunter.shoot",) in asked
    assert any(isinstance(event, e.Denied) for world in worlds for _, event in world.heard)


@pytest.mark.parametrize("card", ["hunter", "elder", "seer", "witch"])
def test_whose_hidden_card_was_lynched_is_not_seen(card: str) -> None:
    """A hunter who holds fire, an elder whose curse falls: the next night is as long, and calls the same roles."""
    deal = {1: "werewolf", 2: "werewolf", 3: "hunter", 4: "elder", 5: "seer", 6: "witch"}
    holder = next(seat for seat, role in deal.items() if role == card)
    swapped = {**deal, holder: "villager", 7: card}
    would: dict[str, Selection] = {**ELECTION, "vote.lynch": (7,), "sheriff.vote": (8,), "seer.check": (1,)}
    worlds = [World(cards, would, {}).until("talk", 2) for cards in (deal, swapped)]
    for seat in (None, 10):
        assert worlds[0].told(seat) == worlds[1].told(seat)
    assert view_for(worlds[0].game, None) == view_for(worlds[1].game, None)


def test_the_witch_alone_is_reminded_not_to_reveal_herself() -> None:
    world = World(DEAL, ELECTION, {}).until("election", 1)
    assert [event for _, event in world.heard if isinstance(event, e.Reminded)] == [
        e.Reminded((4,), 4, "sheriff.run")
    ]


def test_every_wolf_is_told_once_a_day_that_he_may_blow_himself_up() -> None:
    world = World(DEAL, ELECTION, {}).until("night", 2)
    asked = [ev for _, ev in world.heard if isinstance(ev, e.Prompted) and "wolf.explode" in ev.actions]
    assert [event.audience for event in asked] == [(1,), (2,)]
    assert len({event.serial for event in asked}) == 1


def test_a_sentence_says_the_same_of_everybody_it_misses() -> None:
    world = World(DEAL, ELECTION, {}).until("talk", 1)
    answers = {seat: decide(world.game, Expel("host", seat, "sentence"), world.now) for seat in range(1, 11)}
    assert isinstance(answers.pop(6), tuple)
    assert set(answers.values()) == {Refused("no_sentence")}
