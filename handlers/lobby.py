"""The lobby: open, join, leave, start; from users to seats. Judgements are pure, as in `moves.py`."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from engine import RULE_BOOKS, Setup, replay, start
from engine import events as e
from handlers import buttons, cards, notices, settings, upkeep
from handlers.moves import Press
from handlers.record import Person, Reply, Table, deflate

Seed = Callable[[], bytes]


def open_again(table: Table) -> tuple[Table, Reply | None]:
    """Somebody asks for a game where a table is: the lobby moves to the bottom; a running game is named."""
    post = notices.Post(table)
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
    post = notices.Post(replace(table, people=(*table.people, person)))
    cards.lobby(post)
    return post.table, Reply("joined", seat=len(post.table.people))


def leave(table: Table, user: int) -> tuple[Table, Reply]:
    """Take a seat back; if the host goes, the next who joined is host (G13)."""
    if not table.seat_of(user):
        return table, Reply("not_joined")
    people = tuple(person for person in table.people if person.user != user)
    opener = people[0].user if user == table.opener and people else table.opener
    post = notices.Post(replace(table, people=people, opener=opener))
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
    setup = Setup(book=table.book, seats=len(table.people), options=table.options, deck=settings.deck(table))
    events = start(setup, seed(), now)
    game = replay(events)
    seating = next(event.seating for event in events if isinstance(event, e.Started))
    table = replace(
        table,
        phase="playing",
        people=tuple(table.people[joiner - 1] for joiner in seating),
        joined=tuple(person.user for person in table.people),
        games=table.games + 1,
        began=now,
        game=deflate(game),
        heard_day=game.day,
        closing=0.0,
        missed={},
        reminded=(),
        talked={},
    )
    post = notices.Post(table)
    cards.close_settings(post)
    cards.lobby(post)
    return notices.notice(post.table, None, game, events, now), Reply("started")
