"""What a button says to us: table, serial of its step, action, answer – in 64 bytes, without a secret.

The platforms carry the text to and fro; who presses may have made it up, so every part is checked again.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from msgspec import Struct

from engine import owner_of

JOIN, LEAVE, START, CARD = "j", "l", "s", "c"
VOTE, FLOOR, READY = "v", "e", "r"
SETTINGS, OPTION, DECK, ROLE, RECOMMENDED, BOOK, CLOSE = "st", "op", "dk", "ro", "rc", "bo", "cl"
AGAIN, ANOTHER, CHECK = "ag", "an", "vf"
OF_THE_SETTINGS = (SETTINGS, OPTION, DECK, ROLE, RECOMMENDED, BOOK, CLOSE)
OF_THE_LOBBY = (JOIN, LEAVE, START, *OF_THE_SETTINGS)
NEXT = "nx"
"""The next game of a match."""

OPENING = (AGAIN, ANOTHER)
"""What opens the next lobby under a finished game."""

EXPEL, LANGUAGE = "ex", "la"
SENTENCED = "s"
"""Follows the seat where a sentence is carried out."""
BOOKS, RULES, WHO, GLOSSARY = "bk", "ru", "wh", "gl"
OF_THE_RULES = (BOOKS, RULES, WHO, GLOSSARY)
"""What turns the pages that explain the game; the serial is the page, the answer the book."""

IN_TURN = frozenset({"goal.swap", "bet.place", "trap.set"})
BALLOTS = frozenset({"vote.lynch", "sheriff.vote", "vote.nominate", "vote.verdict"})
PUBLIC_ACTIONS = BALLOTS | {"speech.end", "talk.ready", "sheriff.run", "sheriff.order", *IN_TURN}
"""What is answered by the group's buttons; everything else is asked in private."""

PASS, YES = "p", "y"

_SHAPE = re.compile(r"([a-z0-9]{8})\.([0-9a-z]{1,6})\.([a-z0-9]{1,4})\.([a-z0-9]{1,12})")


class Data(Struct, frozen=True):
    """A button's text, taken apart. `serial`: 0 where the button belongs to no step."""

    table: str
    serial: int
    code: str
    answer: str

    def __str__(self) -> str:
        return f"{self.table}.{_base36(self.serial)}.{self.code}.{self.answer}"


def parse(text: str) -> Data | None:
    """What a button said; None if it is none of ours."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        return None
    table, serial, code, answer = match.groups()
    return Data(table, int(serial, 36), code, answer)


def code_of(action: str) -> str:
    """The letters that stand for an action asked in private; they are looked up among a seat's own questions."""
    return blake2b(action.encode(), digest_size=2).hexdigest()


def _base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while number:
        number, digit = divmod(number, 36)
        text = digits[digit] + text
    return text or "0"


# Answers -------------------------------------------------------------------------------------------------


def chosen(options: tuple[int | str, ...], option: int | str) -> str:
    """The answer that names one option: a seat by its number, a house by its name, another word by its place."""
    if option == "yes":
        return YES
    return str(option) if owner_of(option) else f"i{options.index(option)}"


def toggled(mask: int, index: int) -> str:
    """The answer that takes an option into a selection, or out of it."""
    return f"t{mask ^ (1 << index):x}"


def done(mask: int) -> str:
    """The answer that a selection is complete."""
    return f"z{mask:x}"


class Choice(Struct, frozen=True):
    """An answer taken apart: a finished selection, or one (`mask`) that is still being made."""

    answer: tuple[int | str, ...] = ()
    mask: int | None = None


def choice(text: str, options: tuple[int | str, ...]) -> Choice | None:
    """What an answer means for a question with these options; None if it means nothing."""
    if text == PASS:
        return Choice()
    if text == YES:
        return Choice(("yes",))
    if text.isascii() and text.isdigit():
        return Choice((int(text),))
    if owner_of(text):
        return Choice((text,))
    kind, rest = text[0], text[1:]
    if not re.fullmatch(r"[0-9a-f]{1,8}", rest):
        return None
    number = int(rest, 16)
    if kind == "i" and number < len(options):
        return Choice((options[number],))
    if number >= 1 << len(options):
        return None
    if kind == "t":
        return Choice(mask=number)
    if kind == "z":
        return Choice(selected(number, options))
    return None


def selected(mask: int, options: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """The options that a mask names."""
    return tuple(option for index, option in enumerate(options) if mask >> index & 1)
