"""The handbook beyond its scenarios: decks, sides, the idiot's way back, and who must not notice."""

from __future__ import annotations

from collections import Counter

import pytest

from engine import RULE_BOOKS, DeckRefused, Problem, Prompt, Setup, choices, replay, seal, start, verify
from engine import events as e
from tests.engine.simulation import NOON
from tests.engine.worlds import World, tell_apart

BOOK = RULE_BOOKS["handbook"]
OPTIONS = BOOK.options({})


# Decks ---------------------------------------------------------------------------------------------------


def test_the_recommended_deck_grows_with_the_table() -> None:
    few = {"seer", "witch", "hunter"}
    more: dict[int, set[str]] = {
        8: set(),
        10: {"idiot"},
        12: {"idiot", "guard", "white_wolf"},
        14: {"idiot", "guard", "white_wolf", "cupid"},
        16: {"idiot", "guard", "white_wolf", "cupid", "scapegoat"},
    }
    for seats in range(8, 19):
        deck = BOOK.deck_for(seats)
        wanted = few | more[max(number for number in more if number <= seats)]
        assert set(deck) == wanted | {"werewolf", "villager"}
        wolves = deck["werewolf"] + deck.get("white_wolf", 0)
        assert wolves == (2 if seats < 12 else 4 if seats == 18 else 3)
        assert sum(deck.values()) == seats


def test_one_of_the_wolves_may_be_white_at_every_table() -> None:
    deck = BOOK.deck_with(8, ("white_wolf", "seer"))
    assert deck == {"werewolf": 1, "white_wolf": 1, "seer": 1, "villager": 5}
    assert BOOK.problems_of(8, deck, OPTIONS) == []


@pytest.mark.parametrize(
    ("deck", "problems"),
    [
        ({"werewolf": 2, "white_wolf": 1, "villager": 5}, [Problem("fixed", "werewolf", 1)]),
        ({"white_wolf": 2, "villager": 6}, [Problem("fixed", "werewolf", 1), Problem("one", "white_wolf", 1)]),
        ({"werewolf": 2, "seer": 2, "villager": 4}, [Problem("one", "seer", 1)]),
        ({"werewolf": 2, "elder": 1, "villager": 5}, [Problem("role", "elder")]),
        (
            {"werewolf": 2, "seer": 1, "witch": 1, "hunter": 1, "idiot": 1, "guard": 1, "cupid": 1},
            [Problem("at_least", "villager", 1)],
        ),
        ({"werewolf": 2, "villager": 7}, [Problem("sum", number=8)]),
        ({"werewolf": 2, "thief": 1, "villager": 5}, [Problem("sum", number=9)]),
        ({"werewolf": 2, "villager": 6}, []),
    ],
)
def test_what_the_book_forbids(deck: dict[str, int], problems: list[Problem]) -> None:
    assert BOOK.problems_of(8, deck, OPTIONS) == problems


def test_the_thief_comes_beside_the_deck_with_one_villager_more() -> None:
    """H29: plain by default; whoever wants a power role puts it in for a villager."""
    deck = BOOK.deck_of(9, ("seer", "hunter", "thief"), OPTIONS)
    assert deck == {"werewolf": 2, "seer": 1, "hunter": 1, "thief": 1, "villager": 5}
    game = replay(start(Setup(book="handbook", seats=9, deck=deck), bytes(32), NOON))
    assert len(game.centre) == 2
    assert game.deck == {**deck, "villager": 6}
    with pytest.raises(DeckRefused):
        start(Setup(book="handbook", seats=9, deck={**deck, "villager": 4}), bytes(32), NOON)


@pytest.mark.parametrize("extra", ["one_villager", "two_villagers"])
@pytest.mark.parametrize("book", ["classic", "new_moon", "handbook"])
def test_where_the_thief_stands_the_same_cards_are_dealt(book: str, extra: str) -> None:
    """Beside the deck or in a villager's place: with him nine players have eleven cards, and anyone can check."""
    rules, changes = RULE_BOOKS[book], {"thief_extra": extra}
    deck = rules.deck_of(9, ("witch", "hunter", "thief"), rules.options(changes))
    events = start(Setup(book=book, seats=9, options=changes, deck=deck), bytes(32), NOON)
    game = replay(events)
    dealt = Counter((*(seat.role for seat in game.seats), *game.centre))
    seer = dealt.pop("seer", 0)
    assert dealt == {"werewolf": 2, "witch": 1, "hunter": 1, "thief": 1, "villager": 6 - seer}
    assert verify(seal.line(game)).honest


def test_a_recommended_thief_may_stand_beside_the_deck_too() -> None:
    game = replay(start(Setup(book="classic", seats=14, options={"thief_extra": "one_villager"}), bytes(32), NOON))
    assert len(game.centre) == 2
    assert sum(game.deck.values()) == 16
    assert verify(seal.line(game)).honest


# The idiot's way back --------------------------------------------------------------------------------------

