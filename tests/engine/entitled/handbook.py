"""`handbook`: white wolf, third party, an idiot who comes back, a scapegoat who chooses the voters."""

from __future__ import annotations

from tests.engine.entitled.ledger import Disturbance, Entitled, Table, in_public

ENTITLED = Entitled(
    rulings={
        "CameBack": in_public("seat", "card"),
        "SpeechClaimed": in_public("seat"),
        "VotersNamed": in_public("seat", "voters", "barred", "day"),
    },
    tables=(
        Table(
            name="white wolf",
            cards=("werewolf", "werewolf", "white_wolf", "seer", "villager", "villager"),
            seats=6,
            nights=3,
            occurs=frozenset({"pack", "sees"}),
        ),
        Table(
            name="idiot and guard",
            cards=("werewolf", "white_wolf", "idiot", "guard", "seer", "witch", "villager"),
            seats=7,
            nights=3,
            lines=4,
            occurs=frozenset({"attacked", "CameBack"}),
        ),
        Table(
            name="third party",
            cards=("werewolf", "werewolf", "cupid", "seer", "villager", "villager"),
            seats=6,
            occurs=frozenset({"lover"}),
        ),
        Table(
            name="thief",
            cards=("werewolf", "white_wolf", "thief", "witch", "villager", "villager", "villager"),
            seats=5,
            occurs=frozenset({"centre", "is now"}),
        ),
        Table(
            name="hunter and scapegoat",
            cards=("werewolf", "hunter", "scapegoat", "villager", "villager", "villager"),
            seats=6,
            lines=5,
            occurs=frozenset({"shot"}),
        ),
        Table(
            name="a seat leaves, hidden cards",
            cards=("werewolf", "white_wolf", "cupid", "hunter", "idiot", "villager", "villager"),
            seats=7,
            options={"reveal_on_death": False},
            lines=4,
            occurs=frozenset({"left", "expelled"}),
            disturbed=(
                Disturbance("leave", 1, "cupid"),
                Disturbance("leave", 1, "wolves", 12.0),
                Disturbance("leave", 1, "vote.lynch", 2.35),
                Disturbance("expel", 1, "vote.lynch", 1.0),
            ),
        ),
    ),
)
