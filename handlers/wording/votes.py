"""What the group reads of votes: ballots, nominations, verdicts, and who has answered so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import Event, StepView
from engine import events as e
from handlers.wording.scribe import Scribe


def counter(scribe: Scribe, step: StepView) -> str:
    """The line under a ballot or a talk: who has answered – and what only where ballots are open."""
    if step.kind == "placing":
        return scribe.say(
            "placing.counter", count=len(step.voted), voters=len(step.voters), seats=numbers(step.voted)
        )
    if step.kind == "talk":
        return scribe.say("ready.counter", count=len(step.ready), seats=numbers(step.ready))
    if step.kind == "candidacy":
        return scribe.say("candidacy.counter", count=len(step.voted), voters=len(step.voters))
    count = scribe.say("ballot.counter", count=len(step.voted), voters=len(step.voters), seats=numbers(step.voted))
    return f"{count}\n{_votes_so_far(scribe, step)}" if step.votes else count


def is_counted(step: StepView) -> bool:
    """Say whether several answer at once in the step, so that it is worth counting them."""
    return len(step.voters) > 1 or step.kind == "talk"


def _votes_so_far(scribe: Scribe, step: StepView) -> str:
    named: dict[int | str, list[int]] = {option: [] for option in step.candidates}
    for seat, answer in step.votes:
        for target in answer:
            named[target].append(seat)
    return " · ".join(f"{scribe.option(target)} ← {numbers(voters)}" for target, voters in named.items() if voters)


def numbers(seats: Sequence[int]) -> str:
    """Seats by their numbers alone."""
    return " ".join(str(seat) for seat in seats)


def weighed(weight: float) -> str:
    """How much votes count, without needless zeros."""
    return f"{weight:g}"


def _ballot_opened(scribe: Scribe, event: e.BallotOpened) -> str:
    kind = "lynch" if event.action == "vote.lynch" else "sheriff"
    if event.round:
        heading = scribe.say(f"ballot.{kind}.again", seats=scribe.seats(event.candidates))
    elif kind == "sheriff" and not set(event.voters) <= set(event.candidates):
        heading = scribe.say("ballot.sheriff.candidates")
    else:
        heading = scribe.say(f"ballot.{kind}")
    heading = scribe.paper.bold(heading)
    return f"{heading}\n{scribe.say('ballot.open' if event.public else 'ballot.hidden')}"


def _ballot_closed(scribe: Scribe, event: e.BallotClosed) -> str:
    if event.action == "vote.verdict":
        return _verdict(scribe, event)
    votes = _count(scribe, event)
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


def ballot_paid(scribe: Scribe, event: e.BallotClosed) -> str:
    """A tie that somebody pays for: the votes alone, what follows is said by itself."""
    return scribe.say("ballot.result", votes=" · ".join(_count(scribe, event)))


def _count(scribe: Scribe, event: e.BallotClosed) -> list[str]:
    """Who has how many votes, and from whom; who has abstained."""
    votes, count = event.votes, event.count
    sign = "×2" if event.action == "vote.verdict" else "🎖"
    lines = [
        scribe.say(
            "ballot.votes",
            seat=scribe.option(target),
            votes=weighed(weight),
            voters=" ".join(_voter(vote, sign) for vote in votes if vote.choice == target),
        )
        for target, weight in count
    ]
    abstained = [vote.seat for vote in votes if vote.choice is None]
    if abstained:
        lines.append(scribe.say("ballot.abstained", count=len(abstained), voters=numbers(abstained)))
    return lines


def _verdict(scribe: Scribe, event: e.BallotClosed) -> str:
    votes = _count(scribe, event)
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
        lines.append(scribe.say("speech.after", seats=numbers(event.after)))
    return "\n".join(lines)


def _nominated(scribe: Scribe, event: e.Nominated) -> str:
    if len(event.votes) > 1:
        return _nominated_at_once(scribe, event)
    named = [
        scribe.say("nominated", seat=scribe.seat(vote.seat), target=scribe.option(vote.choice))
        for vote in event.votes
        if vote.choice is not None
    ]
    silent = [vote.seat for vote in event.votes if vote.choice is None]
    if silent:
        named.append(scribe.say("nominated.nobody", seats=scribe.seats(silent)))
    return "\n".join(named)


def _nominated_at_once(scribe: Scribe, event: e.Nominated) -> str:
    """Who was named by whom, the most named first: a line for each would be a long list."""
    namers: dict[int | str, list[int]] = {}
    for vote in event.votes:
        if vote.choice is not None:
            namers.setdefault(vote.choice, []).append(vote.seat)
    by_number = sorted(namers.items(), key=lambda entry: -len(entry[1]))
    lines = [f"{scribe.option(target)} ← {numbers(sorted(seats))}" for target, seats in by_number]
    if silent := sorted(vote.seat for vote in event.votes if vote.choice is None):
        lines.append(scribe.say("nominated.nobody", seats=numbers(silent)))
    return "\n".join(lines)


def _suspects(scribe: Scribe, event: e.SuspectsNamed) -> str:
    if not event.suspects:
        return scribe.say("suspects.none")
    votes = dict(event.count)
    named = [
        scribe.say("suspects.nominee", seat=scribe.option(suspect))
        if suspect == event.nominee
        else scribe.say("suspects.votes", seat=scribe.option(suspect), votes=weighed(votes.get(suspect, 0)))
        for suspect in event.suspects
    ]
    return scribe.paper.bold(scribe.say("suspects", seats=scribe.say("list.and").join(named)))


def _replaced(scribe: Scribe, event: e.SuspectsReplaced) -> str:
    return scribe.say("suspects.replaced", seats=scribe.options(event.suspects))


def _verdict_opened(scribe: Scribe, event: e.VerdictOpened) -> str:
    heading = scribe.paper.bold(scribe.say("verdict.open", seats=scribe.options(event.suspects)))
    of_houses = any(isinstance(suspect, str) for suspect in event.suspects)
    who = scribe.say("verdict.voters.houses" if of_houses else "verdict.voters")
    return f"{heading}\n{who}\n{scribe.say('ballot.open' if event.public else 'ballot.hidden')}"


def _voter(vote: e.Vote, sign: str) -> str:
    """Who voted; with a sign where his vote counts more than one."""
    return f"{vote.seat}{sign}" if vote.weight > 1 else str(vote.seat)


SENTENCES: dict[type[Event], Callable[[Scribe, Any], str]] = {
    e.BallotOpened: _ballot_opened,
    e.BallotClosed: _ballot_closed,
    e.NobodyVotes: lambda scribe, _event: scribe.say("ballot.no_voters"),
    e.NominationOpened: _nomination,
    e.Nominated: _nominated,
    e.NomineeShown: lambda scribe, event: scribe.say("suspects.shown", seat=scribe.option(event.nominee)),
    e.SuspectsNamed: _suspects,
    e.SuspectsReplaced: _replaced,
    e.VerdictOpened: _verdict_opened,
}
