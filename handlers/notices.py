"""From events to effects: who is written to after a decision, and with what. No sentence is made here.

One decision says to one recipient what it has to say in one message. In the group, the night has a message of
its own, which is edited as its calls go by; counters are edited seldom; the card button moves to the newest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from engine import Event, Game, Prompt, View, choices, hears, stands_beside, view_for
from engine import events as e
from handlers.buttons import PUBLIC_ACTIONS
from handlers.record import (
    PACK_ACTION,
    Archive,
    Budget,
    Count,
    Counter,
    Day,
    Effect,
    News,
    Night,
    Retire,
    Sheet,
    Strip,
    Table,
    sheet_key,
)

COUNTER_EVERY = 5
"""Seconds until the first edit of a step's counter; until the second twice as many, and so on."""

COUNTERS_A_STEP = 8
COUNTERS_WAIT_FROM = 15
"""From so many sends and edits in a minute on, counters wait; results never do."""

TURNS_SENT = 8
"""From so many sends in a minute on, a turn is read in the message of the turn before it."""

PART = 64
"""So many events of a day go into a row of their own, that not every vote writes the whole day again."""

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

NO_TEXT = (e.Voted, e.Ready, e.RoundOpened, e.Skipped, e.NightFell, e.WaveOpened, e.Answered)
"""What the group reads nothing of by itself."""

_ON_SHEETS = (*NO_TEXT, e.Prompted, e.Expired, e.Voided)
"""What a seat reads nothing of but on the sheet it belongs to: of a vote, its pop-up has said enough."""

_OF_THE_STORY = (
    e.Started,
    e.NightFell,
    e.Linked,
    e.Became,
    e.Attacked,
    e.GirlTaken,
    e.TrapSet,
    e.TrapUsed,
    e.CameBack,
    e.Wounded,
    e.Fell,
    e.HeldFire,
    e.PowersLost,
    e.TurnedOver,
    e.VotersNamed,
    e.NobodyVotes,
    e.SuspectsNamed,
    e.SuspectsReplaced,
    e.CandidacyOpened,
    e.CandidatesNamed,
    e.Withdrew,
    e.SheriffElected,
    e.BadgePassed,
    e.CutShort,
    e.GoalSwapped,
    e.PrivilegeUsed,
    e.BetPlaced,
    e.Warned,
    e.Ended,
)
_OCCASIONS_OF_THE_STORY = (
    "thief.centre",
    "seer.check",
    "girl.peek",
    "girl.noticed",
    "medium",
    "thief.look",
    "peek.show",
    "mayor.inspect",
    "mayor.show",
    "broom.look",
)
_DEEDS_OF_THE_STORY = (
    "guard.protect",
    "bodyguard.protect",
    "witch.heal",
    "witch.poison",
    "white_wolf.banish",
    "piper.enchant",
    "hunter.shoot",
    "owl.nominate",
    "mythomaniac.copy",
    "wolf.kill",
)
"""What a night gathers and nothing else tells."""

_ASKED_IN_THE_STORY = {
    *_DEEDS_OF_THE_STORY,
    "seer.check",
    "wolves.kill",
    "girl.peek",
    "thief.look",
    "trap.set",
} - {"mythomaniac.copy"}
"""What is worth telling if it was left undone. Who copies nobody becomes a villager by that."""


