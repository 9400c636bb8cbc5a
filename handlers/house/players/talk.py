"""What a seat says by day: what it claims to be, what it has found, whom it would lynch.

The village says what is true, if there is a reason to say it. Wolves, and whoever wins with them, lie.
"""

from __future__ import annotations

import random

from handlers.house.players.board import Finding, Speech
from handlers.house.players.lynching import wanted
from handlers.house.players.mind import Mind

COUNTER_CLAIM = 0.4
"""How often a wolf who was found answers that he is the seer."""

FALSE_SEER = 0.35
"""In how many games the pack sends one to claim the seer unasked."""

BLACKENS = 0.5
"""How often a false seer's finding is a wolf."""

COVER = 0.3
"""How often a wolf who is about to be lynched claims some other role."""

SEER_COMES_OUT = 3
"""The day from which a seer says what he is, though he has found no wolf."""

PRESSED = 0.25
"""Accused by so many of the living, and by nobody fewer than anybody else, a seat must say something."""


def speak(mind: Mind) -> Speech:
    """What the seat says now."""
    lies = mind.knows.is_wolf or mind.knows.role == "possessed"
    role, findings = _lie(mind) if lies else _truth(mind)
    return Speech(role, findings, wanted(mind, mind.knows.living))


def _pressed(mind: Mind) -> bool:
    board, seat = mind.board, mind.knows.seat
    voices = board.accusers(seat)
    most = max((board.accusers(other) for other in mind.knows.others), default=0)
    return voices >= max(2.0, PRESSED * len(mind.knows.living)) and voices >= most


def _is_said_to_be_a_wolf(mind: Mind) -> tuple[int, ...]:
    """The living who say that they have found this seat to be a wolf."""
    return tuple(
        finding.by
        for finding in mind.board.findings
        if finding.wolf and finding.about == mind.knows.seat and finding.by in mind.knows.living
    )


# The truth ------------------------------------------------------------------------------------------------


def _truth(mind: Mind) -> tuple[str, tuple[Finding, ...]]:
    """A claim where there is reason for one; from then on everything that was found, but nothing of a lover."""
    knows = mind.knows
    found = tuple(finding for finding in knows.found if finding.about != knows.lover)
    claimed = mind.board.claims.get(knows.seat, "")
    if not claimed and not _has_reason(mind, found):
        return "", ()
    return knows.role, found


def _has_reason(mind: Mind, found: tuple[Finding, ...]) -> bool:
    knows, board = mind.knows, mind.board
    if knows.role in ("", "villager"):
        return False
    if any(finding.wolf and finding.about in knows.living for finding in found):
        return True
    only_one = mind.view.deck.get(knows.role, 0) == 1
    if only_one and any(seat != knows.seat and seat in knows.living for seat in board.claimants(knows.role)):
        return True
    if _pressed(mind) or _is_said_to_be_a_wolf(mind):
        return True
    return knows.role == "seer" and mind.view.day >= SEER_COMES_OUT and bool(found)


# Lies -----------------------------------------------------------------------------------------------------


def _lie(mind: Mind) -> tuple[str, tuple[Finding, ...]]:
    seat, board = mind.knows.seat, mind.board
    claimed = board.claims.get(seat, "")
    if not claimed:
        claimed = _false_claim(mind)
    if claimed != "seer":
        return claimed, ()
    return claimed, _false_findings(mind)


def _false_claim(mind: Mind) -> str:
    deck, board = mind.view.deck, mind.board
    finders = _is_said_to_be_a_wolf(mind)
    if "seer" in deck and (finders or _is_sent(mind)) and (not finders or mind.happens(COUNTER_CLAIM)):
        return "seer"
    if _pressed(mind) and mind.happens(COVER):
        free = sorted(
            role
            for role, count in deck.items()
            if count == 1 and role not in ("seer", "villager", mind.knows.role) and not board.claimants(role)
        )
        return str(mind.one_of(free)[0]) if free else ""
    return ""


def _is_sent(mind: Mind) -> bool:
    """The pack draws together, from what it alone knows and a public word: whether to lie, who, on which day."""
    if not mind.knows.is_wolf or mind.board.claimants("seer"):
        return False
    pack = sorted({mind.knows.seat, *(wolf for wolf in mind.knows.pack if wolf in mind.knows.living)})
    draw = random.Random(f"{mind.board.salt}/{mind.view.day}/{pack}")  # noqa: S311 - a game among house players
    return draw.random() < FALSE_SEER / 2 and mind.view.day <= 2 and draw.choice(pack) == mind.knows.seat


def _false_findings(mind: Mind) -> tuple[Finding, ...]:
    """One finding for each night so far: the accuser is a wolf, then strangers are, or friends are not."""
    knows, seat = mind.knows, mind.knows.seat
    said = [finding for finding in mind.board.findings if finding.by == seat]
    named = {finding.about for finding in said}
    if len(said) >= mind.view.day:
        return ()
    accusers = [by for by in _is_said_to_be_a_wolf(mind) if by not in named]
    if accusers:
        return (Finding(seat, accusers[0], wolf=True),)
    free = [other for other in knows.others if other not in named and other != knows.lover]
    strangers = [other for other in free if other not in knows.pack and other not in knows.wolf]
    if strangers and mind.happens(BLACKENS):
        return (Finding(seat, mind.chance.choice(strangers), wolf=True),)
    return (Finding(seat, mind.chance.choice(free), wolf=False),) if free else ()
