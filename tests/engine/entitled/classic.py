"""`classic`: what its rules let a seat know. All of it is shared; the tables try it."""

from __future__ import annotations

from tests.engine.entitled.ledger import Entitled, Table

QUIET = {"sheriff": False}
HIDDEN = {**QUIET, "reveal_on_death": False}

ENTITLED = Entitled(
    rulings={},
    tables=(
        Table(
            name="witch and seer",
            cards=("werewolf", "werewolf", "seer", "witch", "villager", "villager"),
            seats=6,
            options=QUIET,
            occurs=frozenset({"sees", "attacked", "pack"}),
        ),
        Table(
            name="hidden cards, hunter, guard",
            cards=("werewolf", "hunter", "guard", "witch", "villager", "villager"),
            seats=6,
            options=HIDDEN,
            occurs=frozenset({"attacked", "shot"}),
        ),
        Table(
            name="thief, cupid",
            cards=("werewolf", "werewolf", "cupid", "thief", "villager", "villager", "villager", "seer"),
            seats=6,
            options=HIDDEN,
            occurs=frozenset({"centre", "lover", "is now"}),
        ),
        Table(
            name="little girl",
            cards=("werewolf", "werewolf", "little_girl", "witch", "villager", "villager"),
            seats=6,
            options={**HIDDEN, "girl_noticed": 1},
            occurs=frozenset({"peeks at", "noticed"}),
        ),
        Table(
            name="sheriff",
            cards=("werewolf", "werewolf", "seer", "hunter", "villager", "villager"),
            seats=6,
            options={"reveal_on_lynch": False, "speech": "turns"},
            occurs=frozenset({"SheriffElected"}),
        ),
    ),
)