class Post:
    """Adds effects to a record, in order."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def add(self, kind: type[Effect], **fields: Any) -> int:
        """Add an effect; return its place in the order."""
        seq = self.table.next_seq
        outbox = (*self.table.outbox, kind(seq=seq, **fields))
        self.table = replace(self.table, outbox=outbox, next_seq=seq + 1)
        return seq

    def change(self, **fields: Any) -> None:
        """Change the record otherwise."""
        self.table = replace(self.table, **fields)


def notice(table: Table, before: Game | None, after: Game, events: Sequence[Event], now: float) -> Table:
    """The record with everything in its outbox that these events have to say to anybody."""
    post = Post(table)
    complete = _remember(post, before, events)
    _chronicle(post, before, events, now)
    view = view_for(after, None)
    serial = view.step.serial if view.step else 0
    if serial and serial != table.opened[0]:
        # What the counter of the step before still owed nobody will read.
        post.change(opened=(serial, now), count=replace(table.count, behind=False))
    for seat in range(1, len(view.seats) + 1):
        _to_seat(post, seat, before, after, events, serial)
    _to_group(post, view, events, now)
    _close_old_sheets(post, before, after, serial, table.next_seq)
    _count(post, view, events, now)
    for day, part in (*complete, *_part(post, view)):
        post.add(Archive, game=post.table.games, day=day, part=part)
    return post.table


def _remember(post: Post, before: Game | None, events: Sequence[Event]) -> list[tuple[int, int]]:
    """Keep the day's events; return the days, by their last part, that are complete: at nightfall, at the end."""
    days = {(day.day, day.part): day.events for day in post.table.today}
    now = (before.day, post.table.part) if before else (0, 0)
    complete = []
    for event in events:
        if isinstance(event, e.NightFell):
            complete.append(now)
            now = (event.day, 0)
        days[now] = (*days.get(now, ()), event)  # type: ignore[arg-type] # every Event is one of AnyEvent
        if isinstance(event, e.Ended):
            complete.append(now)
    post.change(today=tuple(Day(day, kept, part) for (day, part), kept in days.items()), part=now[1])
    return complete


def _part(post: Post, view: View) -> list[tuple[int, int]]:
    """The part of the day that is long enough for a row of its own, by day, and where something is sent anyway.

    The night stays whole: what somebody was told in it, his sheet says again whenever it is edited.
    """
    day = post.table.today[-1] if post.table.today else None
    if day is None or view.phase == "night" or not post.table.outbox or view.result is not None:
        return []
    if len(day.events) < PART or day.part != post.table.part:
        return []
    post.change(part=day.part + 1)
    return [(day.day, day.part)]


def _chronicle(post: Post, before: Game | None, events: Sequence[Event], now: float) -> None:
    """Keep what the story will be told from; a new game begins a new one."""
    kept = () if before is None else post.table.chronicle
    told = tuple(part for event in events if (part := for_the_story(event)) is not None)
    ended = any(isinstance(event, e.Ended) for event in events)
    post.change(chronicle=(*kept, *told), ended=now if ended else post.table.ended)


def for_the_story(event: Event) -> Event | None:
    """What the story needs of an event; None if it needs nothing."""
    match event:
        case e.Gathered():
            deeds = tuple(i for i in event.intents if i.action in _DEEDS_OF_THE_STORY and i.answer)
            return replace(event, intents=deeds) if deeds else None
        case e.Prompted():
            asked = tuple(action for action in event.actions if action in _ASKED_IN_THE_STORY)
            return replace(event, actions=asked) if asked else None
        case e.BallotOpened():
            # Where there is an election before dawn it begins the day.
            return replace(event, voters=(), candidates=()) if event.action == "sheriff.vote" else None
        case e.BallotClosed():
            return replace(event, votes=()) if event.action in ("vote.lynch", "vote.verdict") else None
        case e.Told():
            return event if event.occasion in _OCCASIONS_OF_THE_STORY else None
    return event if isinstance(event, _OF_THE_STORY) else None


# One seat ------------------------------------------------------------------------------------------------


