"""How likely a seat is to be a wolf, to somebody who knows what he knows and has heard what was said.

The numbers are rules of thumb, not fitted to anything: how far a claim is believed that nobody disputes, how
much a vote tells. They are named here and nowhere else.
"""

from __future__ import annotations

from handlers.house.players.board import Board
from handlers.house.players.knowledge import Knowledge
from handlers.house.players.sight import View, is_wolf

UNDISPUTED = 0.85
"""How far one is believed who alone claims a role."""

LIAR = 0.9
"""How likely a wolf he is whose claim cannot be true."""

DISPUTED = 0.75
"""How likely a wolf each false claimant is among several."""

NIGHT_SPEAKS_FOR_HIM = 4.0
"""By how much more a claimant is believed whom a night has killed."""

VOTED_FOR_A_WOLF, VOTED_FOR_NO_WOLF = 0.75, 1.1
"""What a vote does to the odds of its voter once it is known what its seat was."""

ATTACKED = 0.25
"""What it does to a seat's odds that the wolves have attacked it."""


def trust(view: View, board: Board, knows: Knowledge) -> dict[int, float]:
    """How far each claimant is believed to be what he says, from 0 to 1."""
    believed: dict[int, float] = {}
    for role in dict.fromkeys(board.claims.values()):
        weights = {seat: _weight(view, board, knows, seat, role) for seat in board.claimants(role)}
        total = sum(weights.values())
        cards = max(1, view.deck.get(role, 0))
        for seat, weight in weights.items():
            if knows.roles.get(seat) == role:
                believed[seat] = 1.0
            elif not weight:
                believed[seat] = 0.0
            else:
                believed[seat] = min(1.0, cards * weight / total) * UNDISPUTED
    return believed


def _weight(view: View, board: Board, knows: Knowledge, seat: int, role: str) -> float:
    """How good a claim is beside others of the same role; 0: it cannot be true."""
    if seat in knows.roles:
        return float(knows.roles[seat] == role)
    holders = sum(1 for card in knows.roles.values() if card == role)
    if view.deck.get(role, 0) <= holders or knows.wolf.get(seat) or _has_lied(board, knows, seat):
        return 0.0
    return NIGHT_SPEAKS_FOR_HIM if seat in board.night_dead else 1.0


def _has_lied(board: Board, knows: Knowledge, seat: int) -> bool:
    return any(
        finding.by == seat and knows.wolf.get(finding.about, finding.wolf) != finding.wolf
        for finding in board.findings
    )


def suspicions(view: View, board: Board, knows: Knowledge) -> dict[int, float]:
    """How likely each other living seat is to be a wolf."""
    believed = trust(view, board, knows)
    unknown = [seat.number for seat in view.seats if seat.number not in knows.wolf]
    known_wolves = sum(1 for is_one in knows.wolf.values() if is_one)
    wolves = max(0.5, sum(count for card, count in view.deck.items() if is_wolf(card)) - known_wolves)
    share = min(0.9, wolves / max(1, len(unknown)))
    odds = _odds_of_voters(board, knows)
    suspected: dict[int, float] = {}
    for seat in knows.others:
        if seat in knows.wolf:
            suspected[seat] = float(knows.wolf[seat])
            continue
        likely = odds.get(seat, 1.0) * share / (1 - share)
        if seat in knows.attacked:
            likely *= ATTACKED
        suspected[seat] = likely / (1 + likely)
    for finding in board.findings:
        seat, faith = finding.about, believed.get(finding.by, 0.0)
        if seat in suspected and seat not in knows.wolf:
            says = 0.98 if finding.wolf else 0.02
            suspected[seat] = faith * says + (1 - faith) * suspected[seat]
    for seat, faith in believed.items():
        if seat in suspected and seat not in knows.wolf:
            suspected[seat] = (1 - faith) * (DISPUTED if faith else LIAR)
    return suspected


def _odds_of_voters(board: Board, knows: Knowledge) -> dict[int, float]:
    odds: dict[int, float] = {}
    for voter, choice in board.votes:
        if choice in knows.wolf and choice != knows.seat:
            factor = VOTED_FOR_A_WOLF if knows.wolf[choice] else VOTED_FOR_NO_WOLF
            odds[voter] = odds.get(voter, 1.0) * factor
    return odds
