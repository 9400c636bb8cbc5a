"""The possessed: human in every count and to every check, wins with the wolves; they do not know each other."""

from __future__ import annotations

from engine.abilities import WOLVES, Role

ROLE = Role(name="possessed", camp=WOLVES)
