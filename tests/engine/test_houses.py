"""Lupusburg beside its scenarios: the deal, chance, secrets of the houses, points, matches of several games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from engine import (
    RULE_BOOKS,
    Answer,
    Event,
    Game,
    Leave,
    Refused,
    Result,
    Setup,
    Skip,
    Tick,
    choices,
    decide,
    due_at,
    dump_events,
    evolve,
    hears,
    replay,
    start,
    verify,
    view_for,
)
from engine import events as e
from engine.game import owner_of
from engine.houses import nearest_first, town_of
from engine.scoring import points_for
from tests.engine.simulation import Table, play, random_game, random_table, seed, tables

SEATS = range(4, 9)

HANDS: dict[int, tuple[str, ...]] = {1: ("man", "werewolf"), 2: ("thief", "woman")}
HOMES: dict[int, Mapping[str, str]] = {
    1: {"a": "man", "b": "werewolf", "treasure": "a"},
    2: {"a": "thief", "b": "woman", "treasure": "b"},
}
OTHERS = {"a": "man", "b": "woman", "treasure": "a"}


def setup(seats: int = 4, **given: Any) -> Setup:
    """Seat 1 is the wolf, with the treasure in house a; seat 2 the thief, with it in house b."""
    hands = {seat: HANDS.get(seat, ("man", "woman")) for seat in range(1, seats + 1)}
    homes = {seat: HOMES.get(seat, OTHERS) for seat in range(1, seats + 1)}
    return Setup(**{"book": "lupusburg", "seats": seats, "deal": hands, "houses": homes, "mayor": 1, **given})


def say(game: Game, seat: int, action: str, *answer: int | str) -> Game:
    return play(game, Answer(seat, action, answer), 0.0).game


def skip_to(game: Game, action: str) -> Game:
    """Let steps be skipped until somebody is asked for this."""
    while not any(prompt.action == action for prompt in choices(game)):
        game = play(game, Skip("host"), 0.0).game
    return game


# The deal ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", SEATS)
def test_werewolf_and_thief_are_never_dealt_to_one_seat(seats: int) -> None:
    again = 0
    for number in range(60):
        game = replay(start(Setup(book="lupusburg", seats=seats), seed(number), 0.0))
        hands = [Counter(card.card for card in seat.characters) for seat in game.seats]
        assert sum(hands, Counter()) == {"werewolf": 1, "thief": 1, "man": seats - 1, "woman": seats - 1}
        assert all(hand.total() == 2 for hand in hands)
        assert not any(hand["werewolf"] and hand["thief"] for hand in hands)
        again += len({tuple(hand) for hand in hands})
    assert again > 60, "deals differ"


@pytest.mark.parametrize("seats", SEATS)
def test_goals_come_from_a_pile_of_fifteen(seats: int) -> None:
    for number in range(20):
        town = town_of(replay(start(Setup(book="lupusburg", seats=seats), seed(number), 0.0)))
        assert set(Counter((*town.goals, *town.pile)).values()) == {3}
        assert len(town.goals) == seats


def test_any_seat_can_be_mayor_and_any_house_hide_the_treasure() -> None:
    games = [replay(start(Setup(book="lupusburg", seats=4), seed(number), 0.0)) for number in range(60)]
    assert {game.offices["mayor"] for game in games} == {1, 2, 3, 4}
    assert {seat.treasure for game in games for seat in game.seats} == {
        f"{n}{x}" for n in range(1, 5) for x in "ab"
    }


def test_each_seat_learns_its_own_treasure_and_goal_before_it_places_anybody() -> None:
    events = start(Setup(book="lupusburg", seats=5), seed(1), 0.0)
    dealt = [event for event in events if isinstance(event, e.HomeDealt)]
    assert [(event.seat, event.audience) for event in dealt] == [(seat, (seat,)) for seat in range(1, 6)]
    opened = next(index for index, event in enumerate(events) if isinstance(event, e.PlacingOpened))
    assert opened > events.index(dealt[-1])
    mine = view_for(replay(events), 3).mine
    assert mine is not None
    assert (mine.treasure, mine.goal, mine.homes) == (dealt[2].treasure, dealt[2].goal, ())


def test_a_line_seals_treasures_and_goals_as_they_were_dealt() -> None:
    """What is swapped later, and where characters live, changes nothing in it."""
    for table, house in tables("lupusburg", 6):
        events = [event for moment in random_game(table, house) for event in moment.events]
        (started,) = (event for event in events if isinstance(event, e.Started))
        (ended,) = (event for event in events if isinstance(event, e.Ended))
        verdict = verify(ended.line)
        assert verdict.honest
        assert verdict.fingerprint == started.fingerprint
        other = "both_dead" if "both_alive" in ended.line else "both_alive"
        goal = "both_alive" if "both_alive" in ended.line else "both_dead"
        if goal in ended.line:
            assert not verify(ended.line.replace(goal, other, 1)).honest


# Chance --------------------------------------------------------------------------------------------------


def test_a_wolf_who_names_nobody_kills_somebody_drawn() -> None:
    killed = set()
    for number in range(40):
        game = replay(start(setup(), seed(number), 0.0))
        events = play(game, Skip("host"), 0.0).events
        (fell,) = (event for event in events if isinstance(event, e.Fell))
        (drawn,) = (event for event in events if isinstance(event, e.Answered) and event.by_chance)
        assert [death.house for death in fell.deaths] == list(drawn.answer)
        killed.add(drawn.answer[0])
    assert killed == {"1a", "2a", "2b", "3a", "3b", "4a", "4b"}


def test_a_swap_draws_before_the_old_card_goes_back() -> None:
    goals = {1: "both_alive", 2: "both_dead", 3: "one_each", 4: "men_dead"}
    kept = 0
    for number in range(40):
        game = replay(start(setup(goals=goals), seed(number), 0.0))
        before = town_of(skip_to(game, "goal.swap"))
        moment = play(skip_to(game, "goal.swap"), Answer(1, "goal.swap", ("yes",)), 0.0)
        after = town_of(moment.game)
        (told,) = (event for event in moment.events if isinstance(event, e.GoalDrawn))
        assert told.audience == (1,)
        assert told.goal == after.goals[0]
        assert told.goal in before.pile
        assert Counter((*after.goals, *after.pile)) == Counter((*before.goals, *before.pile))
        assert (after.goals[1:], after.swapped, after.dealt) == (before.goals[1:], (1,), before.goals)
        kept += told.goal == "both_alive"
    assert 0 < kept < 20, "perhaps of the same kind, two of which are left of fourteen"


# Order ---------------------------------------------------------------------------------------------------


def test_equal_votes_are_decided_round_the_table() -> None:
    """B-7: from the house after the one killed last night; if nobody was killed, from the mayor's a."""
    game = replay(start(setup(mayor=3), seed(1), 0.0))
    assert nearest_first(game) == ("3a", "3b", "4a", "4b", "1a", "1b", "2a", "2b")
    for killed, order in (
        ("3a", ("3b", "4a", "4b", "1a", "1b", "2a", "2b", "3a")),
        ("3b", ("4a", "4b", "1a", "1b", "2a", "2b", "3a", "3b")),
    ):
        changed = replace(game, town=replace(town_of(game), killed=killed))
        assert nearest_first(changed) == order


