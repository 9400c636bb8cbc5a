"""What a house player may see: one seat's view, what is public, and the words these are written in.

The players import the engine's types from here and not from its door: the door also leads to the game.
"""

from __future__ import annotations

import re

from engine import Fact, Option, Prompt, Selection, View, events

__all__ = ["WOLVES", "Fact", "Option", "Prompt", "Selection", "View", "events", "is_wolf", "owner_of"]

WOLVES = frozenset({"werewolf", "white_wolf"})
"""The cards of the pack, by the words of the rules."""


def is_wolf(role: str) -> bool:
    """Say whether a card is one of the pack's."""
    return role in WOLVES


_HOUSE = re.compile(r"(\d+)[a-z]")


def owner_of(option: Option) -> int:
    """Whose house a word like `3a` names: seat 3's; 0 where it names none."""
    named = _HOUSE.fullmatch(str(option))
    return int(named[1]) if named else 0
