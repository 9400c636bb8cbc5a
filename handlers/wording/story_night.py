"""What the story makes of a night: what was done, and who could have done something and did not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine import Event
from engine import events as e
from handlers.wording.teller import Teller

CALL_OF = {
    "guard.protect": "guard",
    "bodyguard.protect": "bodyguard",
    "seer.check": "seer",
    "wolves.kill": "wolves",
    "girl.peek": "little_girl",
    "witch.heal": "witch",
    "witch.poison": "witch",
    "white_wolf.banish": "white_wolf",
    "piper.enchant": "piper",
    "hunter.shoot": "hunter",
    "owl.nominate": "owl_man",
    "mythomaniac.copy": "mythomaniac",
    "thief.look": "burglar",
    "wolf.kill": "wolf",
    "trap.set": "trap",
}
"""What can be done in a night, and left undone, and the call it belongs to. The trap is set before any call."""

_OF_THE_PACK = "wolves.kill"


def _night_fell(teller: Teller, event: e.NightFell) -> None:
    teller.night_falls(event.day)


def _prompted(teller: Teller, event: e.Prompted) -> None:
    """Until it is done, it is something that was not done."""
    for action in event.actions:
        teller.asked.add((0 if action == _OF_THE_PACK else event.seat, action))


def _done(teller: Teller, seat: int, action: str) -> None:
    """All that belongs to a call is done with one of its deeds: the witch has used a potion, or none."""
    teller.asked = {(s, a) for s, a in teller.asked if (s, CALL_OF[a]) != (seat, CALL_OF[action])}


def leave(teller: Teller, seats: Iterable[int]) -> None:
    """Who is no longer there has left nothing undone."""
    teller.asked = {(seat, action) for seat, action in teller.asked if seat not in seats}


def end_of_night(teller: Teller) -> None:
    """Tell what was left undone, now that the night is over."""
    undone = {(seat, _nothing(teller, action)): CALL_OF[action] for seat, action in teller.asked}
    for (seat, key), call in sorted(undone.items()):
        teller.add(key, call=call, seat=teller.one(seat) if seat else "")
    teller.asked = set()


def _key(teller: Teller, action: str) -> str:
    """The sentence about a deed. At a large table the owl-man is Death."""
    return "death.take" if action == "owl.nominate" and teller.scribe.death else action


def _nothing(teller: Teller, action: str) -> str:
    """The sentence that it was left undone. Two potions unused are one sentence."""
    return "witch.none" if CALL_OF[action] == "witch" else f"{_key(teller, action)}.none"


# What somebody was told at once --------------------------------------------------------------------------


def _told(teller: Teller, event: e.Told) -> None:
    """The thief has seen the centre, the girl a wolf, the pack the girl; others a card or a treasure."""
    match event.occasion:
        case "thief.centre":
            teller.centre = event.facts
        case "girl.peek":
            _done(teller, event.seat, event.occasion)
            about = teller.several(fact.about for fact in event.facts)
            teller.add("girl.peek", call="little_girl", seat=teller.one(event.seat), target=about)
        case "girl.noticed" if not teller.noticed:
            teller.noticed = True
            teller.add("girl.noticed", call="little_girl")
        case "seer.check" | "thief.look":
            _done(teller, event.seat, event.occasion)
            _saw(teller, event, event.occasion, CALL_OF[event.occasion])
        case "medium":
            _saw(teller, event, "medium", "medium")
        case "peek.show" | "mayor.inspect" | "mayor.show" | "broom.look":
            _saw(teller, event, "saw", "")


def _saw(teller: Teller, event: e.Told, key: str, call: str) -> None:
    for fact in event.facts:
        about, result = teller.one(fact.about), teller.seen(fact.what)
        teller.add(key, call=call, seat=teller.one(event.seat), target=about, result=result)


# What was gathered ---------------------------------------------------------------------------------------


def _gathered(teller: Teller, event: e.Gathered) -> None:
    """What the seats wanted as a wave closed."""
    for intent in event.intents:
        action = intent.action
        _done(teller, intent.seat, action)
        if action == "mythomaniac.copy":
            teller.copied = int(intent.answer[0])
            continue
        key, targets = _key(teller, action), intent.answer
        if action == "witch.heal":
            targets = (teller.attacked,)
        elif action == "wolf.kill" and teller.trapped in targets:
            key = "wolf.kill.trapped"
        seat, target = teller.one(intent.seat), teller.several(targets)
        teller.add(key, call=CALL_OF[action], seat=seat, target=target)


def _attacked(teller: Teller, event: e.Attacked) -> None:
    """The pack has chosen."""
    teller.attacked = event.seat
    _done(teller, 0, _OF_THE_PACK)
    teller.add("wolves.kill", call="wolves", target=teller.one(event.seat))


def _taken(teller: Teller, event: e.GirlTaken) -> None:
    """The pack has chosen the girl."""
    _done(teller, 0, _OF_THE_PACK)
    teller.add("girl.taken", call="little_girl", seat=teller.one(event.seat))


def _linked(teller: Teller, event: e.Linked) -> None:
    first, second = event.lovers
    teller.add("cupid.link", call="cupid", first=teller.one(first), second=teller.one(second))


def _became(teller: Teller, event: e.Became) -> None:
    """The thief has taken a card or is a villager; the mythomaniac has become what he copied."""
    seat, role = teller.one(event.seat), teller.role(event.role)
    if teller.centre:
        cards = teller.scribe.say("list.and").join(teller.role(fact.what) for fact in teller.centre)
        teller.add("thief.take", call="thief", seat=seat, cards=cards, role=role)
        teller.centre = ()
    elif teller.copied:
        target = teller.one(teller.copied)
        teller.add("mythomaniac.copy", call="mythomaniac", seat=seat, target=target, role=role)
    else:
        teller.add("mythomaniac.copy.none", call="mythomaniac", seat=seat, role=role)


def _trap_set(teller: Teller, event: e.TrapSet) -> None:
    teller.trapped = event.house
    teller.asked = {(seat, action) for seat, action in teller.asked if action != "trap.set"}
    teller.add("trap.set", call="trap", house=teller.one(event.house))


def _trap_used(teller: Teller, _event: e.TrapUsed) -> None:
    """The thief has laid the trap over the claw instead of looking into a house."""
    teller.asked = {(seat, action) for seat, action in teller.asked if action != "thief.look"}
    teller.add("trap.use", call="burglar")


# Dawn ----------------------------------------------------------------------------------------------------


def _wounded(teller: Teller, event: e.Wounded) -> None:
    teller.add("wounded", seat=teller.one(event.seat), lives=event.lives)


def _came_back(teller: Teller, event: e.CameBack) -> None:
    teller.add("came_back", seat=teller.one(event.seat))


def dawn(teller: Teller, event: e.Fell) -> None:
    """The night's dead are named. A book may have begun its day before."""
    end_of_night(teller)
    named = [teller.one(d.house) if d.house else teller.died(d.seat) for d in event.deaths]
    if named:
        teller.add("dawn", deaths=teller.scribe.say("list.and").join(named))
    else:
        teller.add("dawn.nobody")
    teller.day_breaks()


TOLD: dict[type[Event], Callable[[Teller, Any], None]] = {
    e.NightFell: _night_fell,
    e.Prompted: _prompted,
    e.Told: _told,
    e.Gathered: _gathered,
    e.Attacked: _attacked,
    e.GirlTaken: _taken,
    e.Linked: _linked,
    e.Became: _became,
    e.TrapSet: _trap_set,
    e.TrapUsed: _trap_used,
    e.Wounded: _wounded,
    e.CameBack: _came_back,
}
