"""A text that is too long for one message of Telegram's goes out as several.

Telegram takes 4,096 characters, counted in UTF-16 units after the tags are read. A text is split at the end of
a line, and only a line that is too long by itself in its middle.
"""

from __future__ import annotations

import re

LONGEST = 4096

_TOKEN = re.compile(r"<[^>]*>|&[a-z]+;|&#x?[0-9a-fA-F]+;|.", re.DOTALL)


def pages(text: str, longest: int = LONGEST) -> list[str]:
    """The texts of the messages, in order. Tags that are open at the end of one are opened again in the next."""
    done: list[str] = []
    page, room = "", longest
    opened: list[str] = []
    for line in _lines(text, longest):
        length = _length(line)
        if page and length + 1 > room:
            done.append(page + _closing(opened))
            page, room = "".join(opened) + line, longest - length
        else:
            joint = "\n" if page else ""
            page, room = page + joint + line, room - length - len(joint)
        opened = _opened(opened, line)
    return [*done, page + _closing(opened)]


def _lines(text: str, longest: int) -> list[str]:
    """The lines, those that are too long in pieces."""
    pieces: list[str] = []
    for line in text.split("\n"):
        piece, length = "", 0
        for token in _TOKEN.findall(line):
            width = _width(token)
            if length + width > longest:
                pieces.append(piece)
                piece, length = "", 0
            piece, length = piece + token, length + width
        pieces.append(piece)
    return pieces


def _length(text: str) -> int:
    return sum(_width(token) for token in _TOKEN.findall(text))


def _width(token: str) -> int:
    """UTF-16 units of a character, a reference (at most two), a tag (none)."""
    if len(token) > 1:
        return 0 if token.startswith("<") else 2 if token.startswith("&#") else 1
    return 2 if ord(token) > 0xFFFF else 1


def _opened(before: list[str], line: str) -> list[str]:
    """The tags that are open after a line."""
    stack = list(before)
    for token in _TOKEN.findall(line):
        if token.startswith("</"):
            stack = stack[:-1]
        elif token.startswith("<") and len(token) > 1:
            stack.append(token)
    return stack


def _closing(opened: list[str]) -> str:
    names = (re.split(r"[\s>]", tag[1:], maxsplit=1)[0] for tag in reversed(opened))
    return "".join(f"</{name}>" for name in names)
