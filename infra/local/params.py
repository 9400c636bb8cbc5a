"""Reads the parameters of a Bot API call, which come as JSON values or as the texts of a form."""

import json
from collections.abc import Mapping
from typing import Any

from infra.local.errors import bad_request
from infra.local.store import Json

# Telegram refuses a message with more buttons than this.
MAX_BUTTONS = 100
_KINDS = (
    "callback_data",
    "url",
    "copy_text",
    "login_url",
    "web_app",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "callback_game",
    "pay",
)


class Params:
    """Typed access to the parameters of one call."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given

    def text(self, name: str) -> str:
        """Return a text, empty if it is missing."""
        value = self.given.get(name)
        return "" if value is None else str(value)

    def number(self, name: str) -> int | None:
        """Return a whole number, or None if it is missing or none."""
        try:
            return int(self.text(name))
        except ValueError:
            return None

    def required(self, name: str) -> int:
        """Return a whole number that must be there."""
        value = self.number(name)
        if value is None:
            raise bad_request(f"{name} is empty" if not self.text(name) else f"invalid {name} specified")
        return value

    def flag(self, name: str) -> bool:
        """Return a truth value, false if it is missing."""
        return self.text(name).lower() in ("true", "1", "yes")

    def value(self, name: str) -> Any:
        """Return a JSON value, or None if it is missing."""
        value = self.given.get(name)
        if not isinstance(value, str):
            return value
        if not value:
            return None
        try:
            return json.loads(value)
        except ValueError:
            raise bad_request(f"can't parse {name} JSON object") from None

    def keyboard(self) -> Json | None:
        """Return the inline keyboard of `reply_markup`, or None if there is none or it has no buttons."""
        markup = self.value("reply_markup")
        if markup is None:
            return None
        if not isinstance(markup, dict):
            raise bad_request("object expected as reply markup")
        rows = markup.get("inline_keyboard")
        if not isinstance(rows, list):
            return None
        kept = [[_button(button) for button in row] for row in rows if row]
        if sum(len(row) for row in kept) > MAX_BUTTONS:
            raise bad_request("reply markup is too long")
        return {"inline_keyboard": kept} if kept else None


def _button(button: object) -> Json:
    if not isinstance(button, dict) or not isinstance(button.get("text"), str):
        raise bad_request("can't parse inline keyboard button: Can't find field \"text\"")
    if not button["text"].strip():
        raise bad_request("can't parse inline keyboard button: Button text must be non-empty")
    if sum(kind in button for kind in _KINDS) != 1:
        raise bad_request("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    data = button.get("callback_data")
    if data is not None and not 1 <= len(str(data).encode()) <= 64:
        raise bad_request("BUTTON_DATA_INVALID")
    return dict(button)
