"""Lupus in Tabula beyond its scenarios: decks and the lot, cards that pass, counts, and who must not notice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import pytest

from engine import (
    RULE_BOOKS,
    DeckRefused,
    Event,
    Extend,
    Leave,
    Refused,
    Setup,
    Skip,
    decide,
    due_at,
    hears,
    replay,
    seal,
    start,
    verify,
    view_for,
)
from engine import events as e
from tests.engine.simulation import NOON, seed
from tests.engine.worlds import World

LUPUS = RULE_BOOKS["lupus"]
TABLE: dict[int, tuple[int, ...]] = {
    8: (2, 1, 0, 0, 0, 0, 0, 0, 0, 5),
    9: (2, 1, 1, 0, 0, 0, 0, 0, 0, 5),
    10: (2, 1, 1, 1, 0, 0, 0, 0, 0, 5),
    11: (2, 1, 1, 1, 1, 0, 0, 0, 0, 5),
    12: (2, 1, 1, 1, 1, 1, 0, 0, 0, 5),
    14: (2, 1, 1, 1, 1, 1, 2, 0, 0, 5),
    15: (2, 1, 1, 1, 1, 1, 2, 1, 0, 5),
    16: (2, 1, 1, 1, 1, 1, 2, 1, 1, 5),
    17: (3, 1, 1, 1, 1, 1, 2, 1, 1, 5),
    18: (3, 1, 1, 1, 1, 1, 2, 1, 1, 6),
    19: (3, 1, 1, 1, 1, 1, 2, 1, 1, 7),
    20: (3, 1, 1, 1, 1, 1, 2, 1, 1, 8),
    21: (3, 1, 1, 1, 1, 1, 2, 1, 1, 9),
    22: (3, 1, 1, 1, 1, 1, 2, 1, 1, 10),
    23: (3, 1, 1, 1, 1, 1, 2, 1, 1, 11),
    24: (3, 1, 1, 1, 1, 1, 2, 1, 1, 12),
}
"""The book's table in the order of its roles, but for thirteen seats."""

FOUR = ("medium", "possessed", "bodyguard", "owl_man")


def begin(number: int = 0, **setup: Any) -> tuple[Event, ...]:
    return start(Setup(book="lupus", **setup), seed(number), NOON)


def lupus(number: int = 0, **setup: Any) -> World:
    """A game that answers are given in."""
    return World("lupus", number, **setup)


# Decks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", TABLE)
def test_the_table_of_the_book(seats: int) -> None:
    deck = LUPUS.deck_for(seats)
    assert tuple(deck.get(role, 0) for role in LUPUS.roles) == TABLE[seats]


def test_at_thirteen_the_lot_says_which_three_of_four_are_in() -> None:
    drawn = set()
    for number in range(120):
        game = replay(begin(number, seats=13))
        among = tuple(role for role in FOUR if role in game.deck)
        drawn.add(among)
        assert {role: game.deck.get(role, 0) for role in LUPUS.roles if role not in FOUR} == {
            "werewolf": 2,
            "seer": 1,
            "freemason": 2,
            "werehamster": 0,
            "mythomaniac": 0,
            "villager": 5,
        }
    assert drawn == set(combinations(FOUR, 3))


def test_at_thirteen_the_host_may_choose_instead() -> None:
    deck = LUPUS.deck_with(13, ("possessed", "bodyguard", "owl_man", "freemason"))
    for number in range(20):
        game = replay(begin(number, seats=13, deck=deck))
        assert game.deck == dict(sorted(deck.items()))


def test_a_deal_with_a_lot_can_be_checked() -> None:
    verdict = verify(seal.line(replay(begin(5, seats=13))))
    assert verdict.honest


def plain(seats: int, **cards: int) -> dict[str, int]:
    wolves = TABLE[seats][0]
    return {"werewolf": wolves, "seer": 1, **cards, "villager": seats - wolves - 1 - sum(cards.values())}


