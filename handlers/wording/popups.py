"""What a pop-up says: the answer to a press, and one's own card. Plain text, at most 200 characters."""

from __future__ import annotations

from engine import Fact, View, owner_of, stands_beside
from handlers.names import clean
from handlers.record import Reply
from handlers.wording import houses
from handlers.wording.keys import KEYS
from handlers.wording.scribe import Scribe

LONGEST = 200


def reply(scribe: Scribe, reply: Reply) -> str:
    """The answer to a press, for the presser alone."""
    plain = scribe.plainly()
    variables: dict[str, object] = {"number": reply.number, "name": clean(reply.name)}
    if reply.chosen:
        variables["seat"] = plain.options(reply.chosen)
    if reply.seat:
        variables["seat"] = plain.seat(reply.seat) if reply.code not in _NUMBERS_ONLY else reply.seat
    if reply.code == "option_refused":
        variables["name"] = plain.say(f"option.{reply.word}")
    elif reply.code == "book":
        variables["name"] = plain.say(f"book.{reply.word}")
    elif reply.word and reply.code != "toggled":
        variables["role"] = plain.role(reply.word)
    return _cut(plain.say(f"reply.{reply.code}", **variables))


_NUMBERS_ONLY = ("joined", "joined_already")


def card(scribe: Scribe, view: View) -> str:
    """One's role, what is asked of one now, and the newest of what one was told – as much as fits."""
    plain = scribe.plainly()
    mine = view.mine
    if mine is None:
        return plain.say("reply.no_seat")
    lines = houses.mine(plain, mine) if view.town else [plain.roles(mine.roles)]
    serial = view.step.serial if view.step else 0
    # What stands beside the steps nobody owes an answer; in a day's first step it has the same serial.
    asked = [p.action for p in mine.prompts if p.serial == serial and not stands_beside(p.action)]
    if view.result is not None:
        lines.append(plain.say("reply.over"))
    elif asked:
        lines += [_question(plain, action, alone=len(asked) == 1) for action in asked]
    elif not mine.alive:
        lines.append(plain.say("dead.now"))
    else:
        lines.append(plain.say("asleep" if view.phase == "night" else "awake"))
    text = "\n".join(lines)
    for line in dict.fromkeys(fact_line(plain, fact) for fact in reversed(mine.facts)):
        if line and _length(text) + _length(line) + 1 <= LONGEST:
            text += "\n" + line
    return _cut(text)


def _question(scribe: Scribe, action: str, *, alone: bool) -> str:
    """A question; where several are asked together, some are put in short: the private chat has them in full."""
    short = f"card.ask.{action}"
    return scribe.ask(action) if alone or short not in KEYS else scribe.say(short)


def _length(text: str) -> int:
    """Characters as Telegram counts them: an emoji is two."""
    return len(text.encode("utf-16-le")) // 2


def _cut(text: str) -> str:
    """The text in as many characters as a pop-up has, as Telegram counts them."""
    if _length(text) <= LONGEST:
        return text
    return text.encode("utf-16-le")[: 2 * (LONGEST - 1)].decode("utf-16-le", errors="ignore").rstrip() + "…"


def fact_line(scribe: Scribe, fact: Fact) -> str:
    """One thing a seat was told, in short; empty for what is of no use any more."""
    if fact.what == "claw":
        return scribe.say("fact.claw", house=scribe.option(fact.about), day=fact.day)
    if not isinstance(fact.about, int):
        return houses.seen(scribe, fact) if owner_of(fact.about) else ""
    seat = scribe.seat(fact.about)
    if fact.what == "attacked":
        return scribe.say("fact.attacked", seat=seat, day=fact.day)
    if f"fact.{fact.what}" in KEYS:
        return scribe.say(f"fact.{fact.what}", seat=seat)
    return scribe.say("fact.role", seat=seat, role=scribe.role(fact.what))
