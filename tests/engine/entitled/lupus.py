"""`lupus`: who is told what at nightfall, the mythomaniac, nominations in public and verdicts in secret."""

from __future__ import annotations

from collections.abc import Iterator

from tests.engine.entitled.ledger import (
    Disturbance,
    Entitled,
    Entry,
    Happened,
    Table,
    holder,
    in_public,
    is_wolf,
    pack,
    role_of,
)


def nightfall(h: Happened) -> Iterator[Entry]:
    """Freemasons each other in night 1; the medium the last executed (L14); from night 3 the pack the new wolf."""
    game = h.after
    masons = tuple(seat.number for seat in game.seats if seat.role == "freemason" and seat.alive)
    if game.day == 1 and len(masons) > 1:
        for mason in masons:
            yield mason, ("freemasons", masons)
    medium, executed = holder(game, "medium"), h.before.executed
    if medium and executed and game.day > 1:
        yield medium, ("executed", executed, is_wolf(role_of(game, executed)))
    if game.day == 3:
        copies = [
            s.number for s in game.seats if s.character.card == "mythomaniac" and s.alive and is_wolf(s.role)
        ]
        for wolf in pack(game) if copies else ():
            yield wolf, ("pack", pack(game))


def became(h: Happened) -> Iterator[Entry]:
    """The mythomaniac is told which of the three he is; the pack learns it at nightfall of night 3 (L19)."""
    yield h.event.seat, ("is now", h.event.role)


def nominated(h: Happened) -> Iterator[Entry]:
    yield (0, ("nominated", tuple((vote.seat, vote.choice) for vote in h.event.votes)))


ENTITLED = Entitled(
    rulings={
        "NightFell": nightfall,
        "Became": became,
        "Nominated": nominated,
        "SuspectsNamed": in_public("suspects", "nominee"),
        "OfficePassed": in_public("office", "seat"),
        "NomineeShown": in_public("nominee"),
    },
    tables=(
        Table(
            name="medium, possessed, bodyguard",
            cards=("werewolf", "werewolf", "seer", "medium", "possessed", "bodyguard", "villager", "villager"),
            seats=8,
            occurs=frozenset({"sees", "executed", "pack"}),
        ),
        Table(
            name="owl-man and werehamster",
            cards=("werewolf", "seer", "owl_man", "werehamster", "villager", "villager", "villager"),
            seats=7,
            lines=4,
            occurs=frozenset({"sees", "nominated"}),
        ),
        Table(
            name="freemasons",
            cards=("werewolf", "freemason", "freemason", "villager", "villager", "villager"),
            seats=6,
            occurs=frozenset({"freemasons"}),
        ),
        Table(
            name="mythomaniac",
            cards=("werewolf", "mythomaniac", "seer", "villager", "villager", "villager", "villager"),
            seats=7,
            nights=4,
            lines=5,
            occurs=frozenset({"is now"}),
        ),
        Table(
            name="sage",
            cards=("werewolf", "werewolf", "seer", "villager", "villager", "villager", "villager", "villager"),
            seats=8,
            options={"sage": True},
            occurs=frozenset({"sees"}),
        ),
        Table(
            name="a seat leaves",
            cards=("werewolf", "werewolf", "seer", "bodyguard", "owl_man", "medium", "villager", "villager"),
            seats=8,
            lines=5,
            occurs=frozenset({"left", "expelled", "Skipped"}),
            disturbed=(
                Disturbance("leave", 1, "wolves"),
                Disturbance("leave", 1, "NominationOpened", 2.35),
                Disturbance("leave", 1, "VerdictOpened", 2.35),
                Disturbance("expel", 1, "owl_man"),
                Disturbance("skip", 2, "wolves"),
            ),
        ),
    ),
)
