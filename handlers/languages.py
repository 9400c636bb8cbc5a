"""The languages of the bot, and which one a platform's language code means."""

from __future__ import annotations

LANGUAGES = ("zh_Hans", "zh_Hant", "en")
NAMES = ("简体中文", "繁體中文", "English")
"""What they call themselves."""

DEFAULT = "en"

_TRADITIONAL = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")


def of_code(code: str | None) -> str:
    """The language for an IETF tag such as `zh-TW`; English for what is unknown or not given."""
    tag = (code or "").lower()
    if any(tag == known or tag.startswith(f"{known}-") for known in _TRADITIONAL):
        return "zh_Hant"
    if tag == "zh" or tag.startswith("zh-"):
        return "zh_Hans"
    return DEFAULT
