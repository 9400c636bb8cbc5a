"""The bodyguard: from the second night on protects another seat against the wolves, also the same again (L21)."""

from __future__ import annotations

from engine.abilities import Ability, Role, Stage, from_second_night
from engine.game import Game, Intent, Option, seats_in
from engine.night import Ledger, protectable, same_again


def _targets(game: Game, seat: int) -> tuple[Option, ...]:
    return protectable(game, seat, PROTECT.action)


def _shield(ledger: Ledger, _game: Game, intent: Intent) -> None:
    ledger.shielded.update(seats_in(intent.answer))


PROTECT = Ability(
    action="bodyguard.protect",
    call="bodyguard",
    nights=from_second_night,
    options=_targets,
    unlisted=same_again,
    stage=Stage.SHIELD,
    effect=_shield,
)

ROLE = Role(name="bodyguard", abilities=(PROTECT,))
