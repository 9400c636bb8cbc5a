"""The man: a character of no ability, who counts for his seat's goal."""

from __future__ import annotations

from engine.abilities import Role

ROLE = Role(name="man")
