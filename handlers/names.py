"""Names as they may be shown. They come from outside: nothing in them is trusted (law of the house)."""

from __future__ import annotations

import unicodedata

LONGEST = 24
LONGEST_ON_A_BUTTON = 12

_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Control and formatting characters (right-to-left marks among them), private use, line breaks."""

_BLANK = {"\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"}
"""Letters and symbols that look like nothing."""

_JOINER = "\u200d"
"""Holds emoji together; harmless between two of them, and otherwise dropped."""


def clean(name: str) -> str:
    """The name on one line, without what cannot be seen, cut to a decent length; empty if nothing is left."""
    kept = [
        " " if char.isspace() else char
        for index, char in enumerate(name)
        if char.isspace() or _is_visible(char) or _joins_emoji(name, index)
    ]
    words = "".join(kept).split()
    return shorten(" ".join(words), LONGEST)


def shorten(name: str, longest: int) -> str:
    """The name in at most so many characters."""
    return name if len(name) <= longest else name[: longest - 1].rstrip() + "…"


def _is_visible(char: str) -> bool:
    return char not in _BLANK and unicodedata.category(char) not in _INVISIBLE and not _is_stacked(char)


def _is_stacked(char: str) -> bool:
    """Marks that pile up on the letter before them and spill over the lines around."""
    return unicodedata.category(char) in ("Me",) or "\u0300" <= char <= "\u036f"


def _joins_emoji(name: str, index: int) -> bool:
    if name[index] != _JOINER or not 0 < index < len(name) - 1:
        return False
    return unicodedata.category(name[index - 1]) in ("So", "Sk", "Mn") and unicodedata.category(
        name[index + 1]
    ) in ("So",)
