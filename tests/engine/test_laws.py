"""The laws of the engine, on random games of every registered book at every number of seats.

What is listed is accepted and nothing else is; a refusal changes nothing; events alone rebuild the state; the
same seed and commands give the same bytes; clocks stand only where they must; a game ends.
"""

from __future__ import annotations

import dataclasses
import json
import random
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

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
    Option,
    Prompt,
    Refused,
    Selection,
    Skip,
    Tick,
    Warn,
    choices,
    decide,
    due_at,
    dump,
    dump_events,
    evolve,
    load,
    load_events,
    replay,
    view_for,
)
from engine import events as e
from engine.rights import RIGHTS
from engine.roles import ABILITIES, ROLES
from engine.views import PUBLIC_MARKS
from tests.engine.audiences import AS_IT_COMES, KINDS, NEWS_FOR_ALL, NEWS_FOR_NOBODY, NEWS_FOR_ONE
from tests.engine.drawn import finite, is_taken
from tests.engine.simulation import (
    BOOKS_AND_SEATS,
    Moment,
    Table,
    actions_of,
    again,
    authorities,
    every_answer,
    play,
    random_game,
    sampled_seats,
    stands,
    tables,
)

ENGINE = Path(e.__file__).parent

AFTER_DEATH = {"hunter.shoot", "sheriff.pass_badge", "scapegoat.allow", "speech.end"}
GHOSTS = {"lupus": {"vote.nominate"}, "lupusburg": {"vote.nominate"}}
"""What is asked of the dead besides, in the books in which they stay at the table."""

IN_PUBLIC = {"vote.nominate", "bet.place", "trap.set", "mayor.peek", "mayor.inspect", "mayor.broom"}
"""What everybody hears as it is answered; of ballots, where they are open."""

BALLOTS = {"vote.lynch", "vote.verdict", "sheriff.vote"}


@dataclasses.dataclass(frozen=True)
class Games:
    """The random games of one number of seats, each played to its end."""

    book: str
    seats: int
    played: list[tuple[Table, list[Moment]]]


@dataclasses.dataclass
class Contents:
    """What has come up in the games of one number of seats."""

    kinds: set[type[Event]] = dataclasses.field(default_factory=set)
    resumed: set[str] = dataclasses.field(default_factory=set)
    done: set[str] = dataclasses.field(default_factory=set)
    roles: set[str] = dataclasses.field(default_factory=set)
    values: dict[str, set[str]] = dataclasses.field(default_factory=dict)


@lru_cache(maxsize=1)
def games_of(book: str, seats: int) -> Games:
    """Played once for all that is asked of them, one number of seats after the other."""
    return Games(book, seats, [(table, list(random_game(table, house))) for table, house in tables(book, seats)])


@cache
def contents_of(book: str, seats: int) -> Contents:
    """By kind of event, by phase in which a step was taken up again, by action, card, and value of an option."""
    found = Contents()
    for _, course in games_of(book, seats).played:
        for moment in course:
            found.kinds |= {type(event) for event in moment.events}
            if any(isinstance(event, e.Resumed) for event in moment.events):
                found.resumed.add(moment.game.phase)
            answered = (event for event in moment.events if isinstance(event, e.Answered))
            found.done |= {event.action for event in answered if event.answer}
        game = course[-1].game
        found.roles |= {character.card for seat in game.seats for character in seat.characters}
        for name, value in json.loads(game.options).items():
            found.values.setdefault(name, set()).add(json.dumps(value))
    return found


@pytest.fixture(scope="module", params=BOOKS_AND_SEATS, ids=lambda param: f"{param[0]}-{param[1]}")
def games(request: pytest.FixtureRequest) -> Games:
    """The random games, with what is in them kept for the tests that ask for no more."""
    book, seats = request.param
    contents_of(book, seats)
    return games_of(book, seats)


