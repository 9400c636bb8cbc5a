"""The seal: what a game was sealed with proves its deal, and nothing else does."""

from __future__ import annotations

import random
from hashlib import sha256

import pytest

from engine import RULE_BOOKS, LineRefused, Setup, Verdict, replay, seal, start, verify
from engine import events as e
from tests.engine.simulation import BOOKS_AND_SEATS, random_game, random_table, tables

WITH_THIEF = ("witch", "hunter", "thief")


def _line(setup: Setup, seed: bytes = bytes(range(32))) -> str:
    return seal.line(replay(start(setup, seed, 0.0)))


def _thief(seats: int, **options: object) -> str:
    deck = RULE_BOOKS["classic"].deck_with(seats, WITH_THIEF)
    return _line(Setup(book="classic", seats=seats, deck=deck, options=options))


def _changed(line: str, part: int, text: str) -> str:
    parts = line.split("|")
    assert parts[part] != text
    parts[part] = text
    return "|".join(parts)


@pytest.mark.parametrize(("book", "seats"), BOOKS_AND_SEATS)
def test_every_deal_is_dealt_again_by_its_line(book: str, seats: int) -> None:
    for number in range(12):
        table = random_table(book, seats, f"seal.{number}")
        events = start(table.setup, table.seed, table.now)
        (started,) = (event for event in events if isinstance(event, e.Started))
        line = seal.line(replay(events))
        verdict = verify(line)
        assert verdict.honest
        assert verdict.fingerprint == started.fingerprint == sha256(line.encode()).hexdigest()
        dealt = {event.seat: event.cards for event in events if isinstance(event, e.CardDealt)}
        for event in events:
            if isinstance(event, e.HomeDealt):
                dealt[event.seat] = (*dealt[event.seat], event.treasure[-1], event.goal)
        assert verdict.dealt_again == tuple("+".join(dealt[seat]) for seat in sorted(dealt))
        dealt_out = sum(len(event.cards) for event in events if isinstance(event, e.CardDealt))
        assert len(verdict.centre_again) == sum(started.deck.values()) - dealt_out
        assert seal.write(seal.read(line)) == line


@pytest.mark.parametrize("seats", [8, 13, 18])
def test_what_the_end_shows_is_what_the_start_has_sealed(seats: int) -> None:
    for table, house in list(tables("classic", seats))[:3]:
        events = [event for moment in random_game(table, house) for event in moment.events]
        (started,) = (event for event in events if isinstance(event, e.Started))
        (ended,) = (event for event in events if isinstance(event, e.Ended))
        verdict = verify(ended.line)
        assert verdict.honest
        assert verdict.fingerprint == started.fingerprint


def test_shuffled_seats_are_no_part_of_the_deal_but_of_the_sealed_options() -> None:
    line = _line(Setup(book="classic", seats=9, options={"shuffle_seats": True}))
    assert '{"shuffle_seats":true}' in line
    assert verify(line).honest
    without = _changed(line, 2, "{}")
    assert verify(without).fingerprint != verify(line).fingerprint


def test_another_seed_deals_other_cards() -> None:
    line = _thief(12)
    for digit in range(0, 64, 7):
        seed = line.split("|")[7]
        other = seed[:digit] + ("1" if seed[digit] != "1" else "2") + seed[digit + 1 :]
        verdict = verify(_changed(line, 7, other))
        assert not verdict.honest
        assert verdict.fingerprint != verify(line).fingerprint


def test_a_card_that_was_given_to_another_seat_is_found() -> None:
    line = _thief(12)
    deal = line.split("|")[5].split(" ")
    for seat in range(1, 12):
        if deal[seat] != deal[0]:
            swapped = list(deal)
            swapped[0], swapped[seat] = swapped[seat], swapped[0]
            assert not verify(_changed(line, 5, " ".join(swapped))).honest


def test_a_card_that_was_taken_from_the_centre_is_found() -> None:
    line = _thief(12)
    centre = line.split("|")[6].split("+")
    assert len(centre) == 2
    assert not verify(_changed(line, 6, "-")).honest
    assert not verify(_changed(line, 6, "werewolf+werewolf")).honest
    assert not verify(_changed(line, 6, centre[0])).honest


def test_other_options_give_another_hash() -> None:
    line = _thief(10)
    other = _changed(line, 2, '{"vote_s":90}')
    assert verify(other).honest
    assert verify(other).fingerprint != verify(line).fingerprint


def test_a_deal_that_was_written_by_hand_is_not_the_seeds() -> None:
    setup = Setup(book="classic", seats=8, deal={1: "werewolf", 2: "werewolf", 3: "seer"})
    assert not verify(_line(setup)).honest


@pytest.mark.parametrize(
    ("part", "text", "refused"),
    [
        (0, "nightfall/2", "format"),
        (0, "daybreak/1", "format"),
        (1, "checkers", "book"),
        (1, "", "book"),
        (2, "", "options"),
        (2, "[]", "options"),
        (2, "null", "options"),
        (2, "[" * 100_000, "options"),
        (2, "1" * 10_000, "options"),
        (2, '{"vote_s":60}', "options"),
        (2, '{"vote_s":"90"}', "options"),
        (2, '{"vote_s": 90}', "options"),
        (2, '{"vote_s":NaN}', "options"),
        (2, '{"never_heard":1}', "options"),
        (2, '{"seen_as_wolf":["piper"]}', "options"),
        (3, "0", "seats"),
        (3, "08", "seats"),
        (3, "1_0", "seats"),
        (3, "7", "seats"),
        (3, "999", "seats"),
        (4, "", "deck"),
        (4, "werewolf:2", "deck"),
        (4, "villager:999 werewolf:2", "deck"),
        (4, "seer:1 seer:1", "deck"),
        (4, "werewolf:2 villager:3 seer:1 hunter:1 witch:1", "deck"),
        (4, "hunter:1 piper:1 seer:1 villager:2 werewolf:2 witch:1", "deck"),
        (5, "", "deal"),
        (5, "Werewolf seer", "deal"),
        (6, "", "centre"),
        (6, "+", "centre"),
        (7, "", "seed"),
        (7, "g" * 64, "seed"),
        (7, "AB" * 32, "seed"),
        (7, "00" * 31, "seed"),
    ],
)
def test_what_no_game_was_sealed_with_is_refused(part: int, text: str, refused: str) -> None:
    line = _line(Setup(book="classic", seats=8))
    with pytest.raises(LineRefused) as raised:
        verify(_changed(line, part, text))
    assert raised.value.part == refused


@pytest.mark.parametrize("text", ["", "|", "|||||||", "狼人", "\udc80", "nightfall/1", "|" * 7 + "１"])
def test_what_is_no_line_is_refused(text: str) -> None:
    with pytest.raises(LineRefused):
        verify(text)


def test_whatever_becomes_of_a_line_it_is_judged_or_refused() -> None:
    rng = random.Random(7)
    lines = [_thief(12, tie="runoff"), _line(Setup(book="classic", seats=8))]
    letters = '|{}[]":+-_ ,.0123456789abcdefz\\\n\x00é狼'
    judged = refused = 0
    for _ in range(4000):
        line = rng.choice(lines)
        text = line
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text) + 1)
            cut = rng.choice((0, 1, 1, 1, 5, 40))
            text = text[:at] + rng.choice(("", rng.choice(letters), rng.choice(letters) * 3)) + text[at + cut :]
        try:
            verdict = verify(text)
        except LineRefused:
            refused += 1
        else:
            judged += 1
            assert isinstance(verdict, Verdict)
            assert text == line or verdict.fingerprint != verify(line).fingerprint
    assert judged > 50
    assert refused > 1000
