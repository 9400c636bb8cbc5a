"""The mythomaniac: in the second night copies a seat and is a wolf, a second seer or a villager from then on."""

from __future__ import annotations

from engine import camps, roles
from engine.abilities import Ability, Role, living_others, second_night
from engine.events import Became
from engine.game import Game, Intent, seats_in
from engine.play import Play


def _copy(game: Game, seat: int) -> str:
    role = game.seat(seat).role
    return role if role == "seer" or camps.is_wolf(role) else "villager"


def _settle(play: Play, intents: tuple[Intent, ...]) -> None:
    """Who was silent is a villager (L18). The pack and a new wolf meet at the next nightfall (L19)."""
    for seat in play.game.holders(frozenset({ROLE.name})):
        copied = (target for intent in intents if intent.seat == seat for target in seats_in(intent.answer))
        role = next((_copy(play.game, target) for target in copied), "villager")
        play.emit(Became((seat,), seat, role, dict(roles.ROLES[role].tokens)))


COPY = Ability(
    action="mythomaniac.copy", call="mythomaniac", nights=second_night, options=living_others, settle=_settle
)

ROLE = Role(name="mythomaniac", abilities=(COPY,))
