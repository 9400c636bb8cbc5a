"""`lupusburg`: two characters a seat, treasures, goals, and what the mayor's privileges show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.engine.entitled.ledger import Disturbance, Entitled, Entry, Happened, Table, in_public, said_in_public


def inhabitant(game: Any, house: str) -> str:
    """Who lives there."""
    found: str = next(c.role for seat in game.seats for c in seat.characters if c.house == house)
    return found


def home(h: Happened) -> Iterator[Entry]:
    """Its own goal and which of its houses hides the treasure (B-27)."""
    yield h.event.seat, ("home", h.event.treasure, h.event.goal)


def looked(h: Happened) -> Iterator[Entry]:
    """Treasure or not, to the one who looks and nobody else."""
    for house in h.event.answer:
        owner = next(s for s in h.before.seats if any(c.house == house for c in s.characters))
        yield h.event.seat, ("looked", house, house == owner.treasure)


def inspected(h: Happened) -> Iterator[Entry]:
    """The mayor sees the character he chose."""
    for house in h.event.answer:
        yield h.event.seat, ("inhabitant", house, inhabitant(h.before, house))


def shown_to(h: Happened) -> Iterator[Entry]:
    """Who is shown a character sees it; which it was nobody else learns (B-17, B-18)."""
    viewer = h.before.agenda[0].seats[1]
    for house in h.event.answer:
        yield viewer, ("inhabitant", house, inhabitant(h.before, house))


def claw(h: Happened) -> Iterator[Entry]:
    """With a trap on the table the claw lies before the thief (B-5)."""
    game = h.after
    thief = next((s.number for s in game.seats if s.alive and any(c.role == "thief" for c in s.characters)), 0)
    attacked = next((i.answer[0] for i in game.intents if i.action == "wolf.kill" and i.answer), "")
    if "wolf" not in h.event.calls and thief and attacked and game.town and game.town.trapped:
        yield thief, ("claw", attacked)


def nominated(h: Happened) -> Iterator[Entry]:
    yield (0, ("nominated", h.event.round, tuple((vote.seat, vote.choice) for vote in h.event.votes)))


ENTITLED = Entitled(
    rulings={
        "HomeDealt": home,
        "MayorNamed": in_public("seat"),
        "thief.look": looked,
        "broom.look": looked,
        "mayor.inspect": inspected,
        "peek.show": shown_to,
        "mayor.show": shown_to,
        "WaveOpened": claw,
        "GoalSwapped": in_public("seat"),
        "PrivilegeUsed": in_public("action", "seat", "target"),
        "BroomLeft": in_public(),
        "BetPlaced": in_public("seat", "on", "coin"),
        "TrapSet": in_public("house"),
        "TrapUsed": in_public(),
        "Nominated": nominated,
        "SuspectsNamed": in_public("suspects"),
        "goal.swap": said_in_public,
    },
    tables=(
        Table(
            name="four seats",
            cards=("werewolf", "thief", "man", "man", "man", "woman", "woman", "woman"),
            seats=4,
            each=2,
            apart=("werewolf", "thief"),
            deals=10,
            occurs=frozenset({"home", "looked", "inhabitant"}),
        ),
        Table(
            name="the trap",
            cards=("werewolf", "thief", "man", "man", "man", "woman", "woman", "woman"),
            seats=4,
            each=2,
            apart=("werewolf", "thief"),
            options={"trap": True},
            deals=10,
            occurs=frozenset({"claw"}),
        ),
        Table(
            name="a seat leaves",
            cards=("werewolf", "thief", "man", "man", "man", "man", "woman", "woman", "woman", "woman"),
            seats=5,
            each=2,
            apart=("werewolf", "thief"),
            lines=4,
            deals=6,
            occurs=frozenset({"left", "expelled"}),
            disturbed=(
                Disturbance("leave", 1, "wolf"),
                Disturbance("leave", 1, "NominationOpened", 2.35),
                Disturbance("leave", 1, "TurnOpened"),
                Disturbance("expel", 1, "PrivilegeOpened"),
            ),
        ),
    ),
)
