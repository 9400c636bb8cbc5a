"""New moon beyond its scenarios: decks, what is told to whom, and who must not notice."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine import RULE_BOOKS, Answer, Problem
from engine import events as e
from tests.engine.worlds import World, tell_apart

BOOK = RULE_BOOKS["new_moon"]
PLAIN = {"werewolf", "seer", "villager"}


def specials(seats: int) -> set[str]:
    return set(BOOK.deck_for(seats)) - PLAIN


def test_the_recommended_deck_grows_with_the_table() -> None:
    """N1."""
    few = {"witch", "hunter"}
    assert specials(8) == specials(9) == few
    assert specials(10) == specials(11) == few | {"cupid", "idiot"}
    assert specials(12) == specials(13) == few | {"cupid", "idiot", "guard", "elder"}
    assert specials(14) == specials(15) == few | {"cupid", "idiot", "guard", "elder", "thief", "scapegoat"}
    for seats in (16, 17, 18):
        assert specials(seats) == specials(14) | {"piper"}


@pytest.mark.parametrize("role", ["idiot", "elder", "scapegoat", "piper", "guard"])
def test_of_each_role_there_is_one_and_it_stands_for_a_villager(role: str) -> None:
    deck = BOOK.deck_with(9, (role,))
    assert deck == {"werewolf": 2, "seer": 1, role: 1, "villager": 5}
    assert BOOK.problems_of(9, deck, BOOK.options({})) == []
    twice = {**deck, role: 2, "villager": 4}
    assert BOOK.problems_of(9, twice, BOOK.options({})) == [Problem("one", role, 1)]


# Who is told ---------------------------------------------------------------------------------------------

VILLAGE = {1: "werewolf", 2: "werewolf", 3: "seer", 4: "witch", 5: "elder", 6: "hunter", 7: "guard"}


def world(deal: Mapping[int, str] = VILLAGE, **options: object) -> World:
    return World("new_moon", seats=12, deal=deal, options={"sheriff": False, **options})


def test_who_has_lost_his_power_is_told_at_every_call_and_nothing_else() -> None:
    """Ruling 3, N17: the witch hears of no attack, the hunter that he cannot shoot."""
    game = world()
    game.night()
    game.until("vote", 1)
    game.say("vote.lynch", 5)
    game.until("night", 2)
    before = len(game.events)
    game.night(wolves_kill=(6,))
    heard = game.events[before:]
    gone = [(ev.seat, ev.call, ev.audience) for ev in game.events if isinstance(ev, e.PowerGone)]
    assert sorted(gone) == [(3, "seer", (3,)), (4, "witch", (4,)), (7, "guard", (7,))]
    assert [ev.seat for ev in heard if isinstance(ev, e.Denied)] == [6]
    assert [ev for ev in heard if isinstance(ev, e.Told)] == []
    assert all(ev.audience == "nobody" for ev in game.events if isinstance(ev, e.PowersLost))


def test_the_curse_is_told_to_nobody_when_it_falls() -> None:
    game = world()
    game.night(wolves_kill=(12,), witch_poison=(5,))
    (lost,) = [ev for ev in game.events if isinstance(ev, e.PowersLost)]
    assert (lost.audience, lost.elder) == ("nobody", 5)
    assert not [ev for ev in game.events if isinstance(ev, e.PowerGone)]


def test_the_scapegoats_choice_is_told_to_everybody() -> None:
    game = world({1: "werewolf", 2: "werewolf", 5: "scapegoat"})
    game.night()
    game.until("vote", 1)
    for prompt in ((1, 6), (2, 6), (6, 1), (7, 1)):
        game.give(vote(game, *prompt))
    game.until("night", 2)
    (named,) = [ev for ev in game.events if isinstance(ev, e.VotersNamed)]
    assert (named.audience, named.seat, named.day) == ("everybody", 5, 2)
    assert named.voters == (1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12)


def vote(game: World, seat: int, choice: int) -> Answer:
    return Answer(seat, "vote.lynch", (choice,), game.game.agenda[0].serial)


# Who must not notice -------------------------------------------------------------------------------------


def test_an_elder_who_survives_looks_like_somebody_protected() -> None:
    elder, guarded = world(), world({**VILLAGE, 5: "villager", 8: "elder"})
    elder.night(wolves_kill=(5,), guard_protect=(9,))
    guarded.night(wolves_kill=(5,), guard_protect=(5,))
    tell_apart(elder, guarded, None, 9, 10, 11, 12, 6, 2)


def test_whom_the_piper_enchants_is_known_to_the_enchanted_only() -> None:
    deal = {**VILLAGE, 8: "piper"}
    one, other, nobody = world(deal), world(deal), world(deal)
    one.night(piper_enchant=(3, 4))
    other.night(piper_enchant=(5, 6))
    nobody.night()
    tell_apart(one, other, None, 1, 2, 7, 9, 10, 11, 12)
    tell_apart(one, nobody, None, 1, 2, 5, 6, 7, 9, 10, 11, 12)


def second_night(wolves: int, poisoned: int) -> World:
    """The elder has one life left; he and the hunter die of the two causes, who does not shoot."""
    game = world()
    game.night(wolves_kill=(5,), guard_protect=(7,))
    game.until("night", 2)
    game.night(wolves_kill=(wolves,), witch_poison=(poisoned,))
    if game.game.phase == "dawn":
        call = game.game.agenda[0].open_calls[0]
        game.now = call.ends
        if call.held:
            game.say("hunter.shoot")
        else:
            game.wait()
    return game


def test_the_hunter_without_power_is_paused_for_like_one_who_does_not_shoot() -> None:
    """What killed the elder is not said, so the missing shot must not say it."""
    cursed, not_cursed = second_night(wolves=6, poisoned=5), second_night(wolves=5, poisoned=6)
    assert cursed.game.cursed
    assert not not_cursed.game.cursed
    tell_apart(cursed, not_cursed, None, 3, 7, 8, 9, 12)
    assert cursed.heard(6) != not_cursed.heard(6)


def test_nights_without_power_take_as_long_as_nights_with_it() -> None:
    """The seer and the guard have been told; nobody else can tell that nobody answers."""
    cursed, not_cursed = second_night(wolves=6, poisoned=5), second_night(wolves=5, poisoned=6)
    for game in (cursed, not_cursed):
        game.until("night", 3)
        game.night(wolves_kill=(12,))
    tell_apart(cursed, not_cursed, None, 8, 9, 10, 12)
    assert cursed.heard(3) != not_cursed.heard(3)
