"""`new_moon`: what its five roles and the elder's curse let a seat know."""

from __future__ import annotations

from collections.abc import Iterator

from tests.engine.entitled.ledger import SHARED, Disturbance, Entitled, Entry, Happened, Table, in_public, role_of

QUIET = {"sheriff": False}
HIDDEN = {**QUIET, "reveal_on_death": False}


def enchanted(h: Happened) -> Iterator[Entry]:
    """The newly enchanted learn that they are, and all enchanted learn who is."""
    marked = tuple(seat.number for seat in h.after.seats if "enchanted" in seat.marks and seat.alive)
    for seat in marked:
        yield seat, ("enchanted", marked)


def hunter_without_power(h: Happened) -> Iterator[Entry]:
    """Who has lost his power is told in his pause that he cannot shoot (N17)."""
    if h.event.action == "hunter.shoot" and h.after.cursed:
        for seat in h.after.agenda[0].seats:
            if role_of(h.after, seat) == "hunter":
                yield seat, ("may not shoot",)


ENTITLED = Entitled(
    rulings={
        "Enchanted": enchanted,
        "ReactionOpened": hunter_without_power,
        "TurnedOver": in_public("seat", "card"),
        "VotersNamed": in_public("seat", "voters", "barred", "day"),
        "Struck": SHARED["Struck"],
    },
    tables=(
        Table(
            name="piper",
            cards=("werewolf", "piper", "witch", "villager", "villager", "villager"),
            seats=6,
            options=HIDDEN,
            occurs=frozenset({"enchanted", "attacked"}),
        ),
        Table(
            name="elder and guard",
            cards=("werewolf", "elder", "guard", "witch", "villager", "villager"),
            seats=6,
            options=HIDDEN,
            nights=3,
            lines=4,
            occurs=frozenset({"power gone"}),
        ),
        Table(
            name="elder and hunter",
            cards=("werewolf", "elder", "hunter", "seer", "villager", "villager"),
            seats=6,
            options=HIDDEN,
            nights=3,
            lines=4,
            occurs=frozenset({"power gone"}),
        ),
        Table(
            name="idiot and scapegoat",
            cards=("werewolf", "idiot", "scapegoat", "seer", "villager", "villager", "villager"),
            seats=7,
            options=HIDDEN,
            nights=3,
            lines=6,
            occurs=frozenset({"TurnedOver"}),
        ),
        Table(
            name="a seat leaves, hidden cards",
            cards=("werewolf", "elder", "guard", "piper", "witch", "villager", "villager"),
            seats=7,
            options=HIDDEN,
            lines=4,
            occurs=frozenset({"left", "expelled"}),
            disturbed=(
                Disturbance("leave", 1, "wolves"),
                Disturbance("leave", 1, "piper", 12.0),
                Disturbance("leave", 1, "vote.lynch", 2.35),
                Disturbance("expel", 1, "witch"),
            ),
        ),
    ),
)
