"""Every role there is, and what can be looked up about them by name."""

from __future__ import annotations

from engine.abilities import Ability, Role
from engine.game import Rank
from engine.roles import (
    bodyguard,
    cupid,
    elder,
    freemason,
    guard,
    hunter,
    idiot,
    little_girl,
    man,
    medium,
    mythomaniac,
    owl_man,
    piper,
    possessed,
    scapegoat,
    seer,
    thief,
    villager,
    werehamster,
    werewolf,
    white_wolf,
    witch,
    woman,
)

_MODULES = (
    werewolf,
    villager,
    seer,
    witch,
    hunter,
    cupid,
    guard,
    thief,
    little_girl,
    elder,
    idiot,
    scapegoat,
    piper,
    medium,
    possessed,
    bodyguard,
    owl_man,
    freemason,
    werehamster,
    mythomaniac,
    white_wolf,
    man,
    woman,
)

ROLES: dict[str, Role] = {module.ROLE.name: module.ROLE for module in _MODULES}

ABILITIES: dict[str, Ability] = {ability.action: ability for role in ROLES.values() for ability in role.abilities}


def _calls() -> dict[str, tuple[Ability, ...]]:
    calls: dict[str, tuple[Ability, ...]] = {}
    for ability in ABILITIES.values():
        if ability.call:
            calls[ability.call] = (*calls.get(ability.call, ()), ability)
    return calls


CALLS: dict[str, tuple[Ability, ...]] = _calls()
"""The calls of the night, each with what is asked under it."""

REACTIONS: dict[Rank, Ability] = {
    ability.rank: ability for ability in ABILITIES.values() if ability.rank is not None
}
"""What the dead are asked for their cards' sake, by its place among the consequences of a death."""

HOLDERS: dict[str, frozenset[str]] = {
    action: frozenset(
        role.name for role in ROLES.values() if ability in role.abilities or (ability.pack and role.wolf)
    )
    for action, ability in ABILITIES.items()
}
"""The roles that have an action."""
