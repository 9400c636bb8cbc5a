"""From events to effects: who is written to after a decision, and with what. No sentence is made here.

One decision says to one recipient what it has to say in one message. In the group, the night has a message of
its own, which is edited as its calls go by; counters are edited seldom; the card button moves to the newest.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine import Event, Game, View, view_for
from engine import events as e
from handlers import chronicle, counters, sheets
from handlers.post import Post
from handlers.record import Archive, Count, News, Night, Retire, Table
from handlers.sheets import NO_TEXT

TURNS_SENT = 8
"""From so many sends in a minute on, a turn is read in the message of the turn before it."""

NIGHT = "night."
"""What the names of the nights' messages begin with; the day follows."""

_OPENERS = (
    e.TalkOpened,
    e.SpeechOpened,
    e.BallotOpened,
    e.NominationOpened,
    e.VerdictOpened,
    e.CandidacyOpened,
    e.OrderOpened,
    e.PlacingOpened,
    e.TurnOpened,
    e.PrivilegeOpened,
    e.ReactionOpened,
    e.Resumed,
)
"""What opens a step that the group reads of."""


def notice(table: Table, before: Game | None, after: Game, events: Sequence[Event], now: float) -> Table:
    """The record with everything in its outbox that these events have to say to anybody."""
    post = Post(table)
    complete = chronicle.remember(post, before, events)
    chronicle.chronicle(post, before, events, now)
    view = view_for(after, None)
    serial = view.step.serial if view.step else 0
    if serial and serial != table.opened[0]:
        # What the counter of the step before still owed nobody will read.
        post.change(opened=(serial, now), count=replace(table.count, behind=False))
    for seat in range(1, len(view.seats) + 1):
        sheets.to_seat(post, seat, before, after, events, serial)
    _to_group(post, view, events, now)
    sheets.close_old(post, before, after, serial, table.next_seq)
    counters.count(post, view, events, now)
    for day, part in (*complete, *chronicle.part(post, view)):
        post.add(Archive, game=post.table.games, day=day, part=part)
    return post.table


# The group -----------------------------------------------------------------------------------------------


def _to_group(post: Post, view: View, events: Sequence[Event], now: float) -> None:
    public = [ev for ev in events if ev.audience == "everybody"]
    fell = next((ev for ev in public if isinstance(ev, e.NightFell)), None)
    waves = [ev for ev in public if isinstance(ev, e.WaveOpened)]
    news = [ev for ev in public if not isinstance(ev, NO_TEXT)]
    waves_before = post.table.waves
    # Before the first call somebody may have his turn; then the night's message comes with the call.
    night = bool(waves) or (fell is not None and not _opens(news))
    if fell is not None:
        post.change(waves=())
    if news and not night and _is_one_more_turn(post.table, news, now):
        _fold(post, news, view.step.serial if view.step else 0, now)
        return
    named: str = ""
    said: tuple[Event, ...] = ()
    for part in _parts(news):
        named = name_of_news(part, post.add(News, seat=0, events=tuple(part)))
        said = tuple(part)
    if night:
        so_far = (*post.table.waves, *(wave.calls for wave in waves))
        post.change(waves=so_far)
        deadline, counted = (waves[-1].deadline, waves[-1].counted) if waves else (0.0, False)
        # Something else may have been said since: then the calls go on in a new message at the bottom.
        new = fell is not None or bool(news) or not post.table.newest.startswith(NIGHT)
        key = f"{NIGHT}{view.day}.{post.table.next_seq}" if new else post.table.newest
        post.add(Night, key=key, day=view.day, new=new, waves=so_far, deadline=deadline, counted=counted)
        if new:
            named, said = key, ()
    if named and named != post.table.newest:
        retire(post, waves_before, going_on=view.phase == "night" and not night)
        post.change(newest=named, said=said)


def _opens(events: Sequence[Event]) -> bool:
    """Say whether these events open a step with a message of its own."""
    return any(isinstance(event, _OPENERS) for event in events)


def _is_one_more_turn(table: Table, news: Sequence[Event], now: float) -> bool:
    """Say whether a turn can be read in the message of the turn before: the minute is getting full."""
    before, after = _turn_in(table.said), _turn_in(news)
    waiting = sum(1 for effect in table.outbox if isinstance(effect, News) and effect.seat == 0)
    full = counters.spent(table.budget, now, waiting, 0).sends >= TURNS_SENT
    return full and before == after != "" and all(isinstance(event, _OF_TURNS) for event in news)


_OF_TURNS = (e.NominationOpened, e.Nominated, e.TurnOpened, e.GoalSwapped, e.BetPlaced)
"""What a turn round the table is made of."""


def _turn_in(said: Sequence[Event]) -> str:
    """What it is the turn to do, in a message that ends with a turn; empty for any other."""
    match said[-1] if said else None:
        case e.NominationOpened(seats=(_,), round=number):
            return f"nomination.{number}"
        case e.TurnOpened(action=action):
            return action
    return ""


def _fold(post: Post, news: Sequence[Event], serial: int, now: float) -> None:
    """Let the newest message say this too; it is edited as counters are."""
    edited = post.table.count.edited
    post.change(
        said=(*post.table.said, *news),
        count=Count(serial=serial, edited=edited, behind=True),
    )
    counters.refresh(post, now)


def _parts(news: list[Event]) -> list[list[Event]]:
    """One message for all of it; only the end of the game has one of its own."""
    end: list[Event] = [ev for ev in news if isinstance(ev, e.Ended)]
    return [part for part in ([ev for ev in news if ev not in end], end) if part]


def retire(post: Post, waves: tuple[tuple[str, ...], ...], going_on: bool = False) -> None:
    """Let the clock of the group's newest message stop, and take its keyboard off.

    waves: the calls it shows if it is a night's. going_on: that night's last wave is still open.
    """
    table = post.table
    if table.newest.startswith(NIGHT):
        day = int(table.newest.split(".")[1])
        post.add(Retire, key=table.newest, day=day, waves=waves, open=going_on)
    elif table.newest:
        post.add(Retire, key=table.newest, events=table.said)


def name_of_news(events: Sequence[Event], seq: int) -> str:
    """The name under which a group message is kept: that of the step it opens, or its own."""
    for event in reversed(events):
        if isinstance(event, _OPENERS):
            return f"group.{event.serial}"
    return f"news.{seq}"