@pytest.mark.parametrize(
    ("seats", "deck", "options", "expected"),
    [
        (8, plain(8), {}, set()),
        (24, plain(24), {}, set()),
        (8, plain(8, medium=1, freemason=2, mythomaniac=1), {}, set()),
        (8, plain(8, freemason=1), {}, {("fixed", "freemason", 2)}),
        (10, plain(10, freemason=3), {}, {("fixed", "freemason", 2)}),
        (9, plain(9, medium=2), {}, {("one", "medium", 1)}),
        (16, {**plain(16), "werewolf": 3, "villager": 12}, {}, {("fixed", "werewolf", 2)}),
        (17, {**plain(17), "werewolf": 2, "villager": 14}, {}, {("fixed", "werewolf", 3)}),
        (8, plain(8, witch=1), {}, {("role", "witch", 0)}),
        (
            8,
            plain(8, medium=1, possessed=1, bodyguard=1, owl_man=1, mythomaniac=1),
            {},
            {("at_least", "villager", 1)},
        ),
        (8, {**plain(8), "villager": 6}, {}, {("sum", "", 8)}),
        (7, plain(8), {}, {("seats", "", 8)}),
        (25, plain(24), {}, {("seats", "", 24)}),
        (8, plain(8), {"sage": True}, set()),
        (9, plain(9), {"sage": True}, {("seats", "", 8)}),
        (8, plain(8, medium=1), {"sage": True}, {("fixed", "villager", 5)}),
    ],
)
def test_what_the_book_deals(
    seats: int, deck: dict[str, int], options: dict[str, Any], expected: set[tuple[str, str, int]]
) -> None:
    """G37, L27, and the sage's own table."""
    found = LUPUS.problems_of(seats, deck, LUPUS.options(options))
    assert {(problem.code, problem.role, problem.number) for problem in found} == expected
    if expected:
        with pytest.raises(DeckRefused):
            begin(seats=seats, deck=deck, options=options)


# The cards that pass -------------------------------------------------------------------------------------

DEAL: Mapping[int, str] = {1: "werewolf", 2: "werewolf", 3: "seer"}


def holders(office: str, played: World) -> list[int]:
    passed = played.happened(e.OfficePassed)
    return [event.seat for event in passed if isinstance(event, e.OfficePassed) and event.office == office]


def test_chance_gives_the_welcome_card_to_somebody_living_or_to_one_of_two_dead() -> None:
    """L2, and the two dead of a night with Death."""
    drawn, dead = set(), set()
    deal = {1: "werewolf", 2: "werewolf", 3: "werewolf", 4: "seer", 7: "owl_man"}
    for number in range(60):
        quiet = lupus(number, seats=21, deal=deal)
        quiet.until("talk", 1)
        drawn.update(holders("welcome", quiet))
        deadly = lupus(number, seats=21, deal=deal)
        deadly.say("owl.nominate", 15)
        deadly.say("wolves.kill", 20)
        deadly.until("talk", 1)
        dead.update(holders("welcome", deadly))
        assert view_for(deadly.game, None).welcome in (15, 20)
    assert len(drawn) > 12
    assert dead == {15, 20}


def test_of_three_dead_any_may_have_the_welcome_card() -> None:
    """L1: killed by the wolves, taken by Death, seen as a werehamster."""
    deal = {1: "werewolf", 2: "werewolf", 3: "werewolf", 4: "seer", 7: "owl_man", 9: "werehamster"}
    drawn = set()
    for number in range(60):
        played = lupus(number, seats=21, deal=deal)
        played.say("seer.check", 9)
        played.say("owl.nominate", 15)
        played.say("wolves.kill", 20)
        played.until("talk", 1)
        drawn.update(holders("welcome", played))
    assert drawn == {9, 15, 20}


def test_the_host_may_have_the_welcome_card_first() -> None:
    """The first seat stands for him unless the table says otherwise; who has left does not get it."""
    options = {"first_welcome": "host"}
    played = lupus(seats=8, deal=DEAL, options=options)
    played.until("talk", 1)
    assert holders("welcome", played) == [1]
    given = lupus(seats=8, deal=DEAL, options=options, welcome=4)
    given.until("talk", 1)
    assert holders("welcome", given) == []
    assert view_for(given.game, None).welcome == 4


def test_the_first_sage_is_drawn_or_seated_and_everybody_hears_of_it() -> None:
    firsts = {
        holders("sage", lupus(number, seats=8, deal=DEAL, options={"sage": True}))[0] for number in range(80)
    }
    assert firsts == set(range(1, 9))
    seated = lupus(3, seats=8, deal=DEAL, options={"sage": True, "sage_first": "seat"})
    assert holders("sage", seated) == [1]
    assert view_for(seated.game, 5).sage == 1
    assert holders("sage", lupus(3, seats=8, deal=DEAL)) == []


