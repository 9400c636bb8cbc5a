"""Games and events as bytes."""

from __future__ import annotations

import json
import random
import zlib
from typing import get_args

import msgspec
import pytest

from engine import (
    RULE_BOOKS,
    Event,
    Game,
    Setup,
    UnknownFormat,
    Warn,
    dump,
    dump_events,
    evolve,
    load,
    load_events,
    replay,
)
from engine import events as e
from tests.engine.simulation import House, Moment, Table, play, random_game, random_table


def played(number: int, seats: int = 18) -> list[Moment]:
    house = House(random.Random(f"codec.{number}"), host_rate=0.2)
    return list(random_game(random_table("classic", seats, f"codec.{number}"), house))


def in_play() -> Game:
    return Table(Setup(book="classic", seats=12), bytes(32)).begin().game


def test_the_bytes_are_compact_json_that_names_its_format() -> None:
    game = in_play()
    stored = dump(game)
    assert json.loads(stored)["book"] == "classic"
    assert b'": ' not in stored
    assert b"\n" not in stored


def test_a_game_of_another_format_is_not_read() -> None:
    stored = json.loads(dump(in_play()))
    stored["format"] = 2
    with pytest.raises(UnknownFormat, match="2"):
        load(json.dumps(stored).encode())


@pytest.mark.parametrize("broken", [b"", b"{}", b"[]", b"null", b'{"book":1}', b"\xff"])
def test_bytes_that_are_no_game_are_refused(broken: bytes) -> None:
    with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
        load(broken)


@pytest.mark.parametrize(
    "broken", [b'[{"type":"Sneezed","audience":"nobody"}]', b'[{"type":"NightFell","day":1}]']
)
def test_events_that_are_none_are_refused(broken: bytes) -> None:
    """Of an unknown kind, or without an audience."""
    with pytest.raises(msgspec.ValidationError):
        load_events(broken)


@pytest.mark.parametrize("seats", [8, 12, 18])
def test_events_are_read_back_as_they_were(seats: int) -> None:
    """(All of them, of every book and number of seats: `test_laws.py`.)"""
    events = [event for moment in played(seats, seats) for event in moment.events]
    assert load_events(dump_events(events)) == tuple(events)
    assert load_events(dump_events([])) == ()


def test_equal_games_are_equal_bytes() -> None:
    """Also where they came about in another order."""
    oath, sentence = Warn("host", 3, "oath"), Warn("host", 3, "sentence")
    setup = Setup(book="classic", seats=8, options={"warnings": 9})
    games = []
    for commands in ((oath, sentence), (sentence, oath)):
        moment = Table(setup, bytes(32)).begin()
        for command in commands:
            moment = play(moment.game, command, moment.now)
        games.append(moment.game)
    assert games[0] == games[1]
    assert dump(games[0]) == dump(games[1])


def test_a_loaded_game_is_as_frozen_as_the_first() -> None:
    game = load(dump(in_play()))
    assert isinstance(game.seats, tuple)
    assert isinstance(game.agenda, tuple)
    with pytest.raises(AttributeError):
        game.day = 9  # type: ignore[misc]


@pytest.mark.parametrize("book", RULE_BOOKS)
def test_a_stored_game_is_small(book: str) -> None:
    """16 KB, and 4 KB compressed, at every moment of games of the most seats."""
    seats = RULE_BOOKS[book].most
    for number in range(4):
        house = House(random.Random(f"small.{number}"))
        for moment in random_game(random_table(book, seats, f"small.{number}"), house):
            stored = dump(moment.game)
            assert len(stored) < 16_384
            assert len(zlib.compress(stored, 1)) < 4_096


def test_a_game_begins_with_its_beginning() -> None:
    events: list[Event] = [e.NightFell("everybody", 1)]
    with pytest.raises(ValueError, match="Begun"):
        replay(events)
    with pytest.raises(ValueError, match="no events"):
        replay([])
    with pytest.raises(ValueError, match="Begun"):
        evolve(None, events[0])


def test_every_kind_of_event_can_be_read_back() -> None:
    """An event that its file's union leaves out could be written down, and never read."""
    assert set(get_args(e.AnyEvent)) == set(e.Event.__subclasses__())
