"""`elder`: the election before the dead are named, self-destruct, and a hunter who shoots in the night."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.engine.entitled.ledger import (
    Disturbance,
    Entitled,
    Entry,
    Happened,
    Table,
    before_a_wave,
    holder,
    in_public,
    protected,
    said_in_public,
)


def said(game: Any, action: str) -> Any:
    """What somebody has said to that action tonight; 0 for nothing."""
    return next((option for i in game.intents if i.action == action for option in i.answer), 0)


def cause_of(h: Happened, seat: int) -> str:
    """Of what a seat is going to die tonight: poison before the wolves; guarded and healed is death (E22)."""
    game = h.after
    if said(game, "witch.poison") == seat:
        return "poison"
    if game.attack != seat:
        return ""
    guarded, healed = protected(game) == seat, said(game, "witch.heal") == "yes"
    if guarded and healed:
        return "guard_and_heal" if h.options.guard_and_heal_kills else ""
    return "" if guarded or healed else "wolves"


def at_night(h: Happened) -> Iterator[Entry]:
    """The hunter is asked at the end of the night that kills him, or told that he cannot shoot (E7, E26)."""
    yield from before_a_wave(h)
    if "hunter" in h.event.calls and (hunter := holder(h.after, "hunter")) and (cause := cause_of(h, hunter)):
        yield hunter, ("dies", cause in h.options.hunter_shoots_when)


ENTITLED = Entitled(
    rulings={
        "WaveOpened": at_night,
        "CandidatesNamed": in_public("seats"),
        "Withdrew": in_public("seat"),
        "CutShort": in_public("election"),
        "CardShown": in_public("seat", "card"),
        "sheriff.order": said_in_public,
    },
    tables=(
        Table(
            name="witch and guard",
            cards=("werewolf", "guard", "witch", "seer", "villager", "villager"),
            seats=6,
            options={"guard_min_seats": 0},
            occurs=frozenset({"attacked", "sees", "CandidatesNamed"}),
        ),
        Table(
            name="hunter in the night",
            cards=("werewolf", "hunter", "witch", "villager", "villager", "villager"),
            seats=6,
            options={"reveal_on_death": False},
            lines=5,
            occurs=frozenset({"dies"}),
        ),
        Table(
            name="cupid",
            cards=("werewolf", "werewolf", "cupid", "hunter", "villager", "villager"),
            seats=6,
            options={"reveal_on_death": False, "sheriff": "off"},
            occurs=frozenset({"lover"}),
        ),
        Table(
            name="two wolves in hidden lynchings",
            cards=("werewolf", "werewolf", "seer", "witch", "villager", "villager"),
            seats=6,
            occurs=frozenset({"pack"}),
        ),
        Table(
            name="a seat leaves, hidden cards",
            cards=("werewolf", "werewolf", "hunter", "witch", "villager", "villager", "villager"),
            seats=7,
            options={"reveal_on_death": False},
            lines=5,
            deals=5,
            occurs=frozenset({"left"}),
            disturbed=(
                Disturbance("leave", 1, "wolves"),
                Disturbance("leave", 1, "hunter"),
                Disturbance("leave", 1, "CandidacyOpened"),
                Disturbance("leave", 1, "sheriff.vote", 2.35),
                Disturbance("leave", 1, "vote.lynch", 2.45),
            ),
        ),
        Table(
            name="the host interferes",
            cards=("werewolf", "seer", "guard", "witch", "villager", "villager"),
            seats=6,
            options={"guard_min_seats": 0},
            lines=4,
            disturbed=(
                Disturbance("skip", 1, "wolves"),
                Disturbance("expel", 1, "sheriff.vote", 2.35),
                Disturbance("extend", 1, "witch"),
                Disturbance("warn", 1, "SpeechOpened"),
            ),
        ),
    ),
)
