"""Whom a seat wants lynched: by what it suspects, by what the others say, by what it must not say aloud."""

from __future__ import annotations

from collections.abc import Iterable

from handlers.house.players.mind import Mind
from handlers.house.players.sight import Option

VOICES = 0.35
"""What it weighs that all the others accuse a seat, in terms of one's own suspicion from 0 to 1."""

SHERIFF_SAYS = 0.1
OWN_PACK = 0.6
LOST = 0.75
"""So exposed, a wolf is lost: his pack may as well be seen to vote for him."""


def wanted(mind: Mind, options: Iterable[Option]) -> int:
    """Whom of the options the seat would lynch; 0 for nobody."""
    among = [seat for seat in options if isinstance(seat, int) and seat not in (mind.knows.seat, mind.knows.lover)]
    seat = mind.best(among, lambda one: worth(mind, one), noise=0.08)
    return seat if seat and worth(mind, seat) > 0.02 else 0


def worth(mind: Mind, seat: int) -> float:
    """How much the seat wants this one lynched."""
    voices = VOICES * mind.board.accusers(seat) / max(1, len(mind.knows.living))
    if mind.view.sheriff and mind.board.accused.get(mind.view.sheriff) == seat:
        voices += SHERIFF_SAYS
    if not mind.knows.is_wolf:
        return mind.suspected.get(seat, 0.0) + voices
    seen = mind.exposed.get(seat, 0.0)
    if seat in mind.knows.pack and not must_turn_on_the_pack(mind):
        return seen + voices - (0.0 if seen > LOST else OWN_PACK)
    return 0.05 + seen + voices


def must_turn_on_the_pack(mind: Mind) -> bool:
    """Say whether a wolf who loves across the camps has nobody left but wolves between himself and his victory."""
    outsiders = set(mind.knows.others) - mind.knows.pack - {mind.knows.lover}
    return mind.loves_across and not outsiders
