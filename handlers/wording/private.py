"""What one seat reads in its own chat: its card, what it is asked, what it was told."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Event, Fact
from engine import events as e
from handlers.record import PACK_ACTION, Sheet
from handlers.wording import houses
from handlers.wording.keys import KEYS
from handlers.wording.scribe import Scribe

Answer = tuple[int | str, ...]

CAMPS = {
    "werewolf": "wolves",
    "white_wolf": "wolves",
    "possessed": "wolves",
    "piper": "piper",
    "werehamster": "werehamster",
}
"""With whom a card wins; the others with the village."""


def news(scribe: Scribe, events: Sequence[Event], count: int) -> str:
    """One message about what one decision told a seat. `count`: how many play."""
    lines: list[str] = []
    for event in events:
        lines += _lines(scribe, event, count)
    wolf = any(isinstance(ev, e.CardDealt) and ev.cards in (("werewolf",), ("white_wolf",)) for ev in events)
    if wolf and not any(isinstance(ev, e.Told) and ev.occasion == "pack" for ev in events):
        lines.append(scribe.say("card.alone"))
    return "\n".join(lines)


def _lines(scribe: Scribe, event: Event, count: int) -> list[str]:
    match event:
        case e.CardDealt() if len(event.cards) > 1:
            return houses.cards(scribe, event)
        case e.HomeDealt():
            return houses.home(scribe, event)
        case e.Placed():
            return houses.placed(scribe, event)
        case e.GoalDrawn():
            return [scribe.say("goal.drawn", goal=houses.goal(scribe, event.goal))]
        case e.CardDealt():
            return [
                card(scribe, event.cards[0]),
                scribe.say("card.camp", camp=_camp(scribe, event.cards[0]), count=count),
            ]
        case e.Told():
            return told(scribe, event.occasion, event.facts)
        case e.Became(role="villager"):
            return [scribe.say("became.villager")]
        case e.Became():
            return [scribe.say("became", role=scribe.role(event.role), help=scribe.help(event.role))]
        case e.Denied():
            return [scribe.say("denied.shot")]
        case e.Reminded():
            return [scribe.say(f"reminded.{event.action}")]
        case e.PowerGone():
            return [scribe.say("power_gone")]
    return []


def card(scribe: Scribe, role: str) -> str:
    """Who you are, and what it means."""
    return scribe.say("card.you", role=scribe.paper.bold(scribe.role(role)), help=scribe.help(role))


def camp_of(role: str) -> str:
    """With whom a card wins."""
    return CAMPS.get(role, "village")


def _camp(scribe: Scribe, role: str) -> str:
    return scribe.say(f"camp.{camp_of(role)}")


def told(scribe: Scribe, occasion: str, facts: Sequence[Fact]) -> list[str]:
    """What a seat learnt on one occasion."""
    about = [fact.about for fact in facts if isinstance(fact.about, int)]
    match occasion:
        case "pack" if not facts:
            # A thief who took the only wolf's card.
            return [scribe.say("card.alone")]
        case "pack" if facts[0].day > 0:
            return [scribe.say("told.pack.now", seats=scribe.seats(about))]
        case "pack":
            return [scribe.say("card.pack", seats=scribe.seats(about)), scribe.say("card.pack_talk")]
        case "lovers":
            roles = [fact.what for fact in facts if fact.what != "lover"]
            lines = [scribe.say("told.lovers", lover=scribe.seat(about[0]))]
            return lines + [scribe.say("told.lover_role", role=scribe.role(role)) for role in roles]
        case "girl.noticed":
            return [scribe.say("told.noticed", seat=scribe.seats(about))]
        case "thief.centre":
            return [scribe.say("told.centre", cards=scribe.roles(fact.what for fact in facts))]
        case "witch.attack":
            if not facts:
                return [scribe.say("told.nobody_attacked")]
            return [scribe.say("told.attacked", seat=scribe.seats(about))]
        case "girl.peek":
            return [scribe.say("told.peeked", seat=scribe.seats(about))]
        case "medium":
            key = "told.medium.wolf" if facts[0].what == "wolf" else "told.medium.not_wolf"
            return [scribe.say(key, seat=scribe.seats(about))]
        case "freemason":
            return [scribe.say("told.freemason", seat=scribe.seats(about))]
        case "piper.enchant":
            return [_enchanted(scribe, facts[0].seat, about)]
    return [_seen(scribe, fact) for fact in facts]


def _enchanted(scribe: Scribe, seat: int, enchanted: Sequence[int]) -> str:
    """Who is newly enchanted is told of all; the others of the new ones."""
    if seat not in enchanted:
        return scribe.say("told.enchanted.more", seats=scribe.seats(enchanted))
    others = [other for other in enchanted if other != seat]
    return (
        scribe.say("told.enchanted", seats=scribe.seats(others)) if others else scribe.say("told.enchanted.alone")
    )


def _seen(scribe: Scribe, fact: Fact) -> str:
    if isinstance(fact.about, str):
        return houses.seen(scribe, fact)
    seat = scribe.seat(fact.about)
    if f"told.{fact.what}" in KEYS:
        return scribe.say(f"told.{fact.what}", seat=seat)
    return scribe.say("told.role", seat=seat, role=scribe.role(fact.what))


def sheet(scribe: Scribe, sheet: Sheet, deadline: float | None) -> str:
    """The questions of a step with the answers so far. deadline: None once the step is over."""
    lines: list[str] = []
    if any(isinstance(event, e.Voided) for event in sheet.events):
        lines.append(scribe.say("voided"))
    told_of = [ev for ev in sheet.events if isinstance(ev, e.Told)]
    briefed = [ev for ev in told_of if ev.occasion not in sheet.asks]
    results = [ev for ev in told_of if ev.occasion in sheet.asks]
    for event in briefed:
        lines += told(scribe, event.occasion, event.facts)
    by_chance = {ev.action for ev in sheet.events if isinstance(ev, e.Answered) and ev.by_chance}
    expired = {ev.action for ev in sheet.events if isinstance(ev, e.Expired)}
    for action, answer in sheet.asks.items():
        lines.append(scribe.paper.bold(scribe.ask(action)))
        if action in expired:
            lines.append(scribe.say("expired.peek"))
        elif answer is not None:
            key = "answer.chance" if action in by_chance else "answer"
            lines.append(scribe.say(key, answer=answer_text(scribe, action, answer)))
    for seat, answer in sorted(sheet.pack.items()):
        said = answer_text(scribe, PACK_ACTION, answer)
        lines.append(scribe.say("pack.answer", seat=scribe.seat(seat), answer=said))
    if sheet.pack and set(sheet.pack.values()) == {sheet.asks.get(PACK_ACTION)}:
        lines.append(scribe.say("pack.agreed"))
    for event in results:
        lines += told(scribe, event.occasion, event.facts)
    if deadline is not None:
        lines.append(scribe.clock(deadline))
    return "\n".join(lines)


def answer_text(scribe: Scribe, action: str, answer: Answer) -> str:
    """An answer in words."""
    if not answer:
        return scribe.say(f"pass.{action}")
    if answer == ("yes",):
        return scribe.say(f"yes.{action}")
    return scribe.options(answer)
