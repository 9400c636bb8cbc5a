"""What the group reads. Only events that everybody hears come here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import Event, StepView
from engine import events as e
from handlers.wording.scribe import Scribe


def news(scribe: Scribe, events: Sequence[Event], count: str = "", over: bool = False, until: float = 0.0) -> str:
    """One message about all that happened in one decision; the last clock is the one that runs.

    count: who has answered so far. over: the message is not the newest any more, its clock stops. until: when the
    open step ends (epoch seconds), where the events do not say it: something came in between.
    """
    lines: list[str] = []
    deadline = until
    for event in events:
        write = _SENTENCES.get(type(event))
        if write is not None and (line := write(scribe, event)):
            lines.append(line)
        deadline = getattr(event, "deadline", deadline)
    if count:
        lines.append(count)
    if lines and deadline and not over:
        lines.append(scribe.clock(deadline))
    return "\n".join(lines)


def night(
    scribe: Scribe, day: int, waves: Sequence[Sequence[str]], deadline: float | None, going_on: bool = False
) -> str:
    """The night's message: the calls that are over, the calls that are open, how long.

    deadline: None where the message is followed by another; going_on: its last calls are open all the same.
    """
    lines = [scribe.paper.bold(scribe.say("night", day=day))]
    for index, calls in enumerate(waves):
        is_open = (deadline or going_on) and index == len(waves) - 1
        key = "night.calls" if is_open else "night.called"
        called = scribe.say("list.and").join(scribe.say(f"call.{call}") for call in calls)
        lines.append(scribe.say(key, calls=called))
    if deadline:
        lines.append(scribe.clock(deadline))
    return "\n".join(lines)


def counter(scribe: Scribe, step: StepView) -> str:
    """The line under a ballot or a talk: who has answered – and what only where ballots are open."""
    if step.kind == "talk":
        return scribe.say("ready.counter", count=len(step.ready), seats=_numbers(step.ready))
    count = scribe.say(
        "ballot.counter", count=len(step.voted), voters=len(step.voters), seats=_numbers(step.voted)
    )
    return f"{count}\n{_votes_so_far(scribe, step)}" if step.votes else count


def _votes_so_far(scribe: Scribe, step: StepView) -> str:
    named: dict[int | str, list[int]] = {option: [] for option in step.candidates}
    for seat, answer in step.votes:
        for target in answer:
            named[target].append(seat)
    return " · ".join(
        f"{scribe.option(target)} ← {_numbers(voters)}" for target, voters in named.items() if voters
    )


def _numbers(seats: Sequence[int]) -> str:
    return " ".join(str(seat) for seat in seats)


def _weight(weight: float) -> str:
    return f"{weight:g}"


# One event, one sentence -----------------------------------------------------------------------------------


def _started(scribe: Scribe, event: e.Started) -> str:
    return scribe.say(
        "started",
        count=event.seats,
        deck=scribe.deck(event.deck),
        hash=scribe.paper.code(event.fingerprint[:16]),
    )


def _card(scribe: Scribe, death: e.Death) -> str:
    """The card of a dead seat, where it was turned over."""
    return scribe.say("card.turned", role=scribe.role(death.card)) if death.card else ""


def _fell(scribe: Scribe, event: e.Fell) -> str:
    if event.occasion == "night":
        return _dawn(scribe, event)
    by = scribe.seat(event.by) if event.by else ""
    return "\n".join(
        scribe.say(f"fell.{event.occasion}", seat=scribe.seat(death.seat), card=_card(scribe, death), by=by)
        for death in event.deaths
    )


def _dawn(scribe: Scribe, event: e.Fell) -> str:
    day = scribe.paper.bold(scribe.say("day", day=event.day))
    if not event.deaths:
        return day + scribe.say("gap") + scribe.say("dawn.nobody")
    named = (scribe.seat(death.seat) + _card(scribe, death) for death in event.deaths)
    return day + scribe.say("gap") + scribe.say("dawn.dead", seats=scribe.say("list.and").join(named))


def _reaction(scribe: Scribe, event: e.ReactionOpened) -> str:
    if event.action == "sheriff.pass_badge":
        return scribe.say("badge.awaited", seat=scribe.seats(event.seats))
    if event.seats:
        return scribe.say("shot.awaited", seat=scribe.seats(event.seats))
    return scribe.say("shot.maybe")


def _held_fire(scribe: Scribe, event: e.HeldFire) -> str:
    return scribe.say("shot.none", seat=scribe.seat(event.seat)) if event.seat else scribe.say("shot.silence")


def _badge(scribe: Scribe, event: e.BadgePassed) -> str:
    if event.to:
        return scribe.say("badge.passed", seat=scribe.seat(event.seat), heir=scribe.seat(event.to))
    return scribe.say("badge.torn", seat=scribe.seat(event.seat))


def _speech(scribe: Scribe, event: e.SpeechOpened) -> str:
    key = "speech" if event.name == "talk" else f"speech.{event.name}"
    speaker = scribe.paper.bold(scribe.mention(event.seat))
    lines = [scribe.say(key, speaker=speaker)]
    if event.after:
        lines.append(scribe.say("speech.after", seats=_numbers(event.after)))
    return "\n".join(lines)


def _ballot_opened(scribe: Scribe, event: e.BallotOpened) -> str:
    kind = "lynch" if event.action == "vote.lynch" else "sheriff"
    if event.round:
        heading = scribe.say(f"ballot.{kind}.again", seats=scribe.seats(event.candidates))
    else:
        heading = scribe.say(f"ballot.{kind}")
    heading = scribe.paper.bold(heading)
    return f"{heading}\n{scribe.say('ballot.open' if event.public else 'ballot.hidden')}"


def _ballot_closed(scribe: Scribe, event: e.BallotClosed) -> str:
    if event.action == "vote.verdict":
        return _verdict(scribe, event)
    votes = _count(scribe, event.votes, event.count)
    lynching = event.action == "vote.lynch"
    result = "ballot.result" if lynching else "ballot.sheriff.result"
    lines = [scribe.say(result, votes=" · ".join(votes))] if votes else []
    tied = [int(seat) for seat in event.leaders]
    if not tied and lynching:
        lines.append(scribe.say("ballot.nobody"))
    elif len(tied) > 1 and event.again:
        again = "ballot.tied.again" if lynching else "ballot.sheriff.tied"
        lines.append(scribe.say(again, seats=scribe.seats(tied)))
    elif len(tied) > 1 and lynching:
        lines.append(scribe.say("ballot.tied", seats=scribe.seats(tied)))
    return "\n".join(lines)


def _count(scribe: Scribe, votes: Sequence[e.Vote], count: Sequence[tuple[int | str, float]]) -> list[str]:
    """Who has how many votes, and from whom; who has abstained."""
    lines = [
        scribe.say(
            "ballot.votes",
            seat=scribe.option(target),
            votes=_weight(weight),
            voters=" ".join(_voter(vote) for vote in votes if vote.choice == target),
        )
        for target, weight in count
    ]
    abstained = [vote.seat for vote in votes if vote.choice is None]
    if abstained:
        lines.append(scribe.say("ballot.abstained", count=len(abstained), voters=_numbers(abstained)))
    return lines


def _verdict(scribe: Scribe, event: e.BallotClosed) -> str:
    votes = _count(scribe, event.votes, event.count)
    lines = [scribe.say("verdict.result", votes=" · ".join(votes))] if votes else []
    if not event.leaders:
        lines.append(scribe.say("verdict.nobody"))
    elif len(event.leaders) > 1:
        lines.append(scribe.say("verdict.tied", seat=scribe.option(event.leaders[0])))
    return "\n".join(lines)


def _nomination(scribe: Scribe, event: e.NominationOpened) -> str:
    """A turn of the nomination, or all at once."""
    if len(event.seats) > 1:
        return f"{scribe.paper.bold(scribe.say('nomination.open'))}\n{scribe.say('ballot.open')}"
    key = "nomination.turn.again" if event.round else "nomination.turn"
    lines = [scribe.say(key, speaker=scribe.paper.bold(scribe.mention(event.seats[0])))]
    if event.after:
        lines.append(scribe.say("speech.after", seats=_numbers(event.after)))
    return "\n".join(lines)


def _nominated(scribe: Scribe, event: e.Nominated) -> str:
    named = [
        scribe.say("nominated", seat=scribe.seat(vote.seat), target=scribe.option(vote.choice))
        for vote in event.votes
        if vote.choice is not None
    ]
    silent = [vote.seat for vote in event.votes if vote.choice is None]
    if silent:
        named.append(scribe.say("nominated.nobody", seats=scribe.seats(silent)))
    return "\n".join(named)


def _suspects(scribe: Scribe, event: e.SuspectsNamed) -> str:
    if not event.suspects:
        return scribe.say("suspects.none")
    votes = dict(event.count)
    named = [
        scribe.say("suspects.nominee", seat=scribe.option(suspect))
        if suspect == event.nominee
        else scribe.say("suspects.votes", seat=scribe.option(suspect), votes=_weight(votes.get(suspect, 0)))
        for suspect in event.suspects
    ]
    return scribe.paper.bold(scribe.say("suspects", seats=scribe.say("list.and").join(named)))


def _replaced(scribe: Scribe, event: e.SuspectsReplaced) -> str:
    return scribe.say("suspects.replaced", seats=scribe.options(event.suspects))


def _verdict_opened(scribe: Scribe, event: e.VerdictOpened) -> str:
    heading = scribe.paper.bold(scribe.say("verdict.open", seats=scribe.options(event.suspects)))
    return f"{heading}\n{scribe.say('ballot.open' if event.public else 'ballot.hidden')}"


def _voter(vote: e.Vote) -> str:
    return f"{vote.seat}🎖" if vote.weight > 1 else str(vote.seat)


def _elected(scribe: Scribe, event: e.SheriffElected) -> str:
    if not event.seat:
        return scribe.say("sheriff.nobody")
    return scribe.say("sheriff.elected", seat=scribe.seat(event.seat), weight=_weight(event.weight))


_SENTENCES: dict[type[Event], Callable[[Scribe, Any], str]] = {
    e.Started: _started,
    e.Fell: _fell,
    e.ReactionOpened: _reaction,
    e.HeldFire: _held_fire,
    e.BadgePassed: _badge,
    e.TalkOpened: lambda scribe, _event: scribe.say("talk"),
    e.SpeechOpened: _speech,
    e.BallotOpened: _ballot_opened,
    e.BallotClosed: _ballot_closed,
    e.NominationOpened: _nomination,
    e.Nominated: _nominated,
    e.SuspectsNamed: _suspects,
    e.SuspectsReplaced: _replaced,
    e.VerdictOpened: _verdict_opened,
    e.SheriffElected: _elected,
    e.Extended: lambda scribe, event: scribe.say("extended", seconds=event.seconds),
    e.Resumed: lambda scribe, _event: scribe.say("resumed"),
    e.Warned: lambda scribe, event: scribe.say("warned", seat=scribe.seat(event.seat), count=event.count),
    e.DrawOffered: lambda scribe, event: scribe.say("draw.offered", days=event.days),
}
