"""The hunter: killed in a way that lets him, he shoots somebody before he leaves.

In some books he is asked in the night that kills him, before anybody knows who has died (E24–E26).
"""

from __future__ import annotations

from engine import night, powers
from engine.abilities import Ability, Role, Stage, living_others
from engine.events import Denied
from engine.game import Game, Intent, Rank, seats_in
from engine.night import Ledger
from engine.options import Options, thaw
from engine.play import Play


def _may_shoot(options: Options, cause: str) -> bool:
    """Say whether a hunter who died of this cause may shoot (table «Hunter shoots?» of the rulings)."""
    if cause in ("left", "expelled"):
        return False
    return options.hunter_shoots_when == "any" or cause in options.hunter_shoots_when


def _dies_shooting(game: Game, seat: int) -> bool:
    cause = night.doomed(game).get(seat)
    return cause is not None and _may_shoot(thaw(game.options), cause) and powers.keeps_power(game, seat)


def _brief(play: Play, seat: int) -> None:
    """Who is going to die of what forbids it is reminded (E7)."""
    cause = night.doomed(play.game).get(seat)
    if cause is not None and not _may_shoot(play.options, cause):
        play.emit(Denied((seat,), seat, SHOOT.action))


def _shoots(ledger: Ledger, _game: Game, intent: Intent) -> None:
    for target in seats_in(intent.answer):
        ledger.kill(target, "shot")


SHOOT = Ability(
    action="hunter.shoot",
    call="hunter",
    options=living_others,
    seconds=lambda options: options.shot_s,
    asked=_dies_shooting,
    rank=Rank.SHOT,
    brief=_brief,
    stage=Stage.SHOOT,
    effect=_shoots,
)

ROLE = Role(name="hunter", abilities=(SHOOT,), shoots=_may_shoot)
