"""The guard: protects a seat against the wolves, never the same one two nights running (C11, C12)."""

from __future__ import annotations

from engine.abilities import Ability, Role, Stage
from engine.game import Game, Intent, Option, seats_in
from engine.night import Ledger, protectable, same_again
from engine.options import thaw


def _targets(game: Game, seat: int) -> tuple[Option, ...]:
    return protectable(game, seat, PROTECT.action)


def _shield(ledger: Ledger, game: Game, intent: Intent) -> None:
    for target in seats_in(intent.answer):
        if game.seat(target).role == "little_girl" and not thaw(game.options).guard_covers_girl:
            continue
        ledger.shielded.add(target)


PROTECT = Ability(
    action="guard.protect",
    call="guard",
    options=_targets,
    unlisted=same_again,
    stage=Stage.SHIELD,
    effect=_shield,
)

ROLE = Role(name="guard", abilities=(PROTECT,))