def test_the_sages_card_may_go_to_ghosts_too_but_to_nobody_who_has_left() -> None:
    played = lupus(
        seats=8, deal=DEAL, options={"sage": True, "sage_passes_to": "any", "nomination": "open"}, sage=5
    )
    played.wait()
    played.say("wolves.kill", 6)
    played.until("talk", 1)
    assert view_for(played.game, None).sage == 6
    assert isinstance(decide(played.game, Skip(5), played.now), Refused)
    played.give(Skip(6))
    assert played.game.phase == "vote"
    played.until("talk", 2)
    assert view_for(played.game, None).sage == 7


# The counts ----------------------------------------------------------------------------------------------


def test_a_count_has_its_own_length_and_does_not_end_early() -> None:
    played = lupus(seats=8, deal=DEAL, options={"sage": True, "count_s": 30}, sage=5)
    played.say("seer.check", 1)
    assert due_at(played.game) == NOON + 30
    played.wait()
    played.say("wolves.kill", 8)
    assert due_at(played.game) == NOON + 60
    waves = played.happened(e.WaveOpened)
    assert [(wave.calls, wave.counted) for wave in waves if isinstance(wave, e.WaveOpened)] == [
        (("seer",), True),
        (("wolves",), True),
    ]
    for command in (Skip(5), Extend(5, 30), Skip("host"), Extend("host", 30)):
        assert decide(played.game, command, played.now) == Refused("not_offered")


def test_without_the_sage_the_wave_ends_with_its_last_answer() -> None:
    played = lupus(seats=8, deal=DEAL)
    played.say("seer.check", 1)
    played.say("wolves.kill", 8)
    assert played.game.phase == "talk"
    assert not any(isinstance(event, e.WaveOpened) and event.counted for event in played.events)


# The nomination ------------------------------------------------------------------------------------------


def test_each_turn_has_its_own_clock_and_ghosts_have_theirs() -> None:
    """L25: with 24 silent seats, eight minutes."""
    played = lupus(seats=24, deal=DEAL, welcome=23)
    played.until("vote", 1)
    began = played.now
    while played.game.phase == "vote":
        played.wait()
    turns = [event for event in played.events if isinstance(event, e.NominationOpened)]
    assert [turn.seats[0] for turn in turns] == [23, 24, *range(1, 23)]
    assert turns[0].after == (24, *range(1, 23))
    assert all(len(turn.seats) == 1 and turn.round == 0 for turn in turns)
    assert played.now - began == 24 * 20
    assert next(event for event in played.events if isinstance(event, e.SuspectsNamed)).suspects == ()


def test_votes_are_named_in_public_and_the_verdict_in_secret() -> None:
    played = lupus(seats=8, deal=DEAL, welcome=1)
    played.until("vote", 1)
    played.say("vote.nominate", 5)
    (named,) = [event for event in played.events if isinstance(event, e.Nominated)]
    assert named.votes == (e.Vote(1, 5, 1),)
    played.until("verdict", 1)
    before = len(played.events)
    played.say("vote.verdict", 5, seats=(2,))
    heard = [event for event in played.events[before:] if hears(event.audience, 3)]
    assert heard == [e.Voted("everybody", 2, "vote.verdict", played.game.agenda[0].serial)]
    step = view_for(played.game, 3).step
    assert step is not None
    assert (step.voted, step.votes, step.public, step.candidates) == ((2,), (), False, (5, 1))


def test_nobody_is_told_that_his_ballot_is_void_when_all_are_given_anew() -> None:
    """L12: a suspect leaves in the verdict; in the nomination before it a void vote is said to be one."""
    played = lupus(seats=8, deal=DEAL, options={"nomination": "open"}, welcome=1)
    played.until("vote", 1)
    played.say("vote.nominate", 5, seats=(2, 3))
    played.say("vote.nominate", 4, seats=(6,))
    played.give(Leave(4))
    assert played.happened(e.Voided) == [e.Voided((6,), 6, "vote.nominate", played.game.agenda[0].serial)]
    played.until("verdict", 1)
    played.say("vote.verdict", 1, seats=(2, 3))
    played.give(Leave(1))
    assert played.game.suspects == (5, 2)
    assert len(played.happened(e.Voided)) == 1


