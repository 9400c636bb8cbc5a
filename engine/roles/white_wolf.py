"""The white wolf: kills with the pack, and on some nights sends one of its other members out of the game."""

from __future__ import annotations

from engine import camps
from engine.abilities import WOLVES, Ability, Role, Stage
from engine.game import Game, Intent, Option, seats_in
from engine.night import Ledger
from engine.options import thaw


def _tonight(game: Game) -> bool:
    nights = thaw(game.options).white_wolf_nights
    return nights == "all" or (nights == "even") == (game.day % 2 == 0)


def _others_of_the_pack(game: Game, seat: int) -> tuple[Option, ...]:
    return tuple(wolf for wolf in camps.pack(game) if wolf != seat)


def _asked(game: Game, seat: int) -> bool:
    return bool(_others_of_the_pack(game, seat))


def _banishes(ledger: Ledger, _game: Game, intent: Intent) -> None:
    """Neither guard nor antidote helps."""
    for target in seats_in(intent.answer):
        ledger.kill(target, "banish")


BANISH = Ability(
    action="white_wolf.banish",
    call="white_wolf",
    nights=_tonight,
    options=_others_of_the_pack,
    asked=_asked,
    stage=Stage.BANISH,
    effect=_banishes,
)

ROLE = Role(name="white_wolf", camp=WOLVES, wolf=True, abilities=(BANISH,))