def _to_seat(
    post: Post, seat: int, before: Game | None, after: Game, events: Sequence[Event], serial: int
) -> None:
    heard = [ev for ev in events if ev.audience != "everybody" and hears(ev.audience, seat)]
    resumed = any(isinstance(ev, e.Resumed) and ev.audience == "everybody" for ev in events)
    if not heard and not resumed:
        return
    asked = {**_asked(seat, after), **_prompted(heard), **_asked(seat, before)}
    news: list[Event] = []
    step = Place(serial)
    sheets: dict[Place, list[Event]] = {step: []} if resumed and step in asked.values() else {}
    for event in heard:
        if isinstance(event, e.Prompted):
            asked.update(_prompted([event]))
        places = _sheets_of(event, asked)
        for of in places:
            sheets.setdefault(of, []).append(event)
        if not places and not isinstance(event, _ON_SHEETS):
            news.append(event)
    if news:
        post.add(News, seat=seat, events=tuple(news))
    for of, on_it in sheets.items():
        _sheet(post, seat, before, after, on_it, resumed and of == step, of)


class Place(NamedTuple):
    """On which of a seat's sheets a question is: that of its step, or one for itself if it stands beside them."""

    serial: int
    standing: str = ""


def _place(action: str, serial: int) -> Place:
    return Place(serial, action if stands_beside(action) else "")


def _asked(seat: int, game: Game | None) -> dict[str, Place]:
    """What a seat is asked in private, each with the sheet it is on."""
    mine = view_for(game, seat).mine if game else None
    prompts = mine.prompts if mine else ()
    return {p.action: _place(p.action, p.serial) for p in prompts if p.action not in PUBLIC_ACTIONS}


def _prompted(events: Iterable[Event]) -> dict[str, Place]:
    """What these events ask a seat in private."""
    prompted = (event for event in events if isinstance(event, e.Prompted))
    return {
        action: _place(action, event.serial)
        for event in prompted
        for action in event.actions
        if action not in PUBLIC_ACTIONS
    }


def _sheets_of(event: Event, asked: Mapping[str, Place]) -> tuple[Place, ...]:
    """The sheets the event belongs on; none for what gets a message of its own."""
    of: Place | None = None
    match event:
        case e.Told():
            topics = {_topic(action): place for action, place in asked.items()}
            of = asked.get(event.occasion) or topics.get(_topic(event.occasion))
        case e.Prompted():
            return tuple(dict.fromkeys(_prompted([event]).values()))
        case e.Voided() if event.action not in PUBLIC_ACTIONS:
            of = _place(event.action, event.serial)
        case e.Answered() | e.Expired():
            of = asked.get(event.action)
    return (of,) if of else ()


def _topic(name: str) -> str:
    """The role an action or occasion is about: `witch` of `witch.heal` and of `witch.attack`."""
    return name.partition(".")[0]


def _sheet(
    post: Post,
    seat: int,
    before: Game | None,
    after: Game,
    events: Sequence[Event],
    resumed: bool,
    of: Place,
) -> None:
    """What the seat is asked on a sheet and has answered: as it was before, and what these events changed."""
    old = view_for(before, seat) if before else None
    asks: dict[str, tuple[int | str, ...] | None] = {}
    pack: dict[int, tuple[int | str, ...]] = {}
    for view in (old, view_for(after, seat)):
        if view and view.mine:
            prompts = _on(of, view.mine.prompts)
            asks.update((p.action, p.answer) for p in prompts)
            if any(p.action == PACK_ACTION for p in prompts):
                pack.update(view.mine.pack)
    for event in events:
        if isinstance(event, e.Answered):
            if event.seat == seat:
                asks[event.action] = event.answer
            elif event.action == PACK_ACTION:
                pack[event.seat] = event.answer
    if not asks:
        return
    told = _told_before(post, seat, asks, after.day)
    new = resumed or any(isinstance(ev, e.Prompted | e.Voided) for ev in events)
    name = {"seat": seat, "serial": of.serial, "standing": of.standing}
    if new and sheet_key(seat, *of) in post.table.messages:
        shown = {p.action: p.answer for p in _on(of, old.mine.prompts if old and old.mine else ())}
        post.add(Sheet, **name, new=False, over=True, asks=shown or asks)
    rest = (ev for ev in events if not isinstance(ev, e.Told))
    post.add(Sheet, **name, new=new, asks=asks, pack=pack, events=(*told, *rest))


