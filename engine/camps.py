"""Who wins with whom. A camp is asked for, never stored: love can change it."""

from __future__ import annotations

from engine import roles  # the roles ask for camps, and camps for roles: neither names the other at import
from engine.abilities import LOVERS, PIPER, VILLAGE
from engine.game import Game
from engine.options import thaw


def is_wolf(role: str) -> bool:
    """Say whether it is a wolf's card. Others may win with the wolves; they are none."""
    return roles.ROLES[role].wolf


def pack(game: Game) -> tuple[int, ...]:
    """The living wolves, in seat order."""
    return tuple(seat.number for seat in game.seats if seat.alive and is_wolf(seat.role))


def mixed_lovers(game: Game) -> tuple[int, ...]:
    """The lovers, if one of them is a wolf and the other is not; it counts what they are, dead or alive."""
    if len([seat for seat in game.lovers if is_wolf(game.seat(seat).role)]) == 1:
        return game.lovers
    return ()


def third_party(game: Game) -> tuple[int, ...]:
    """Who wins with the mixed lovers: they, and in some books the Cupid who made them (H14, H16)."""
    lovers = mixed_lovers(game)
    if not lovers or thaw(game.options).cupid_goal != "third_party":
        return lovers
    cupids = (seat.number for seat in game.seats if seat.role == "cupid" and seat.number not in lovers)
    return (*lovers, *cupids)


def counted(game: Game) -> tuple[int, ...]:
    """The living who count when camps are compared; an idiot who has come back does not (H9)."""
    return tuple(seat for seat in game.living() if "returned" not in game.seat(seat).marks)


def roles_are_final(game: Game) -> bool:
    """Say whether thief and Cupid have chosen, or are not called; then nobody changes sides any more (H7)."""
    to_come = (call for step in game.agenda for call in step.calls)
    return game.day > 1 or not any(ability.changes_sides for call in to_come for ability in roles.CALLS[call])


def sides(game: Game) -> tuple[tuple[int, ...], ...]:
    """The sides of the village: plain villagers, and those with a power.

    Who belongs to the third party, or had left before the roles were final, is of neither; a side without a member
    does not count (H6).
    """
    village = [s for s in game.seats if camp_of(game, s.number) == VILLAGE and "left_early" not in s.marks]
    plain = tuple(seat.number for seat in village if seat.role == "villager")
    power = tuple(seat.number for seat in village if seat.role != "villager")
    return tuple(side for side in (plain, power) if side)


def camp_of(game: Game, seat: int) -> str:
    """The camp a seat belongs to. Mixed lovers, and who wins with them, have left their old one for good (G39)."""
    if seat in third_party(game):
        return LOVERS
    return roles.ROLES[game.seat(seat).role].camp


def goals(game: Game, seat: int) -> tuple[str, ...]:
    """The camps that a seat wins with, its own first.

    Love takes no piper's own victory from him (N8). In some books Cupid wins with his lovers too, unless he is one
    of a mixed couple (E29).
    """
    own, role = camp_of(game, seat), game.seat(seat).role
    if own == LOVERS:
        return (LOVERS, PIPER) if roles.ROLES[role].camp == PIPER else (LOVERS,)
    if role == "cupid" and thaw(game.options).cupid_goal == "own_or_lovers":
        return tuple(dict.fromkeys((own, *(camp_of(game, lover) for lover in game.lovers))))
    return (own,)