@pytest.mark.parametrize("announced", ["before", "after"])
def test_the_owl_mans_nominee_is_told_when_the_option_says(announced: str) -> None:
    deal = {**DEAL, 7: "owl_man"}
    played = lupus(seats=12, deal=deal, options={"owl_announced": announced, "nomination": "open"})
    played.say("owl.nominate", 8)
    played.until("vote", 1)
    shown = [e.NomineeShown("everybody", 8)] if announced == "before" else []
    assert played.happened(e.NomineeShown) == shown
    assert not played.happened(e.SuspectsNamed)
    played.until("defence", 1)
    (named,) = [event for event in played.events if isinstance(event, e.SuspectsNamed)]
    assert named.nominee == 8
    assert named.suspects[1] == 8


def test_death_names_nobody_in_public() -> None:
    deal = {1: "werewolf", 2: "werewolf", 3: "werewolf", 4: "seer", 7: "owl_man"}
    played = lupus(seats=21, deal=deal, options={"owl_announced": "before", "nomination": "open"})
    played.say("owl.nominate", 1)
    played.until("vote", 1)
    played.say("vote.nominate", 5)
    played.until("defence", 1)
    assert not played.happened(e.NomineeShown)
    (named,) = [event for event in played.events if isinstance(event, e.SuspectsNamed)]
    assert named.nominee is None


# Who must not notice -------------------------------------------------------------------------------------

SECRETS = ("medium", "possessed", "bodyguard", "owl_man", "freemason", "freemason", "werehamster", "mythomaniac")


def deals() -> Iterator[dict[int, str]]:
    """The same deck, its secrets held by others among the seats 4 to 12; seat 12 is always a villager."""
    for shift in range(8):
        cards = (*SECRETS[shift:], *SECRETS[:shift])
        yield {**DEAL, **dict(enumerate(cards, start=4))}


def three_days(deal: Mapping[int, str], copied: int) -> World:
    """What the table does is the same in every world: nobody's card shows in it. The seer is silent.

    The others' calls are answered after five seconds, the mythomaniac's after thirty.
    """
    played = lupus(1, seats=16, deal=deal, options={"nomination": "open"})
    for day, victim in ((1, 16), (2, 15), (3, 14)):
        played.now += 5
        played.say("wolves.kill", victim)
        played.say("bodyguard.protect", 13)
        if day == 2:
            played.wait()
            played.now += 30
            played.say("mythomaniac.copy", copied)
        played.until("vote", day)
        played.say("vote.nominate", 13 if day == 1 else 2)
        if day == 1:
            played.until("verdict", day)
            played.say("vote.verdict", 13)
        played.until("night", day + 1)
    return played


@pytest.mark.parametrize("copied", [1, 3, 12])
def test_who_holds_what_and_what_is_told_at_nightfall_changes_nothing_for_the_others(copied: int) -> None:
    """Freemasons and medium are told, the mythomaniac becomes something: neither group nor bystander can tell."""
    worlds = [three_days(deal, copied) for deal in deals()]
    told = {event.occasion for world in worlds for event in world.events if isinstance(event, e.Told)}
    assert {"freemason", "medium"} <= told
    assert {
        role for world in worlds for event in world.events if isinstance(event, e.Became) for role in [event.role]
    }
    for world in worlds[1:]:
        for seat in (None, 12):
            assert world.heard(seat) == worlds[0].heard(seat)
            assert view_for(world.game, seat) == view_for(worlds[0].game, seat)


def test_what_the_mythomaniac_copies_is_seen_by_nobody_else_before_the_pack_meets_him() -> None:
    """Nor does the pack notice before the third nightfall, whatever he has become."""
    deal = next(deals())
    mythomaniac = next(seat for seat, role in deal.items() if role == "mythomaniac")
    wolf, seer, villager = (three_days(deal, copied) for copied in (1, 3, 12))
    for seat in range(1, 17):
        if seat != mythomaniac:
            known = [world.heard(seat) for world in (wolf, seer, villager)]
            assert known[1] == known[2]
            if seat > 2:
                assert known[0] == known[1]
    second = [
        event
        for event in wolf.events
        if isinstance(event, e.Told) and event.occasion == "pack" and event.facts[0].day == 3
    ]
    assert {(event.seat, tuple(fact.about for fact in event.facts)) for event in second} == {
        (1, (mythomaniac,)),
        (2, (mythomaniac,)),
        (mythomaniac, (1, 2)),
    }