# Secrets -------------------------------------------------------------------------------------------------

WORLDS: tuple[tuple[dict[int, tuple[str, ...]], str, str], ...] = (
    ({3: ("man", "werewolf"), 4: ("woman", "thief")}, "one_each", "men_dead"),
    ({3: ("woman", "thief"), 4: ("man", "werewolf")}, "men_dead", "one_each"),
    ({3: ("man", "man"), 4: ("woman", "werewolf"), 6: ("woman", "thief")}, "both_dead", "both_dead"),
)
"""Who seats 3, 4 and 6 may be, with the cards of house a first, and the goals of 3 and 4."""

OBSERVERS = (1, 2, 5)
"""Seats that were dealt and told the same in each of these worlds."""


def world(number: int) -> Game:
    hands, third, fourth = WORLDS[number]
    cards = {seat: hands.get(seat, ("woman", "man") if seat == 6 else ("man", "woman")) for seat in range(1, 7)}
    homes = {seat: {"a": pair[0], "b": pair[1], "treasure": "a"} for seat, pair in cards.items()}
    goals = {**dict.fromkeys(range(1, 7), "both_alive"), 3: third, 4: fourth}
    options = {"trap": True}
    given = Setup(book="lupusburg", seats=6, deal=cards, houses=homes, goals=goals, mayor=1, options=options)
    return replay(start(given, seed(7), 0.0))


SAID: dict[str, tuple[tuple[int | str, ...], ...]] = {
    "trap.set": (("2b",), ()),
    "wolf.kill": (("5a",), ("2a",)),
    "thief.look": (("1a",), ()),
    "trap.use": ((), ("yes",)),
    "goal.swap": (("yes",), ("yes",)),
    "mayor.peek": ((), (5,)),
    "mayor.inspect": (("2b",), ()),
    "mayor.show": (("1b",), ()),
    "peek.show": ((), ("5b",)),
    "mayor.broom": ((4,), (3,)),
    "broom.look": (("6a",), ("6b",)),
    "bet.place": ((), (6,)),
    "speech.end": (("yes",), ("yes",)),
    "vote.nominate": (("3a",), ("4a",)),
    "vote.verdict": (("3a",), ("4a",)),
}
"""What everybody says who is asked, on day 1 and on day 2."""


