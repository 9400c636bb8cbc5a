"""`python -m tests.handlers.dictionary FILE`: a dictionary for `handlers/packing.py` from games of all books.

Only for a new one: the file that records were packed with never changes.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from engine import RULE_BOOKS, Event, RuleBook, Setup, dump
from handlers.record import Lease, News, Person, Receipt, Reply, Retire, Sheet, Table
from tests.engine.simulation import House, Moment, random_game
from tests.engine.simulation import Table as Played

SEATS = 12
BOOKS = ("lupusburg", "lupus", "handbook", "elder", "new_moon", "classic")
"""What is likeliest stands last, where it takes the fewest bits to point at."""


def game_of(rules: RuleBook) -> list[Moment]:
    """A game of a book."""
    rng = random.Random(rules.name)
    table = Played(Setup(book=rules.name, seats=min(SEATS, rules.most)), rng.randbytes(32))
    return list(random_game(table, House(rng)))


def record(events: tuple[Event, ...]) -> Table:
    """A record in the middle of a game, with one of everything that is often in it."""
    replies: tuple[Reply, ...] = (Reply("chosen", chosen=(1,)), Reply("noted"))
    replies = (
        *replies,
        Reply("talk.ready", chosen=("yes",)),
        Reply("speech.end", chosen=("yes",)),
        Reply("abstained"),
        Reply("voted", chosen=(2,)),
    )
    return Table(
        id="",
        chat=0,
        language="zh_Hans",
        opener=0,
        phase="playing",
        people=(Person(0, "", "en"), Person(0, "", "zh_Hant"), Person(0, "", "zh_Hans")),
        outbox=(
            Sheet(seq=1, seat=1, serial=1, new=True, asks={"wolves.kill": None, "witch.heal": None}, over=True),
            Retire(seq=2, key="group.1", events=()),
            News(seq=3, seat=1, events=()),
        ),
        receipts=tuple(Receipt("c", reply, 1) for reply in replies),
        lease=Lease("", 0.0, "c"),
        messages={"group.1": 1, "1.1": 2},
        newest="group.1",
        written_by="",
    )


def words() -> Iterator[bytes]:
    """The parts of the dictionary."""
    played = {book: game_of(RULE_BOOKS[book]) for book in BOOKS}
    for book in BOOKS:
        yield RULE_BOOKS[book].usual.replace('"', '\\"').encode()
    events: dict[str, Event] = {}
    for moments in played.values():
        for moment in moments:
            for event in moment.events:
                events.pop(type(event).__name__, None)
                events[type(event).__name__] = event
    yield dump(played["classic"][-1].game)
    yield msgspec.msgpack.encode(record(()))
    yield from (msgspec.msgpack.encode(event) for event in events.values())


def main() -> None:
    """Write the file."""
    Path(sys.argv[1]).write_bytes(b"".join(words()))


if __name__ == "__main__":
    main()