def test_what_is_listed_is_accepted_and_nothing_else(games: Games) -> None:
    """Law 3 and 4, at points of every kind of step."""
    for table, course in games.played:
        rng = random.Random(table.seed)
        tried: set[str] = set()
        for moment in course:
            prompts = choices(moment.game)
            actions = {prompt.action for prompt in prompts}
            if actions <= tried and rng.random() > 0.04:
                continue
            tried |= actions
            try_every_answer(moment)
            stored = dump(moment.game)
            for command in illegal_commands(moment.game, rng):
                refused = decide(moment.game, command, moment.now)
                assert isinstance(refused, Refused), (command, moment.game.phase)
                assert f"`{refused.code}`" in (Refused.__doc__ or ""), "codes are listed where they are made"
            assert dump(moment.game) == stored


def try_every_answer(moment: Moment) -> None:
    for prompt in choices(moment.game):
        if prompt.deadline <= moment.now:
            continue
        for answer in islice(every_answer(prompt), 60):
            events = decide(moment.game, Answer(prompt.seat, prompt.action, answer, prompt.serial), moment.now)
            assert not isinstance(events, Refused), (prompt, answer, events)
        # The order of several options has no meaning.
        backwards = Answer(prompt.seat, prompt.action, tuple(reversed(prompt.options[: prompt.most])))
        forwards = Answer(prompt.seat, prompt.action, prompt.options[: prompt.most])
        if prompt.options:
            assert decide(moment.game, backwards, moment.now) == decide(moment.game, forwards, moment.now)


def illegal_commands(game: Game, rng: random.Random) -> Iterator[Command]:
    """Commands that nothing in the game lists."""
    prompts = choices(game)
    asked = {(prompt.seat, prompt.action) for prompt in prompts}
    numbers = range(1, len(game.seats) + 1)
    for prompt in rng.sample(prompts, min(len(prompts), 6)):
        yield from (Answer(prompt.seat, prompt.action, answer) for answer in unlisted_answers(game, prompt))
        legal = next(every_answer(prompt), ())
        for serial in (prompt.serial - 1, prompt.serial + 1, 0, -1):
            yield Answer(prompt.seat, prompt.action, legal, serial)
        for seat in (0, -1, 99, len(game.seats) + 1):
            yield Answer(seat, prompt.action, legal)
        for seat in numbers:
            if (seat, prompt.action) not in asked:
                yield Answer(seat, prompt.action, legal)
    for action in (*rng.sample(ALL_ACTIONS, 6), "wolves", "", "sheriff.crown"):
        seat = rng.choice(numbers)
        if (seat, action) not in asked:
            yield from (Answer(seat, action, answer) for answer in ((1,), ("yes",), ()))
    yield from illegal_for_the_host(game)


ALL_ACTIONS = (*ABILITIES, *RIGHTS)


def unlisted_answers(game: Game, prompt: Prompt) -> Iterator[Selection]:
    dead = [seat.number for seat in game.seats if not seat.alive]
    strange: list[Option] = [*dead, prompt.seat, 0, -1, 99, len(game.seats) + 1]
    strange += ["yes", "no", "", "pass", "werewolf", "1"]
    first = prompt.options[: prompt.least - 1]
    for option in strange:
        if option not in prompt.options:
            yield (*first, option)
            yield (option,) * (len(first) + 1)
    if prompt.options:
        yield prompt.options[:1] * 2
        yield (*prompt.options[: prompt.most], prompt.options[0])
    if len(prompt.options) > prompt.most:
        yield prompt.options[: prompt.most + 1]
    if prompt.least > 1:
        yield prompt.options[: prompt.least - 1]
    if not prompt.optional:
        yield ()


def illegal_for_the_host(game: Game) -> Iterator[Command]:
    dead = [seat.number for seat in game.seats if not seat.alive]
    for seat in (*dead, 0, -1, 99):
        yield Warn("host", seat)
        yield Expel("host", seat)
        if seat not in dead or game.seat(seat).gone:
            yield Leave(seat)
    yield from (Skip(0), Skip(99), Extend(0, 30))
    yield from (Extend(actor, seconds) for actor in ("host", 1) for seconds in (0, -5, 1_000_000))
    if not stands_in(game):
        yield from (Skip(1), Extend(1, 30))
    if game.quiet < 4:
        yield Draw("host")