def _on(of: Place, prompts: Iterable[Prompt]) -> list[Prompt]:
    """Those questions that are on a sheet."""
    return [p for p in prompts if p.action not in PUBLIC_ACTIONS and _place(p.action, p.serial) == of]


def _told_before(post: Post, seat: int, asks: Iterable[str], day: int) -> tuple[e.Told, ...]:
    """All the seat was told tonight about what it is asked, so that an edited sheet says it again."""
    topics = {_topic(action) for action in asks}
    return tuple(
        event
        for kept in post.table.today
        if kept.day == day
        for event in kept.events
        if isinstance(event, e.Told) and event.seat == seat and _topic(event.occasion) in topics
    )


def _close_old_sheets(post: Post, before: Game | None, after: Game, serial: int, first: int) -> None:
    """Questions that are over lose their clocks and keyboards; those that outlive a step stay.

    first: the first effect of this decision. What an earlier one has put into the outbox may be on its way at
    this moment.
    """
    stripped = {effect.key for effect in post.table.outbox if isinstance(effect, Strip)}
    under_way = {ef.key: None for ef in post.table.outbox if isinstance(ef, Sheet) and ef.seq < first}
    standing = {
        sheet_key(prompt.seat, *_place(prompt.action, prompt.serial))
        for prompt in choices(after)
        if prompt.serial != serial or stands_beside(prompt.action)
    }
    for key in {**dict.fromkeys(post.table.messages), **under_way}:
        seat, _, place = key.partition(".")
        if not seat.isdigit() or place == str(serial) or key in standing:
            continue
        if key in stripped or key in _sheets_since(post, first):
            continue
        if before is not None:
            of, _, action = place.partition(".")
            _sheet(post, int(seat), before, after, (), False, Place(int(of), action))
        if key not in _sheets_since(post, first):
            post.add(Strip, key=key)


def _sheets_since(post: Post, first: int) -> set[str]:
    return {ef.key for ef in post.table.outbox if isinstance(ef, Sheet) and ef.seq >= first}


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
    full = spent(table.budget, now, waiting, 0).sends >= TURNS_SENT
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
    refresh(post, now)


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


def _count(post: Post, view: View, events: Sequence[Event], now: float) -> None:
    """The counter of the open step: edited now if the last edit is old enough, else marked as behind."""
    step = view.step
    if step is None or not any(isinstance(ev, e.Voted | e.Ready) and ev.serial == step.serial for ev in events):
        return
    count = post.table.count
    if count.serial != step.serial:
        # The first counts of a step are worth waiting for: one edit shows several.
        count = Count(serial=step.serial, edited=now)
    post.change(count=replace(count, behind=True))
    refresh(post, now)


def refresh(post: Post, now: float) -> None:
    """Edit the counter if it is behind and may be edited."""
    count = post.table.count
    if count.behind and now >= next_count(post.table):
        post.add(Counter, serial=count.serial)
        post.change(count=replace(count, edited=now, edits=count.edits + 1, behind=False))


def next_count(table: Table) -> float:
    """When the counter may be edited next (epoch seconds); far away when it has been often enough.

    Each edit is further from the one before, so that they last for the step and the last count still appears.
    """
    count = table.count
    if count.edits >= COUNTERS_A_STEP:
        return float("inf")
    instant = count.edited + COUNTER_EVERY * (count.edits + 1)
    return max(instant, room_at(table.budget))


def room_at(budget: Budget) -> float:
    """When the group's minute has room for what can wait (epoch seconds); 0 if it has."""
    spent = budget.sends + budget.edits >= COUNTERS_WAIT_FROM
    return (budget.minute + 1) * 60.0 if spent else 0.0


def spent(budget: Budget, now: float, sends: int, edits: int) -> Budget:
    """The budget of the running minute after so many more sends and edits in the group."""
    minute = int(now // 60)
    if budget.minute != minute:
        budget = Budget(minute)
    return replace(budget, sends=budget.sends + sends, edits=budget.edits + edits)
