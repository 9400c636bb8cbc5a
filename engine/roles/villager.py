"""The villager: no ability but his vote."""

from __future__ import annotations

from engine.abilities import Role

ROLE = Role(name="villager")
