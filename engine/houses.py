"""The houses: who lives where, and which one is next to which round the table.

Houses are named by their seat and a letter, in the order 1a 1b 2a 2b …; a house leaves the game with the
character in it. The mayor heads every round; dead seats take part in it, only who has left does not.
"""

from __future__ import annotations

from engine.game import Character, Game, Seat, Town, owner_of
from engine.options import thaw

MAYOR = "mayor"
"""The office of heading the rounds, with its privileges."""

SHUN_THE_TREASURE = frozenset({"werewolf", "thief"})
"""They are never dealt to one seat, and cannot live in the house with the treasure."""


def town_of(game: Game) -> Town:
    """What lies on the table; only a game of houses is asked for it."""
    if game.town is None:
        raise ValueError("no houses")
    return game.town


def inhabitant(game: Game, house: str) -> Character:
    """The character of a house, dead or alive."""
    return next(card for card in game.seat(owner_of(house)).characters if card.house == house)


def by_house(seat: Seat) -> tuple[Character, ...]:
    """A seat's characters in the order of their houses."""
    return tuple(sorted(seat.characters, key=lambda card: card.house))


def wolf_player(game: Game) -> int:
    """The seat that was dealt the werewolf."""
    return next(seat.number for seat in game.seats if any(card.role == "werewolf" for card in seat.characters))


def mayor(game: Game) -> int:
    """The seat that is mayor, dead or alive."""
    return game.offices[MAYOR]


def next_mayor(game: Game, leaving: int) -> int:
    """Who becomes mayor when this one leaves: the next seat clockwise that is still there (B-13); 0 for nobody."""
    return next((seat for seat in game.clockwise(leaving)[1:] if not game.seat(seat).gone), 0)


def from_the_mayor(game: Game) -> tuple[int, ...]:
    """All seats that have not left, clockwise from the mayor; the dead take part (B-21)."""
    return tuple(seat for seat in game.clockwise(mayor(game)) if not game.seat(seat).gone)


def nearest_first(game: Game) -> tuple[str, ...]:
    """All houses in the order in which equal votes are decided (B-6, B-7).

    It starts with the house right after the one whose character was killed last night, or with the mayor's a.
    """
    killed = town_of(game).killed
    start = owner_of(killed) if killed else mayor(game)
    order = tuple(card.house for seat in game.clockwise(start) for card in by_house(game.seat(seat)))
    first = order.index(killed) + 1 if killed else 0
    return order[first:] + order[:first]


def broom_is_in(game: Game) -> bool:
    """Say whether the mayor has the broom: so many seats, and none of them without a living character."""
    living = len(game.living())
    options = thaw(game.options)
    all_live = living == len(game.seats) or not options.broom_needs_all
    return town_of(game).broom and living >= options.broom_seats and all_live
