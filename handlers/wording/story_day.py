"""What the story makes of a day: elections, votes, deaths and what follows from them, the mayor's affairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import Event
from engine import events as e
from handlers.wording.story_night import dawn, end_of_night, leave
from handlers.wording.teller import Teller

# The election --------------------------------------------------------------------------------------------


def _morning(teller: Teller, _event: Event) -> None:
    """The night is over, though its dead may not have been named yet."""
    if teller.is_night:
        end_of_night(teller)
        teller.day_breaks()


def _candidates(teller: Teller, event: e.CandidatesNamed) -> None:
    if event.seats:
        teller.add("candidates", seats=teller.several(event.seats))


def _withdrew(teller: Teller, event: e.Withdrew) -> None:
    teller.add("withdrew", seat=teller.one(event.seat))


def _elected(teller: Teller, event: e.SheriffElected) -> None:
    if event.seat:
        teller.add("sheriff", seat=teller.one(event.seat))
    else:
        teller.add("sheriff.none")


def _badge(teller: Teller, event: e.BadgePassed) -> None:
    """The badge has gone to an heir, or for good."""
    if event.to:
        teller.add("badge", seat=teller.one(event.seat), heir=teller.one(event.to))
    else:
        teller.add("badge.torn", seat=teller.one(event.seat))


# Votes ---------------------------------------------------------------------------------------------------


def _ballot(teller: Teller, event: e.BallotClosed) -> None:
    """What it leads to – a lynching, a card turned over, a scapegoat – is told with its count."""
    if not event.leaders:
        teller.add("no_votes")
    elif event.again:
        teller.add("tied.again", seats=teller.several(event.leaders), count=_count(event))
    else:
        teller.ballot = event


def _count(ballot: e.BallotClosed | None) -> str:
    """Everybody's votes, the most first; whom alone votes were cast for had them to nil."""
    weights = [weight for _, weight in ballot.count] if ballot else []
    return ":".join(f"{weight:g}" for weight in (weights if len(weights) != 1 else (*weights, 0)))


def tie_stands(teller: Teller, event: Event) -> None:
    """A tie after which nobody dies is told as soon as something else has happened."""
    ballot = teller.ballot
    if ballot is None or (isinstance(event, e.Fell) and event.occasion in ("lynch", "tie")):
        return
    if ballot.action == "vote.lynch" and len(ballot.leaders) > 1:
        teller.add("tied", seats=teller.several(ballot.leaders), count=_count(ballot))
        teller.ballot = None


def _turned_over(teller: Teller, event: e.TurnedOver) -> None:
    """An idiot was voted out, and lives."""
    teller.add("turned_over", seat=teller.one(event.seat), count=_count(teller.ballot))
    teller.ballot = None


def _no_voters(teller: Teller, event: e.NobodyVotes) -> None:
    _morning(teller, event)
    teller.add("no_voters")


def _voters_named(teller: Teller, event: e.VotersNamed) -> None:
    """In the shorter of the two ways to say it."""
    seat = teller.one(event.seat)
    if not event.barred:
        teller.add("voters.all", seat=seat)
    elif len(event.barred) < len(event.voters):
        teller.add("voters.but", seat=seat, seats=teller.several(event.barred))
    else:
        teller.add("voters.only", seat=seat, seats=teller.several(event.voters))


def _suspects(teller: Teller, event: e.SuspectsNamed) -> None:
    if event.suspects:
        teller.add("suspects", seats=teller.several(event.suspects))
    else:
        teller.add("suspects.none")


def _replaced(teller: Teller, event: e.SuspectsReplaced) -> None:
    teller.add("suspects.replaced", seats=teller.several(event.suspects))


# Deaths --------------------------------------------------------------------------------------------------


def _fell(teller: Teller, event: e.Fell) -> None:
    """Deaths were made public: those of a night together, others one by one."""
    dead = tuple(dict.fromkeys(death.seat for death in event.deaths))
    match event.occasion:
        case "night":
            dawn(teller, event)
        case "lynch":
            ballot, teller.ballot = teller.ballot, None
            key = "lynch" if ballot and ballot.action == "vote.lynch" else "verdict"
            for death in event.deaths:
                teller.add(key, seat=teller.one(death.house or death.seat), count=_count(ballot))
        case "tie":
            ballot, teller.ballot = teller.ballot, None
            tied = teller.several(ballot.leaders) if ballot else ""
            teller.add("tie", seat=teller.several(dead), seats=tied, count=_count(ballot))
        case "explode":
            key = f"explode.{teller.election}" if teller.election else "explode"
            teller.add(key, seat=teller.several(dead))
        case _:
            by = teller.one(event.by) if event.by else ""
            for seat in dead:
                teller.add(event.occasion, seat=teller.one(seat), by=by)
    if event.occasion == "shot":
        leave(teller, (event.by,))
    leave(teller, dead)


def _cut_short(teller: Teller, event: e.CutShort) -> None:
    """Told with the self-destruct itself: before it the night's dead may have to be named."""
    teller.election = event.election


def _held_fire(teller: Teller, event: e.HeldFire) -> None:
    """The hunter has not shot. If nobody was to know that there was one, he is the one who was asked."""
    for seat in {event.seat} - {0} or {seat for seat, action in teller.asked if action == "hunter.shoot"}:
        teller.add("hunter.shoot.none", seat=teller.one(seat))
        leave(teller, (seat,))


def _powers_lost(teller: Teller, event: e.PowersLost) -> None:
    teller.add("powers_lost", seat=teller.one(event.elder))


def _warned(teller: Teller, event: e.Warned) -> None:
    teller.add("warned", seat=teller.one(event.seat), count=event.count)


# The mayor and the coins ---------------------------------------------------------------------------------


def _used(teller: Teller, event: e.PrivilegeUsed) -> None:
    teller.add(event.action, seat=teller.one(event.seat), target=teller.one(event.target))


def _bet(teller: Teller, event: e.BetPlaced) -> None:
    """A coin on whom somebody takes for the wolf."""
    teller.add("bet", seat=teller.one(event.seat), on=teller.one(event.on), coin=event.coin)


def _swapped(teller: Teller, event: e.GoalSwapped) -> None:
    teller.add("swapped", seat=teller.one(event.seat))


TOLD: dict[type[Event], Callable[[Teller, Any], None]] = {
    e.CandidacyOpened: _morning,
    e.BallotOpened: _morning,
    e.CandidatesNamed: _candidates,
    e.Withdrew: _withdrew,
    e.SheriffElected: _elected,
    e.BadgePassed: _badge,
    e.BallotClosed: _ballot,
    e.TurnedOver: _turned_over,
    e.NobodyVotes: _no_voters,
    e.VotersNamed: _voters_named,
    e.SuspectsNamed: _suspects,
    e.SuspectsReplaced: _replaced,
    e.Fell: _fell,
    e.CutShort: _cut_short,
    e.HeldFire: _held_fire,
    e.PowersLost: _powers_lost,
    e.Warned: _warned,
    e.PrivilegeUsed: _used,
    e.BetPlaced: _bet,
    e.GoalSwapped: _swapped,
}
