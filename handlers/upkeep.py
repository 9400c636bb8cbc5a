"""What a table does by itself: it reminds, counts missed turns, and closes when nobody is there any more.

Judgements are pure, as in `moves.py`. None of them shows who holds what: the group is only ever told about
ballots and speeches, and what is asked in private is reminded of in private.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine import Event, Game, Prompt, choices, stands_beside, view_for
from engine import events as e
from handlers import cards, counters, notices
from handlers.buttons import PUBLIC_ACTIONS
from handlers.post import Post
from handlers.record import Archive, Notice, Remind, Sheet, Strip, Table

SHORTEST_S = 20.0
"""Seconds a step must have for anybody to be reminded in it."""

TURNS = 3
"""So many public turns let pass in a row are too many (G46)."""

DAYS = 2
"""After so many days of the game without a press or a word a table is closed (G47)."""

LOBBY_WARNED_S = 25 * 60.0
LOBBY_LEFT_S = 5 * 60.0
HEARD_EVERY_S = 60.0
"""How exactly it is kept when a lobby was heard of: most presses write nothing for it."""

KEPT_SERIALS = 8


def heard(table: Table, user: int, now: float) -> Table:
    """Somebody has pressed or written. If he has a seat here, the table lives on, and he has missed nothing."""
    seat = table.seat_of(user)
    if table.phase == "lobby" and (seat or user == table.opener):
        fresh = not table.closing and now - table.heard_at < HEARD_EVERY_S
        return table if fresh else replace(table, heard_at=now, closing=0.0)
    if table.phase != "playing" or not seat:
        return table
    missed = {other: turns for other, turns in table.missed.items() if other != seat}
    return replace(table, heard_day=table.play().day, missed=missed)


def wake_at(table: Table, game: Game | None) -> float | None:
    """When the table has to do something by itself (epoch seconds). game: the running one."""
    if table.phase == "lobby":
        return table.closing or table.heard_at + LOBBY_WARNED_S
    return remind_at(table, game) if game is not None else None


# Lobbies ---------------------------------------------------------------------------------------------------


def watch_lobby(table: Table, now: float) -> Table:
    """Warn of a lobby's end when nobody has touched it for long, and close it five minutes later."""
    if is_abandoned_lobby(table, now):
        return close(table)
    if table.phase != "lobby" or table.closing or now < table.heard_at + LOBBY_WARNED_S:
        return table
    post = Post(replace(table, closing=now + LOBBY_LEFT_S))
    post.add(Notice, code="lobby_closes", number=round(LOBBY_LEFT_S / 60))
    return post.table


def is_abandoned_lobby(table: Table, now: float) -> bool:
    """Say whether the lobby was warned and its time is up."""
    return table.phase == "lobby" and 0 < table.closing <= now


# The end without a winner ----------------------------------------------------------------------------------


def close(table: Table) -> Table:
    """The table without a game: nobody is asked anything any more, and no message has buttons."""
    post = Post(replace(table, phase="over"))
    if table.phase == "lobby":
        cards.close_settings(post)
        cards.lobby(post)
    under_way = [effect.key for effect in table.outbox if isinstance(effect, Sheet)]
    closed = {effect.key for effect in table.outbox if isinstance(effect, Strip)}
    for key in dict.fromkeys((*table.messages, *under_way)):
        if key.partition(".")[0].isdigit() and key not in closed:
            post.add(Strip, key=key)
    notices.retire(post, table.waves)
    for day_of_events in table.today:
        post.add(Archive, game=table.games, day=day_of_events.day, part=day_of_events.part)
    post.change(newest="", said=())
    return post.table


def until_abandoned(table: Table, events: Sequence[Event]) -> Sequence[Event] | None:
    """What still happens before a night that falls on a table where nobody is; None if somebody is."""
    if any(isinstance(event, e.Ended) for event in events):
        return None
    for index, event in enumerate(events):
        if isinstance(event, e.NightFell) and event.day - table.heard_day > DAYS:
            return events[:index]
    return None


def abandon(table: Table) -> Table:
    """Close a running game without a winner, and say so once."""
    post = Post(close(table))
    post.add(Notice, code="abandoned", number=DAYS)
    return post.table


# Missed turns ----------------------------------------------------------------------------------------------


