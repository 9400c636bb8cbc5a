"""The woman: a character of no ability, who counts for her seat's goal."""

from __future__ import annotations

from engine.abilities import Role

ROLE = Role(name="woman")
