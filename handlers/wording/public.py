"""What the group reads. Only events that everybody hears come here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import Event, StepView
from engine import events as e
from handlers.wording import houses, votes
from handlers.wording.keys import KEYS
from handlers.wording.scribe import Scribe
from handlers.wording.votes import numbers, weighed


def news(
    scribe: Scribe,
    events: Sequence[Event],
    count: str = "",
    over: bool = False,
    step: StepView | None = None,
    board: str = "",
) -> str:
    """One message about all that happened in one decision; the last clock is the one that runs.

    count: who has answered so far. over: the message is not the newest any more, its clock stops. step: the open
    one; where the events did not open it, something came in between, and it is said what goes on. board: what
    lies on the table, read after the night's dead.
    """
    lines: list[str] = []
    deadline = step.deadline if step else 0.0
    first = not any(isinstance(event, e.Nominated) for event in events)
    tried = any(isinstance(event, e.BallotClosed) and event.action == "vote.verdict" for event in events)
    paid = any(isinstance(event, e.Fell) and event.occasion == "tie" for event in events)
    for event in worth_saying(events):
        write = SENTENCES.get(type(event))
        if tried and isinstance(event, e.Fell) and event.occasion == "lynch":
            write = _executed
        if paid and isinstance(event, e.BallotClosed):
            write = votes.ballot_paid
        if write is not None and (line := write(scribe, event)):
            lines.append(line)
        if isinstance(event, e.Fell) and event.occasion == "night" and board:
            lines.append(board)
        if isinstance(event, e.NominationOpened) and first and not event.round:
            lines.append(scribe.say("nomination.hint"))
        deadline = getattr(event, "deadline", deadline)
    if step and not over and lines and not any(_opened(event, step) for event in events):
        lines += going_on(scribe, step)
    if count:
        lines.append(count)
    if lines and deadline and not over:
        lines.append(scribe.clock(deadline))
    return "\n".join(lines)


def _opened(event: Event, step: StepView) -> bool:
    """Say whether the event has opened the step, so that it says itself what is going on."""
    if isinstance(event, e.Resumed | e.Extended) or not hasattr(event, "deadline"):
        return False
    return getattr(event, "serial", 0) == step.serial


def going_on(scribe: Scribe, step: StepView) -> list[str]:
    """What goes on after something came in between: a leave, a withdrawal, more time, a step that had to wait."""
    seat = step.speaker or (step.voters[0] if step.kind == "naming" and len(step.voters) == 1 else 0)
    kind = "turn" if step.kind in ("naming", "order") and seat else step.kind
    key = f"goes_on.{kind}"
    return [scribe.say(key, seat=scribe.seat(seat) if seat else "")] if key in KEYS else []


def worth_saying(events: Sequence[Event]) -> list[Event]:
    """What is still true when all of it has happened: no step that went on and closed, no turn that is over.

    Who has blown up is read before what follows from it.
    """
    opened = [event for event in events if hasattr(event, "deadline")]
    said = [event for event in events if not isinstance(event, _PASSING) or event is opened[-1]]
    blown_up = [event for event in said if isinstance(event, e.Fell) and event.occasion == "explode"]
    if not blown_up:
        return said
    after = [event for event in said if isinstance(event, e.CutShort)]
    said = [event for event in said if event not in after]
    place = said.index(blown_up[0]) + 1
    return [*said[:place], *after, *said[place:]]


_PASSING = (e.Resumed, e.NominationOpened, e.TurnOpened)
"""Said of the open step only."""


def night(
    scribe: Scribe,
    day: int,
    waves: Sequence[Sequence[str]],
    deadline: float | None,
    *,
    going_on: bool = False,
    counted: bool = False,
) -> str:
    """The night's message: the calls that are over, the calls that are open, how long.

    deadline: None where the message is followed by another; going_on: its last calls are open all the same.
    counted: they are until then, whoever answers.
    """
    lines = [scribe.paper.bold(scribe.say("night", day=day))]
    for index, calls in enumerate(waves):
        is_open = (deadline or going_on) and index == len(waves) - 1
        key = "night.calls" if is_open else "night.called"
        called = scribe.say("list.and").join(scribe.call(call) for call in calls)
        lines.append(scribe.say(key, calls=called))
    if deadline:
        clock = scribe.clock(deadline)
        lines.append(scribe.say("night.counted", clock=clock) if counted else clock)
    return "\n".join(lines)


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
    lines = dict.fromkeys(
        scribe.say(f"fell.{event.occasion}", seat=_dead(scribe, death, event), card=_card(scribe, death), by=by)
        for death in event.deaths
    )
    return "\n".join(lines)


def _executed(scribe: Scribe, event: e.Fell) -> str:
    return "\n".join(
        scribe.say("fell.executed", seat=_dead(scribe, death, event), card=_card(scribe, death))
        for death in event.deaths
    )


def _dead(scribe: Scribe, death: e.Death, event: e.Fell) -> str:
    """Who died: a seat or, of two characters, the house of one – unless its player has gone with both."""
    whole = not death.house or event.occasion in ("left", "expelled")
    return scribe.seat(death.seat) if whole else scribe.option(death.house)


def _dawn(scribe: Scribe, event: e.Fell) -> str:
    day = scribe.paper.bold(scribe.say("day", day=event.day))
    if not event.deaths:
        return day + scribe.say("gap") + scribe.say("dawn.nobody")
    named = (_dead(scribe, death, event) + _card(scribe, death) for death in event.deaths)
    return day + scribe.say("gap") + scribe.say("dawn.dead", seats=scribe.say("list.and").join(named))


def _reaction(scribe: Scribe, event: e.ReactionOpened) -> str:
    if event.action in _AWAITED:
        return scribe.say(_AWAITED[event.action], seat=scribe.seats(event.seats))
    if event.seats:
        return scribe.say("shot.awaited", seat=scribe.seats(event.seats))
    return scribe.say("shot.maybe")


_AWAITED = {"sheriff.pass_badge": "badge.awaited", "scapegoat.allow": "allow.awaited"}
"""What the group waits for, by what a seat is asked whom everybody knows."""


def _turned_over(scribe: Scribe, event: e.TurnedOver) -> str:
    return scribe.say("turned_over", seat=scribe.seat(event.seat), role=scribe.role(event.card))


def _voters_named(scribe: Scribe, event: e.VotersNamed) -> str:
    """In the shorter of the two ways to say it."""
    if not event.barred:
        return scribe.say("voters.all", seat=scribe.seat(event.seat))
    if len(event.barred) < len(event.voters):
        return scribe.say("voters.but", seat=scribe.seat(event.seat), seats=scribe.seats(event.barred))
    return scribe.say("voters.only", seat=scribe.seat(event.seat), seats=scribe.seats(event.voters))


def _cut_short(scribe: Scribe, event: e.CutShort) -> str:
    lines = [scribe.say("cut_short")]
    if event.election:
        lines.append(scribe.say(f"cut_short.{event.election}"))
    return "\n".join(lines)


def _order(scribe: Scribe, event: e.OrderOpened) -> str:
    return scribe.say("order.awaited", seat=scribe.paper.bold(scribe.mention(event.seat)))


def _candidates(scribe: Scribe, event: e.CandidatesNamed) -> str:
    if not event.seats:
        return scribe.say("candidates.none")
    key = "candidates" if len(event.seats) > 1 else "candidates.one"
    return scribe.say(key, seats=scribe.seats(event.seats))


def _office(scribe: Scribe, event: e.OfficePassed) -> str:
    return scribe.say(f"office.{event.office}", seat=scribe.seat(event.seat))


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
        lines.append(scribe.say("speech.after", seats=numbers(event.after)))
    return "\n".join(lines)


def _elected(scribe: Scribe, event: e.SheriffElected) -> str:
    if not event.seat:
        return scribe.say("sheriff.nobody")
    return scribe.say("sheriff.elected", seat=scribe.seat(event.seat), weight=weighed(event.weight))


SENTENCES: dict[type[Event], Callable[[Scribe, Any], str]] = {
    **votes.SENTENCES,
    **houses.SENTENCES,
    e.Started: _started,
    e.Fell: _fell,
    e.ReactionOpened: _reaction,
    e.HeldFire: _held_fire,
    e.CutShort: _cut_short,
    e.CardShown: lambda scribe, event: scribe.say(
        "card.shown", seat=scribe.seat(event.seat), role=scribe.role(event.card)
    ),
    e.OrderOpened: _order,
    e.CandidacyOpened: lambda scribe, _event: scribe.paper.bold(scribe.say("candidacy.open")),
    e.CandidatesNamed: _candidates,
    e.Withdrew: lambda scribe, event: scribe.say("withdrew", seat=scribe.seat(event.seat)),
    e.OfficePassed: _office,
    e.TurnedOver: _turned_over,
    e.CameBack: lambda scribe, event: scribe.say(
        "came_back", seat=scribe.seat(event.seat), role=scribe.role(event.card)
    ),
    e.SpeechClaimed: lambda scribe, event: scribe.say("speech_claimed", seat=scribe.seat(event.seat)),
    e.VotersNamed: _voters_named,
    e.BadgePassed: _badge,
    e.TalkOpened: lambda scribe, _event: scribe.say("talk"),
    e.SpeechOpened: _speech,
    e.SheriffElected: _elected,
    e.Extended: lambda scribe, event: scribe.say("extended", seconds=event.seconds),
    e.Resumed: lambda scribe, _event: scribe.say("resumed"),
    e.Warned: lambda scribe, event: scribe.say("warned", seat=scribe.seat(event.seat), count=event.count),
    e.DrawOffered: lambda scribe, event: scribe.say("draw.offered", days=event.days),
}
