"""Telegram's HTML: the few tags it knows, and everything from outside escaped."""

from __future__ import annotations

from html import escape


class Html:
    """Text for messages."""

    def escape(self, text: str) -> str:
        """Make text from outside harmless."""
        return escape(text, quote=False)

    def bold(self, text: str) -> str:
        """Print bold."""
        return f"<b>{text}</b>"

    def code(self, text: str) -> str:
        """Print in a fixed width; a tap copies it."""
        return f"<code>{text}</code>"

    def mention(self, user: int, label: str) -> str:
        """Name somebody so that his phone rings."""
        return f'<a href="tg://user?id={user}">{label}</a>'

    def clock(self, deadline: float, text: str) -> str:
        """A moment that the reader's client counts down by itself; the text is for those that do not."""
        return f'<tg-time unix="{round(deadline)}" format="r">{text}</tg-time>'
