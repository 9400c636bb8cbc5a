"""Who may know of an event: everybody, some seats, or nobody before the game is over."""

from __future__ import annotations

from typing import Literal

Audience = Literal["everybody", "nobody"] | tuple[int, ...]

EVERYBODY: Audience = "everybody"
NOBODY: Audience = "nobody"


def hears(audience: Audience, seat: int | None) -> bool:
    """Say whether a seat (or, for None, somebody who has no seat) may know of it."""
    if audience == "everybody":
        return True
    return audience != "nobody" and seat is not None and seat in audience
