"""Games and events as bytes, and back. The bytes are JSON: compact, stable, readable by who must read them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.events import AnyEvent, Event
from engine.game import FORMAT, Game

_encoder = msgspec.json.Encoder()
_ordered = msgspec.json.Encoder(order="deterministic")
_games = msgspec.json.Decoder(Game)
_events = msgspec.json.Decoder(tuple[AnyEvent, ...])


class UnknownFormat(ValueError):
    """The bytes are of a version this code does not read."""


def dump(game: Game) -> bytes:
    """The game as bytes; equal games give equal bytes."""
    return _ordered.encode(game)


def load(stored: bytes) -> Game:
    """The game that `dump` wrote. Raises UnknownFormat."""
    game = _games.decode(stored)
    if game.format != FORMAT:
        raise UnknownFormat(str(game.format))
    return game


def dump_events(events: Sequence[Event]) -> bytes:
    """Events as bytes, in their order."""
    return _encoder.encode(events)


def load_events(stored: bytes) -> tuple[Event, ...]:
    """The events that `dump_events` wrote."""
    return _events.decode(stored)
