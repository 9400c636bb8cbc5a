"""The players' own words, as the handbook explains them, by subject: one subject is one page."""

from __future__ import annotations

GROUPS: dict[str, tuple[str, ...]] = {
    "group.check": ("gold", "kill", "claim", "bluff", "rival", "counter", "withdraw", "shield"),
    "group.who": ("plain", "power", "wet", "sure", "goldwolf", "deepwolf", "seats"),
    "group.talk": ("doubt", "praise", "read", "slip", "pack"),
    "group.vote": ("close", "drain", "first"),
    "group.night": ("peace", "self", "empty", "both", "mixed", "side"),
    "group.fair": ("face", "outside"),
}
