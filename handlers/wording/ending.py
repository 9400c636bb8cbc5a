"""What is said when a game is over, and how its deal can be checked."""

from __future__ import annotations

from hashlib import sha256

from engine import Fate
from engine import events as e
from handlers.record import Table
from handlers.wording import houses
from handlers.wording.private import camp_of
from handlers.wording.scribe import EMOJI, Scribe
from handlers.wording.story import story


def ending(scribe: Scribe, table: Table, event: e.Ended, games: int = 1) -> str:
    """Who has won after how long, every seat, the story, and what the seal was made of. games: of the match."""
    minutes = max(1, round((table.ended - table.began) / 60))
    won = scribe.paper.bold(scribe.say(f"end.{event.result.camp}"))
    lines = [f"{won} {scribe.say('end.length', days=event.days, minutes=minutes)}"]
    if event.result.sheet:
        lines += houses.points(scribe, event.result, games)
    else:
        judged = any(isinstance(ev, e.SuspectsNamed) for ev in table.chronicle)
        lines += [_fate(scribe, fate, judged) for fate in event.result.fates]
    lines.append(f"\n{scribe.paper.bold(scribe.say('story.title'))}")
    lines.append(story(scribe, table.chronicle))
    lines.append(f"\n{scribe.say('end.seed', seed=scribe.paper.code(event.seed))}")
    lines += _seal(scribe, event)
    return "\n".join(lines)


def check_text(scribe: Scribe, table: Table) -> str:
    """How the deal of a table's game is checked: before its end the hash, then the line it was made of."""
    started = next((event for event in table.chronicle if isinstance(event, e.Started)), None)
    ended = next((event for event in table.chronicle if isinstance(event, e.Ended)), None)
    if started is None:
        return scribe.say("reply.not_started")
    if ended is None:
        return scribe.say("check.sealed", hash=scribe.paper.code(started.fingerprint))
    command = scribe.paper.code(scribe.paper.escape(f"nightfall verify '{ended.line}' {started.fingerprint}"))
    return "\n".join((*_seal(scribe, ended), scribe.say("check.command", command=command)))


def _seal(scribe: Scribe, event: e.Ended) -> list[str]:
    return [
        scribe.say("end.line", line=scribe.paper.code(scribe.paper.escape(event.line))),
        scribe.say("end.hash", hash=scribe.paper.code(sha256(event.line.encode()).hexdigest())),
    ]


def _fate(scribe: Scribe, fate: Fate, judged: bool) -> str:
    """One seat's end. judged: the day's death is a verdict, and who dies of it is executed."""
    role = scribe.called(fate.roles[0])
    how = "executed" if judged and fate.fate == "lynch" else fate.fate
    return scribe.say(
        "end.seat",
        emoji=EMOJI[role],
        seat=scribe.seat(fate.seat),
        role=scribe.say(f"role.{role}"),
        side=_side(scribe, fate),
        fate=scribe.say(f"fate.{how}"),
        mark="🏆" if fate.won else "",
    ).rstrip()


def _side(scribe: Scribe, fate: Fate) -> str:
    """With whom somebody wins whose card wins with others: a wolf in love, Cupid with his lovers."""
    if fate.camp == camp_of(fate.roles[0]):
        return ""
    return scribe.say("end.side", camp=scribe.say(f"camp.{fate.camp}"))