def stands_in(game: Game) -> bool:
    """Say whether a seat has the authority over the clock instead of the host (L26)."""
    return bool(json.loads(game.options).get("sage"))


def test_one_authority_ends_a_step(games: Games) -> None:
    """The host; with a Sage it is his seat alone, and not while the night is counted."""
    for _, course in games.played:
        for moment in course[::9]:
            if moment.game.over:
                continue
            actors = authorities(moment.game, moment.now)
            if stands_in(moment.game):
                assert len(actors) <= 1
                assert "host" not in actors
            else:
                assert actors == ["host"]


def test_every_seat_can_look_at_any_time(games: Games) -> None:
    """What a view lists to be answered are the choices, each seat's its own; the rest is what everybody sees."""
    for _, course in games.played:
        for moment in course[::7]:
            public = view_for(moment.game, None)
            assert public.mine is None
            asked: list[Prompt] = []
            for seat in range(1, games.seats + 1):
                view = view_for(moment.game, seat)
                assert view.mine is not None
                assert replace(view, mine=None) == public
                assert view.mine.seat == seat
                assert {fact.seat for fact in view.mine.facts} <= {seat}
                asked.extend(view.mine.prompts)
            assert sorted(asked, key=repr) == sorted(choices(moment.game), key=repr)


def test_events_alone_rebuild_the_state(games: Games) -> None:
    """Through bytes and back after each command, and from the first event on."""
    for _, course in games.played:
        rebuilt: Game | None = None
        events: list[Event] = []
        for number, moment in enumerate(course):
            stored = dump(moment.game)
            assert load(stored) == moment.game
            assert dump(load(stored)) == stored
            read = load_events(dump_events(moment.events))
            assert read == moment.events
            for event in read:
                rebuilt = evolve(rebuilt, event)
            assert rebuilt is not None
            assert dump(rebuilt) == stored
            rebuilt = load(stored)
            events += moment.events
            if number % 40 == 0 or moment.game.over:
                assert dump(replay(events)) == stored


def test_the_same_seed_and_commands_give_the_same_bytes(games: Games) -> None:
    """Also where every command is decided from the state as it was stored."""
    for table, first in games.played:
        commands = [(moment.command, moment.now) for moment in first if moment.command]
        for moment, repeated in zip(first, again(table, commands), strict=True):
            assert dump_events(repeated.events) == dump_events(moment.events)
            assert dump(repeated.game) == dump(moment.game)
        game = load(dump(first[0].game))
        for command, now in commands:
            game = load(dump(play(game, command, now).game))
        assert dump(game) == dump(first[-1].game)


def test_clocks_and_serials(games: Games) -> None:
    """Something is always due later; a deadline moves by extending and pausing only; no serial comes twice."""
    for _, course in games.played:
        deadlines: dict[int, float] = {}
        opened: list[int] = []
        for moment in course:
            opened += [event.step.serial for event in moment.events if isinstance(event, e.Opened)]
            due = due_at(moment.game)
            if moment.game.over:
                assert due is None
                continue
            assert due is not None
            assert due > moment.now, (moment.command, moment.game.agenda[0])
            step = view_for(moment.game, None).step
            assert step is not None
            moved = any(
                isinstance(event, (e.Extended, e.Resumed)) and event.serial == step.serial
                for event in moment.events
            )
            if step.serial in deadlines and not moved:
                assert step.deadline == deadlines[step.serial]
            deadlines[step.serial] = step.deadline
            for prompt in choices(moment.game):
                assert prompt.serial == step.serial or stands(prompt)
                assert moment.now < prompt.deadline <= step.deadline
        assert opened == sorted(set(opened))


