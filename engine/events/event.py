"""What every event has."""

from __future__ import annotations

from msgspec import Struct

from engine.audience import Audience


class Event(Struct, frozen=True, tag=True, omit_defaults=True):
    """Something that happened, and who may know of it."""

    audience: Audience
