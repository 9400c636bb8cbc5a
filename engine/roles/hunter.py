"""The hunter: killed in a way that lets him, he shoots somebody before he leaves."""

from __future__ import annotations

from engine.abilities import Ability, Role, living
from engine.options import Options

SHOOT = Ability(action="hunter.shoot", options=living)

ROLE = Role(name="hunter", abilities=(SHOOT,))


def may_shoot(options: Options, cause: str) -> bool:
    """Say whether a hunter who died of this cause may shoot (table «Hunter shoots?» of the rulings)."""
    if cause in ("left", "expelled"):
        return False
    return options.hunter_shoots_when == "any" or cause in options.hunter_shoots_when