def transcript(game: Game, seat: int) -> Iterator[bytes]:
    """What the seat hears and sees of two days, the calls of the night answered at the same instants."""
    now = 0.0
    while game.day <= 2 and not game.over:
        now += 1
        waiting = [prompt for prompt in choices(game) if prompt.answer is None]
        command: Tick | Answer
        if waiting:
            prompt = min(waiting, key=lambda prompt: (prompt.action, prompt.seat))
            said = SAID[prompt.action][game.day - 1 if game.day else 0]
            answer = said if prompt.allows(said) else ()
            command = Answer(prompt.seat, prompt.action, answer)
        else:
            command, now = Tick(), due_at(game) or now
        happened = decide(game, command, now)
        assert not isinstance(happened, Refused), (command, happened)
        for event in happened:
            game = evolve(game, event)
            if hears(event.audience, seat) and event.audience != "nobody":
                yield dump_events((event,))
        yield repr(view_for(game, seat)).encode()


@pytest.mark.parametrize("seat", OBSERVERS)
def test_who_lives_where_is_seen_by_nobody_else(seat: int) -> None:
    """Law 6: two worlds that a seat is not entitled to tell apart give it the same bytes."""
    first, *others = (list(transcript(world(number), seat)) for number in range(len(WORLDS)))
    assert len(first) > 100
    assert all(other == first for other in others)


def test_dead_houses_are_named_in_their_order_wherever_their_people_were_dealt() -> None:
    for hands, homes in ((("man", "woman"), ("man", "woman")), (("woman", "man"), ("man", "woman"))):
        given = setup()
        deal = {**(given.deal or {}), 3: hands}
        house = {**given.houses, 3: {"a": homes[0], "b": homes[1], "treasure": "a"}}
        game = replay(start(setup(deal=deal, houses=house), seed(1), 0.0))
        events = play(game, Leave(3), 0.0).events
        (fell,) = (event for event in events if isinstance(event, e.Fell))
        assert [death.house for death in fell.deaths] == ["3a", "3b"]


def test_what_is_public_of_a_privilege_is_at_whom_not_what() -> None:
    game = skip_to(replay(start(setup(), seed(1), 0.0)), "mayor.inspect")
    house = next(prompt for prompt in choices(game) if prompt.action == "mayor.inspect").options[0]
    events = play(game, Answer(1, "mayor.inspect", (house,)), 0.0).events
    public: list[Event] = [event for event in events if event.audience == "everybody"]
    assert e.PrivilegeUsed("everybody", "mayor.inspect", 1, owner_of(house)) in public
    assert str(house).encode() not in dump_events(public)


# Points --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "characters", "points"),
    [
        ("both_alive", [("man", True), ("woman", True)], 2),
        ("both_alive", [("man", True), ("woman", False)], 0),
        ("both_dead", [("man", False), ("thief", False)], 6),
        ("both_dead", [("man", True), ("thief", False)], 0),
        ("one_each", [("werewolf", True), ("man", False)], 3),
        ("one_each", [("man", True), ("man", True)], 0),
        ("one_each", [("man", False), ("man", False)], 0),
        ("men_dead", [("man", False), ("man", False)], 4),
        ("men_dead", [("man", False), ("woman", True)], 3),
        ("men_dead", [("man", True), ("woman", False)], 0),
        ("men_dead", [("thief", False), ("woman", True)], 1),
        ("men_dead", [("werewolf", False), ("man", False)], 2),
        ("women_dead", [("woman", False), ("woman", False)], 4),
        ("women_dead", [("woman", False), ("man", True)], 3),
        ("women_dead", [("thief", False), ("werewolf", False)], 0),
    ],
)
def test_a_goal_is_worth(goal: str, characters: list[tuple[str, bool]], points: int) -> None:
    assert points_for(goal, characters, RULE_BOOKS["lupusburg"].options({})) == points


