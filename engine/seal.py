"""The seal on a deal: published as a hash at the start, opened at the end, so that anybody can check it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256

from engine.game import FORMAT, Game, Seat

_PREFIX = "nightfall/"
_NUMBER = re.compile(r"[1-9][0-9]{0,2}")
_WORD = re.compile(r"[a-z_]{1,32}")
_SEED = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True)
class Sealed:
    """What is written down in a line.

    deal: the cards of each seat; in a game of houses the letter of its treasure house and its goal as well.
    """

    format: int
    book: str
    differs: str
    seats: int
    deck: dict[str, int]
    deal: tuple[tuple[str, ...], ...]
    centre: tuple[str, ...]
    seed: str


class LineRefused(ValueError):
    """A text that no game was sealed with; `part`: what in it cannot be."""

    def __init__(self, part: str) -> None:
        super().__init__(part)
        self.part = part


def line(game: Game) -> str:
    """The written-down line: format, book, options that differ, seats, deck, deal with the centre, seed in hex."""
    return write(
        Sealed(
            format=game.format,
            book=game.book,
            differs=game.differs,
            seats=len(game.seats),
            deck=game.deck,
            deal=tuple(_dealt(game, seat) for seat in game.seats),
            centre=game.centre,
            seed=game.seed,
        )
    )


def _dealt(game: Game, seat: Seat) -> tuple[str, ...]:
    cards = tuple(card.card for card in seat.characters)
    return (*cards, seat.treasure[-1], game.town.dealt[seat.number - 1]) if game.town else cards


def write(sealed: Sealed) -> str:
    """The line that says this."""
    deck = " ".join(f"{role}:{count}" for role, count in sorted(sealed.deck.items()))
    deal = " ".join("+".join(cards) for cards in sealed.deal)
    centre = "+".join(sealed.centre) or "-"
    return "|".join(
        (
            f"{_PREFIX}{sealed.format}",
            sealed.book,
            sealed.differs,
            str(sealed.seats),
            deck,
            deal,
            centre,
            sealed.seed,
        )
    )


def read(text: str) -> Sealed:
    """What a line says. Raises LineRefused for one that `write` has not written."""
    parts = text.split("|")
    if len(parts) != 8 or not text.isascii():
        raise LineRefused("parts")
    form, book, differs, seats, deck, deal, centre, seed = parts
    if form != f"{_PREFIX}{FORMAT}":
        raise LineRefused("format")
    if not _NUMBER.fullmatch(seats):
        raise LineRefused("seats")
    if not _SEED.fullmatch(seed):
        raise LineRefused("seed")
    sealed = Sealed(
        format=FORMAT,
        book=book,
        differs=differs,
        seats=int(seats),
        deck=_deck(deck),
        deal=tuple(_cards(cards, "deal") for cards in deal.split(" ")),
        centre=() if centre == "-" else _cards(centre, "centre"),
        seed=seed,
    )
    if write(sealed) != text:
        raise LineRefused("deck")
    return sealed


def _deck(text: str) -> dict[str, int]:
    deck: dict[str, int] = {}
    for entry in text.split(" "):
        role, _, count = entry.partition(":")
        if not _WORD.fullmatch(role) or not _NUMBER.fullmatch(count):
            raise LineRefused("deck")
        deck[role] = int(count)
    return deck


def _cards(text: str, part: str) -> tuple[str, ...]:
    cards = tuple(text.split("+"))
    if not all(_WORD.fullmatch(card) for card in cards):
        raise LineRefused(part)
    return cards


def fingerprint_of(text: str) -> str:
    """The SHA-256 of a line, in hex."""
    return sha256(text.encode()).hexdigest()


def fingerprint(game: Game) -> str:
    """The SHA-256 of a game's line, in hex."""
    return fingerprint_of(line(game))
