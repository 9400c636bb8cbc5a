"""What a house player may see: one seat's view, what is public, and the words these are written in.

The players import the engine's types from here and not from its door: the door also leads to the game.
"""

from __future__ import annotations

from engine import Fact, Option, Prompt, Selection, View, events, owner_of

__all__ = ["WOLVES", "Fact", "Option", "Prompt", "Selection", "View", "events", "is_wolf", "owner_of"]

WOLVES = frozenset({"werewolf", "white_wolf"})
"""The cards of the pack, by the words of the rules."""


def is_wolf(role: str) -> bool:
    """Say whether a card is one of the pack's."""
    return role in WOLVES