@pytest.mark.parametrize("seats", SEATS)
def test_the_sheet_of_a_random_game_adds_up(seats: int) -> None:
    for table, house in tables("lupusburg", seats):
        *_, last = random_game(table, house)
        result = last.game.over
        assert result is not None
        town = town_of(last.game)
        assert len(town.bets) + len(town.coins) == seats
        for points in result.sheet:
            parts = points.living + points.treasure + points.bet + points.goal_points + points.wolf
            assert points.total == parts
            if last.game.seat(points.seat).gone:
                assert points.total == 0
        ranked = [seat for seat in result.score if not last.game.seat(seat).gone]
        if result.camp == "draw" or not (ranked or result.winners):
            assert result.winners == ()
        elif not last.game.seat(result.winners[0]).gone:
            assert result.score[result.winners[0]] == max(result.score[seat] for seat in ranked)


# Matches -------------------------------------------------------------------------------------------------


def finished(**given: Any) -> Result:
    """A game whose wolf player leaves: both others' cards live, and each scores as its goal says."""
    goals = {1: "both_dead", 2: "both_dead", 3: "both_alive", 4: "both_alive"}
    game = replay(start(setup(**{"goals": goals, **given}), seed(3), 0.0))
    over = play(game, Leave(1), 0.0).game.over
    assert over is not None
    return over


def test_points_add_up_over_the_games_of_a_match() -> None:
    options = {"match_games": 2}
    first = finished(options=options, mayor=4)
    assert (first.number, first.score, first.totals) == (1, {1: 0, 2: 6, 3: 8, 4: 8}, (0, 6, 8, 8))
    assert (first.winners, first.champion) == ((4,), 0), "the match goes on"
    goals = dict.fromkeys(range(1, 5), "both_alive")
    second = finished(options=options, before=first, mayor=3, goals=goals)
    assert (second.number, second.totals) == (2, (0, 14, 16, 16))
    assert second.champion == 3, "of equal points the nearest to the last mayor (B-24)"


def test_a_single_game_has_a_champion_at_its_end() -> None:
    result = finished()
    assert result.champion == result.winners[0]


def test_the_mayor_rotates_where_the_table_wants_it() -> None:
    rotating = {"match_games": 3, "mayor": "rotate"}
    first = finished(options=rotating, mayor=4)
    for number in range(10):
        game = replay(start(setup(options=rotating, before=first, mayor=0), seed(number), 0.0))
        assert game.offices["mayor"] == 1
    drawn = {
        replay(start(setup(options={"match_games": 3}, before=first, mayor=0), seed(n), 0.0)).offices["mayor"]
        for n in range(30)
    }
    assert drawn == {1, 2, 3, 4}


def test_who_leaves_the_mayor_s_chair_before_the_end_is_not_the_mayor_of_the_result() -> None:
    assert finished(mayor=1).mayor == 2


def test_a_match_keeps_its_seats() -> None:
    options = {"match_games": 2, "shuffle_seats": True}
    first = finished(options=options)
    seatings = set()
    for number in range(10):
        events = start(setup(options=options, before=first), seed(number), 0.0)
        (started,) = (event for event in events if isinstance(event, e.Started))
        seatings.add(started.seating)
    assert seatings == {(1, 2, 3, 4)}


def test_a_draw_scores_nothing() -> None:
    game = replay(start(setup(options={"max_days": 1}), seed(1), 0.0))
    game = say(game, 1, "wolf.kill", "3a")
    while not game.over:
        game = play(game, Skip("host"), 0.0).game
    assert (game.over.camp, game.over.winners, set(game.over.score.values())) == ("draw", (), {0})


# The table -----------------------------------------------------------------------------------------------


def test_the_broom_leaves_once_and_is_said_to() -> None:
    for number in range(8):
        table = random_table("lupusburg", 7, f"broom.{number}")
        house_rules = Table(replace_setup(table.setup), table.seed)
        _, player = next(iter(tables("lupusburg", 7)))
        left = [
            event
            for moment in random_game(house_rules, player)
            for event in moment.events
            if isinstance(event, e.BroomLeft)
        ]
        assert len(left) <= 1


def replace_setup(given: Setup) -> Setup:
    return Setup(book=given.book, seats=given.seats)


def test_what_lies_on_the_table_is_seen_by_everybody() -> None:
    game = replay(start(setup(options={"trap": True}), seed(1), 0.0))
    game = say(game, 1, "trap.set", "3a")
    town = view_for(game, None).town
    assert town is not None
    assert (town.mayor, town.trap, town.trapped, town.coins, town.bets) == (1, True, "3a", (4, 3, 2, 2), ())
    game = say(game, 1, "wolf.kill", "3a")
    game = say(skip_to(game, "bet.place"), 1, "bet.place", 2)
    town = view_for(game, None).town
    assert town is not None
    assert (town.trapped, town.killed, town.coins) == ("", "", (3, 2, 2))
    assert [(bet.seat, bet.on, bet.coin) for bet in town.bets] == [(1, 2, 4)]
