"""The seal on a deal: published as a hash at the start, opened at the end, so that anybody can check it."""

from __future__ import annotations

from hashlib import sha256

from engine.game import Game


def line(game: Game) -> str:
    """The written-down line: format, book, options that differ, seats, deck, deal with the centre, seed in hex."""
    deck = " ".join(f"{role}:{count}" for role, count in sorted(game.deck.items()))
    deal = " ".join("+".join(card.card for card in seat.characters) for seat in game.seats)
    centre = "+".join(game.centre) or "-"
    return "|".join(
        (
            f"nightfall/{game.format}",
            game.book,
            game.differs,
            str(len(game.seats)),
            deck,
            deal,
            centre,
            game.seed,
        )
    )


def fingerprint(game: Game) -> str:
    """The SHA-256 of the line, in hex."""
    return sha256(line(game).encode()).hexdigest()
