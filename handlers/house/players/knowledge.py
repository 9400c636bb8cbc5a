"""What a seat knows for certain: its own cards, what it was told, the cards that were turned over."""

from __future__ import annotations

from dataclasses import dataclass

from handlers.house.players.board import Finding
from handlers.house.players.sight import View, is_wolf, owner_of

_OF_NO_CAMP = frozenset({"lover", "attacked", "enchanted", "treasure", "no_treasure"})
"""What may be told of a seat without saying whether it is a wolf."""

CARDS_OF_A_SEAT = 2
"""Where seats own houses. Only who has seen both of a seat's cards knows that neither is the wolf."""


@dataclass(frozen=True)
class Knowledge:
    """What is certain to somebody.

    seat: whose knowledge it is, 0 for what everybody knows. role: what he plays. living: the living seats.
    wolf: of the seats whose card or kind he knows, whether it is a wolf. roles: the cards he knows. pack: the
    other wolves, to a wolf. lover: his lover, or 0. found: what he was told of others and can tell.
    attacked: whom he has learnt to have been attacked.
    """

    seat: int
    role: str
    living: tuple[int, ...]
    wolf: dict[int, bool]
    roles: dict[int, str]
    pack: frozenset[int] = frozenset()
    lover: int = 0
    found: tuple[Finding, ...] = ()
    attacked: frozenset[int] = frozenset()

    @property
    def is_wolf(self) -> bool:
        """Say whether he is one of the pack."""
        return is_wolf(self.role)

    @property
    def others(self) -> tuple[int, ...]:
        """The living seats but his own."""
        return tuple(seat for seat in self.living if seat != self.seat)


def of_everybody(view: View) -> Knowledge:
    """What is certain to whoever has only watched."""
    living = tuple(seat.number for seat in view.seats if seat.alive)
    shown = {seat.number: seat.cards[0] for seat in view.seats if len(seat.cards) == 1}
    return Knowledge(0, "", living, {seat: is_wolf(card) for seat, card in shown.items()}, shown)


def of_seat(view: View) -> Knowledge:
    """What is certain to the seat whose view this is."""
    mine = view.mine
    public = of_everybody(view)
    if mine is None:
        return public
    role = next((card for card in mine.roles if is_wolf(card)), mine.roles[0])
    wolf, roles = dict(public.wolf), dict(public.roles)
    pack: set[int] = set()
    attacked: set[int] = set()
    lover = 0
    found: dict[Finding, None] = {}
    houses: dict[int, dict[str, bool]] = {}
    for fact in mine.facts:
        about, what = fact.about, fact.what
        if isinstance(about, str) and (owner := owner_of(about)) and owner != mine.seat and what in view.deck:
            houses.setdefault(owner, {})[str(about)] = is_wolf(what)
        if not isinstance(about, int) or about == mine.seat:
            continue
        if what == "lover":
            lover = about
        elif what == "attacked":
            attacked.add(about)
        elif what == "pack":
            pack.add(about)
            wolf[about] = True
        elif what not in _OF_NO_CAMP:
            wolf[about] = what == "wolf" or is_wolf(what)
            if what in view.deck:
                roles[about] = what
            if fact.occasion != "lovers":
                found[Finding(mine.seat, about, wolf[about])] = None
    for owner, cards in houses.items():
        if any(cards.values()) or len(cards) == CARDS_OF_A_SEAT:
            wolf[owner] = any(cards.values())
            found[Finding(mine.seat, owner, wolf[owner])] = None
    wolf[mine.seat], roles[mine.seat] = is_wolf(role), role
    return Knowledge(
        mine.seat, role, public.living, wolf, roles, frozenset(pack), lover, tuple(found), frozenset(attacked)
    )