def test_nothing_is_asked_of_the_dead(games: Games) -> None:
    """But the shot, the badge and last words; and nothing at all once the game is over."""
    for _, course in games.played:
        for moment in course:
            for prompt in choices(moment.game):
                may = AFTER_DEATH | GHOSTS.get(games.book, set())
                assert moment.game.is_living(prompt.seat) or prompt.action in may, prompt
        last = course[-1]
        assert last.game.over is not None
        assert choices(last.game) == ()
        stored = dump(last.game)
        for command in (Tick(), Skip("host"), Leave(1), Draw("host"), Answer(1, "talk.ready", ("yes",))):
            assert decide(last.game, command, last.now) == Refused("over")
        assert dump(last.game) == stored


def test_every_event_has_the_audience_of_its_kind(games: Games) -> None:
    """Law 5. What is for all is never one of the kinds that hold a secret."""
    for table, course in games.played:
        public_ballots = table.setup.options.get("ballots") == "open"
        for moment in course:
            for event in moment.events:
                check_audience(event, moment.game, public_ballots)


def check_audience(event: Event, game: Game, public_ballots: bool) -> None:
    kind = type(event).__name__
    if isinstance(event, e.Marked | e.Unmarked):
        assert event.audience == ("everybody" if event.mark in PUBLIC_MARKS else "nobody"), event
    elif event.audience == "everybody":
        said = event.action if isinstance(event, e.Answered) else ""
        assert kind in NEWS_FOR_ALL or said in IN_PUBLIC or (public_ballots and said in BALLOTS), event
    elif event.audience == "nobody":
        assert kind in NEWS_FOR_NOBODY, event
    elif isinstance(event, e.Answered):
        wolves = event.action.startswith("wolves.")
        assert event.seat in event.audience
        assert wolves or event.audience == (event.seat,), event
        assert not wolves or all(is_wolf(game, seat) for seat in event.audience), event
    else:
        assert kind in NEWS_FOR_ONE, event
        assert event.audience == (getattr(event, "seat", 0),), event


def is_wolf(game: Game, seat: int) -> bool:
    return any(ROLES[character.role].wolf for character in game.seat(seat).characters)


def test_every_kind_of_event_has_its_audience_here() -> None:
    """A new kind of event has to be thought about."""
    names = {kind.__name__ for kind in KINDS}
    assert names <= NEWS_FOR_ALL | NEWS_FOR_ONE | NEWS_FOR_NOBODY | AS_IT_COMES


WITH_A_CLAIM = ("handbook", 10)
"""A table beside the others at which an idiot who has returned claims to speak."""


def test_these_games_have_everything_in_them() -> None:
    """Every kind of event comes up, and interruptions by day and by night, or the laws above are not tried."""
    files = (path for path in ENGINE.rglob("*.py") if path.parent.name != "events" and path.name != "history.py")
    rules = "".join(path.read_text() for path in files)
    missing = {kind for kind in KINDS if re.search(rf"\b{kind.__name__}\(", rules)}
    found = [contents_of(book, seats) for book, seats in (*BOOKS_AND_SEATS, WITH_A_CLAIM)]
    missing = missing.difference(*(contents.kinds for contents in found))
    resumed = set[str]().union(*(contents.resumed for contents in found))
    assert not missing
    assert "night" in resumed
    assert resumed & {"talk", "election", "vote"}


RARE = {"speech.claim"}
"""What takes a lynched idiot who returns: `test_handbook.py` and the golden games have it."""


@pytest.mark.parametrize("book", RULE_BOOKS)
def test_the_games_of_a_book_have_all_of_it_in_them(book: str) -> None:
    """Every role is dealt and does everything it can do; every choice that an option has is played with."""
    rules = RULE_BOOKS[book]
    can_do = actions_of(rules, usual=False)
    found = [contents_of(book, seats) for seats in sampled_seats(rules)]
    roles = set[str]().union(*(contents.roles for contents in found))
    done = set[str]().union(*(contents.done for contents in found))
    assert set(rules.roles) - roles == set()
    assert can_do - done - RARE == set()
    for name in {name for contents in found for name in contents.values}:
        played = set[str]().union(*(contents.values.get(name, set()) for contents in found))
        taken = (one for one in finite(name) if any(is_taken(rules, n, {name: one}) for n in sampled_seats(rules)))
        assert {json.dumps(one) for one in taken} <= played, name
