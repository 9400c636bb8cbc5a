"""The lobby: open, join, leave, start; from users to seats. Judgements are pure, as in `moves.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as replace_setup

from msgspec.structs import replace

from engine import RULE_BOOKS, Event, Game, Setup, dump, replay, start, view_for
from engine import events as e
from handlers import buttons, cards, notices, settings, upkeep
from handlers.moves import Press
from handlers.post import Post
from handlers.record import Person, Reply, Table

Seed = Callable[[], bytes]


def open_again(table: Table) -> tuple[Table, Reply | None]:
    """Somebody asks for a game where a table is: the lobby moves to the bottom; a running game is named."""
    post = Post(table)
    if table.phase != "lobby":
        return table, Reply("running")
    cards.close_settings(post)
    cards.lobby(post, new=True)
    return post.table, None


def press(table: Table, press: Press, now: float, seed: Seed) -> tuple[Table, Reply]:
    """Judge a press of a lobby's button."""
    if upkeep.is_abandoned_lobby(table, now):
        return upkeep.close(table), Reply("over", strip=True)
    table, reply = _judge(upkeep.heard(table, press.user, now), press, now, seed)
    return upkeep.heard(table, press.user, now), reply


def _judge(table: Table, press: Press, now: float, seed: Seed) -> tuple[Table, Reply]:
    if table.phase != "lobby":
        return table, Reply("already_started" if table.phase == "playing" else "over", strip=True)
    if press.data.code == buttons.JOIN:
        return join(table, Person(press.user, press.name, press.language))
    if press.data.code == buttons.LEAVE:
        return leave(table, press.user)
    may = press.may_host(table)
    if press.data.code == buttons.START:
        return begin(table, may, now, seed)
    if not may:
        return table, Reply("settings_host_only", alert=True)
    return settings.press(table, press.data, now)


def join(table: Table, person: Person) -> tuple[Table, Reply]:
    """Give somebody the next seat."""
    if table.phase != "lobby":
        return table, Reply("already_started" if table.phase == "playing" else "over")
    if seat := table.seat_of(person.user):
        return table, Reply("joined_already", seat=seat)
    if len(table.people) >= RULE_BOOKS[table.book].most:
        return table, Reply("full", number=RULE_BOOKS[table.book].most)
    post = Post(replace(table, people=(*table.people, person)))
    cards.lobby(post)
    return post.table, Reply("joined", seat=len(post.table.people))


def leave(table: Table, user: int) -> tuple[Table, Reply]:
    """Take a seat back; if the host goes, the next who joined is host (G13)."""
    if not table.seat_of(user):
        return table, Reply("not_joined")
    people = tuple(person for person in table.people if person.user != user)
    opener = people[0].user if user == table.opener and people else table.opener
    post = Post(replace(table, people=people, opener=opener))
    cards.lobby(post)
    return post.table, Reply("left")


def begin(table: Table, may: bool, now: float, seed: Seed) -> tuple[Table, Reply]:
    """Deal the cards, if there are enough of us. may: the host or an admin has asked for it."""
    if not may:
        return table, Reply("host_only")
    book = RULE_BOOKS[table.book]
    if len(table.people) < book.fewest:
        return table, Reply("too_few", number=book.fewest - len(table.people))
    if refused := settings.problem(table):
        return table, refused
    table = replace(table, joined=tuple(person.user for person in table.people))
    table, game, events = _deal(table, _setup(table), now, seed)
    post = Post(table)
    cards.close_settings(post)
    cards.lobby(post)
    return notices.notice(post.table, None, game, events, now), Reply("started")


def _setup(table: Table) -> Setup:
    """What the table has agreed on. Its host takes an office with the seat he has, if seats stay as they are."""
    options = RULE_BOOKS[table.book].options(table.options)
    host = 0 if options.shuffle_seats else table.seat_of(table.opener)
    return Setup(
        book=table.book,
        seats=len(table.people),
        options=table.options,
        deck=None if table.specials is None else settings.deck(table),
        mayor=host if options.mayor == "chosen" else 0,
        welcome=host if options.first_welcome == "host" else 0,
    )


def _deal(table: Table, setup: Setup, now: float, seed: Seed) -> tuple[Table, Game, tuple[Event, ...]]:
    """The table with a new game – who sits where –, the game, and what has happened in it so far."""
    events = start(setup, seed(), now)
    game = replay(events)
    seating = next(event.seating for event in events if isinstance(event, e.Started))
    table = replace(
        table,
        phase="playing",
        people=tuple(table.people[joiner - 1] for joiner in seating),
        games=table.games + 1,
        began=now,
        game=dump(game),
        heard_day=game.day,
        closing=0.0,
        missed={},
        reminded=(),
        talked={},
    )
    return table, game, events


# A match of several games ----------------------------------------------------------------------------------


def goes_on(table: Table) -> bool:
    """Say whether the game that is over has another one after it in its match. Who has left ends the match."""
    if table.phase != "over" or not table.game:
        return False
    view = view_for(table.play(), None)
    if view.town is None or view.result is None or view.town.number >= view.town.games:
        return False
    return all(fate.fate not in ("left", "expelled") for fate in view.result.fates)


def next_game(table: Table, may: bool, now: float, seed: Seed) -> tuple[Table, Reply]:
    """Deal the next game of a match to the same seats. may: the host or an admin has asked for it."""
    if not may:
        return table, Reply("host_only", alert=True)
    if not goes_on(table):
        return table, Reply("already_started" if table.phase == "playing" else "over", strip=True)
    view = view_for(table.play(), None)
    setup = _setup(table)
    if view.town is not None:
        setup = replace_setup(setup, before=view.result, serial=view.town.serial)
    kept = {name: message for name, message in table.messages.items() if name == "lobby"}
    table = replace(table, newest="", said=(), waves=(), opened=(0, 0.0), messages=kept)
    table, game, events = _deal(table, setup, now, seed)
    return notices.notice(table, None, game, events, now), Reply("started", strip=True)
