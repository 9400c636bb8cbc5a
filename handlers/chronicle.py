"""What a record keeps of the events: the running day, for rows of its own, and what the story is told from."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine import Event, Game, View
from engine import events as e
from handlers.post import Post
from handlers.record import Day

PART = 64
"""So many events of a day go into a row of their own, that not every vote writes the whole day again."""

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


def remember(post: Post, before: Game | None, events: Sequence[Event]) -> list[tuple[int, int]]:
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


def part(post: Post, view: View) -> list[tuple[int, int]]:
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


def chronicle(post: Post, before: Game | None, events: Sequence[Event], now: float) -> None:
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