def count_missed(
    table: Table, before: Game, after: Game, events: Sequence[Event]
) -> tuple[Table, tuple[int, ...]]:
    """Count who let a ballot pass in silence; the seats that the house now puts out of the game.

    Only ballots count: what is said in a group the bot does not hear, so a speech may have been held though no
    button was pressed. Nor does a ballot that the host cut short. Where nobody at all has voted nobody is put
    out: such a table closes by itself.
    """
    step = view_for(before, None).step
    closed = {event.serial for event in events if isinstance(event, e.BallotClosed)}
    if step is None or step.serial not in closed or any(isinstance(event, e.Skipped) for event in events):
        return table, ()
    voted = {*step.voted, *(event.seat for event in events if isinstance(event, e.Voted))}
    living = {seat.number for seat in view_for(after, None).seats if seat.alive}
    silent = [seat for seat in step.voters if seat not in voted]
    missed = {seat: turns for seat, turns in table.missed.items() if seat not in voted}
    missed |= {seat: missed.get(seat, 0) + 1 for seat in silent}
    post = Post(replace(table, missed=missed))
    if table.idle == "expel":
        return post.table, tuple(s for s in silent if missed[s] >= TURNS and s in living) if voted else ()
    idle = tuple(seat for seat in silent if missed[seat] == TURNS and seat in living)
    if idle and post.table.phase == "playing":
        post.add(Notice, code="idle", seats=idle, number=TURNS)
    return post.table, ()


# Reminders -------------------------------------------------------------------------------------------------


def remind_at(table: Table, game: Game) -> float | None:
    """When a third of the open step's time is left, if somebody owes an answer who was not reminded yet."""
    instant = _third(table, game)
    return instant if instant is not None and (_owing_in_public(game) or _owing_in_private(game)) else None


def _third(table: Table, game: Game) -> float | None:
    """When a third of the open step's time is left; None where nobody is to be reminded any more.

    A step that was interrupted has the time that was left when it went on.
    """
    step = view_for(game, None).step
    if step is None or step.serial in table.reminded or step.serial != table.opened[0]:
        return None
    whole = step.deadline - table.opened[1]
    return step.deadline - whole / 3 if whole >= SHORTEST_S else None


def remind(table: Table, game: Game, now: float) -> Table:
    """Remind those who owe an answer, if it is time to: by ballot or speech in the group, else each in private."""
    instant = remind_at(table, game)
    step = view_for(game, None).step
    if step is None or instant is None or now < instant:
        return table
    post = Post(_reminded(table, step.serial))
    public = _owing_in_public(game)
    if public and counters.spent(table.budget, now, 0, 0).sends < counters.COUNTERS_WAIT_FROM:
        post.add(Remind, seat=0, seats=public, serial=step.serial, deadline=step.deadline)
    for seat, prompts in _owing_in_private(game).items():
        deadline = min(prompt.deadline for prompt in prompts)
        if deadline > now:
            post.add(Remind, seat=seat, seats=(), serial=step.serial, deadline=deadline)
    return post.table


def asked_anew(table: Table, game: Game, events: Sequence[Event], now: float) -> Table:
    """Who is asked anew after the time for reminders has just been told: nobody is reminded as well."""
    instant = _third(table, game)
    if instant is None or now < instant or not any(isinstance(event, e.Voided) for event in events):
        return table
    return _reminded(table, table.opened[0])


def owed(game: Game, reminder: Remind) -> tuple[str, ...]:
    """What a seat still has to answer when its reminder is sent; nothing if it has, or the step is over."""
    prompts = _owing_in_private(game).get(reminder.seat, ())
    return tuple(prompt.action for prompt in prompts if prompt.serial == reminder.serial)


def owing(game: Game, reminder: Remind) -> tuple[int, ...]:
    """Whom the group's reminder is still for when it is sent; nobody if the step is over."""
    step = view_for(game, None).step
    if step is None or step.serial != reminder.serial:
        return ()
    return tuple(seat for seat in _owing_in_public(game) if seat in reminder.seats)


def _reminded(table: Table, serial: int) -> Table:
    return replace(table, reminded=(*table.reminded, serial)[-KEPT_SERIALS:])


def _owing_in_public(game: Game) -> tuple[int, ...]:
    """Who has not voted yet, or has the floor."""
    step = view_for(game, None).step
    if step is None:
        return ()
    if step.kind in ("speech", "order"):
        return (step.speaker,)
    # A turn has just been called out with a mention, and is short; who moves in is asked in private.
    if step.kind in ("turn", "placing") or (step.kind == "naming" and len(step.voters) == 1):
        return ()
    return tuple(seat for seat in step.voters if seat not in step.voted)


def _owing_in_private(game: Game) -> dict[int, tuple[Prompt, ...]]:
    """Who has not answered all he is asked in private, and what not."""
    step = view_for(game, None).step
    if step is None:
        return {}
    debts: dict[int, tuple[Prompt, ...]] = {}
    for prompt in choices(game):
        owed = prompt.serial == step.serial and prompt.answer is None and not stands_beside(prompt.action)
        if owed and prompt.action not in PUBLIC_ACTIONS:
            debts[prompt.seat] = (*debts.get(prompt.seat, ()), prompt)
    return debts