VILLAGE = {
    1: "werewolf",
    2: "werewolf",
    3: "white_wolf",
    4: "seer",
    5: "idiot",
    6: "witch",
    7: "guard",
    8: "hunter",
}


def world(deal: dict[int, str] | None = None) -> World:
    return World("handbook", seats=12, deal=deal or VILLAGE)


def lynched(game: World, seat: int) -> World:
    """The seat is lynched on the first day, and nobody has been killed in the night before."""
    game.night()
    game.until("vote", 1)
    game.say("vote.lynch", seat)
    game.until("night", 2)
    return game


def test_until_dawn_a_lynched_idiot_looks_like_anybody() -> None:
    """The pause for the hunter is made, he has last words, and his card is hidden."""
    idiot, villager = lynched(world(), 5), lynched(world({**VILLAGE, 5: "villager", 9: "idiot"}), 5)
    tell_apart(idiot, villager, None, 1, 2, 4, 7, 10, 11, 12)


def test_he_is_back_before_the_dead_are_named_and_everybody_sees_his_card() -> None:
    game = lynched(world(), 5)
    game.night(wolves_kill=(12,))
    names = [type(ev).__name__ for ev in game.events if isinstance(ev, e.CameBack | e.Fell)]
    assert names[-2:] == ["CameBack", "Fell"]
    (back,) = [ev for ev in game.events if isinstance(ev, e.CameBack)]
    assert (back.audience, back.seat, back.card) == ("everybody", 5, "idiot")
    ballots = [ev for ev in game.events if isinstance(ev, e.BallotOpened)]
    game.until("vote", 2)
    ballot = [ev for ev in game.events if isinstance(ev, e.BallotOpened)][len(ballots)]
    assert 5 not in ballot.voters
    assert 5 not in ballot.candidates
    orders = [ev.order for ev in game.events if isinstance(ev, e.RoundOpened)]
    assert 5 in orders[0]
    assert orders[1] == (1, 2, 3, 4, 6, 7, 8, 9, 10, 11)


def test_his_claim_belongs_to_the_round_and_outlives_its_speeches() -> None:
    """A button of the round's beginning does it in the middle; after the round it is stale, or not there."""
    game = lynched(world(), 5)
    game.night(wolves_kill=(12,))
    game.until("talk", 2)
    claim = next(p for p in prompts(game) if p.action == "speech.claim")
    game.wait()
    game.wait()
    again = next(p for p in prompts(game) if p.action == "speech.claim")
    assert again.serial == claim.serial
    game.say("speech.claim", "yes")
    (claimed,) = [ev for ev in game.events if isinstance(ev, e.SpeechClaimed)]
    assert (claimed.audience, claimed.seat) == ("everybody", 5)
    assert "speech.claim" not in {p.action for p in prompts(game)}


def prompts(game: World) -> tuple[Prompt, ...]:
    return choices(game.game)


# Who must not notice -------------------------------------------------------------------------------------


def test_which_of_the_pack_is_the_white_wolf_is_known_to_him_alone() -> None:
    one, other = world(), world({**VILLAGE, 2: "white_wolf", 3: "werewolf"})
    for game in (one, other):
        game.night()
        game.until("night", 2)
        game.night()
    tell_apart(one, other, None, 1, 4, 5, 6, 7, 12)


def test_a_white_wolf_who_has_nobody_left_to_banish_is_called_like_a_dead_one() -> None:
    """Of two wolves the first is lynched; whether it was the white one is not to be heard in the night."""
    deal = {1: "werewolf", 2: "white_wolf", 4: "seer", 6: "witch", 7: "guard"}
    alone, dead = lynched(world(deal), 1), lynched(world({**deal, 1: "white_wolf", 2: "werewolf"}), 1)
    for game in (alone, dead):
        game.night(wolves_kill=(12,))
    calls = [ev.calls for ev in alone.events if isinstance(ev, e.WaveOpened)]
    assert calls.count(("white_wolf",)) == 1
    tell_apart(alone, dead, None, 4, 6, 7, 11, 12)


def test_banished_or_poisoned_is_not_to_be_seen() -> None:
    """Nothing said, no last words, and the pause for the hunter."""
    banished, poisoned = world(), world()
    for game, answers in ((banished, {"white_wolf_banish": (1,)}), (poisoned, {"witch_poison": (1,)})):
        game.night()
        game.until("night", 2)
        game.night(**answers)
        game.until("vote", 2)
        assert not game.game.seat(1).alive
    tell_apart(banished, poisoned, None, 2, 4, 5, 7, 8, 12)


def test_a_third_party_is_known_to_its_lovers_only() -> None:
    deal = {**VILLAGE, 9: "cupid"}
    mixed, plain = world(deal), world(deal)
    mixed.night(cupid_link=(1, 10))
    plain.night(cupid_link=(10, 11))
    for game in (mixed, plain):
        game.until("night", 2)
        game.night()
    tell_apart(mixed, plain, None, 2, 3, 4, 5, 12)
