"""`nightfall simulate`: house players play by what they may know, and their games are the same again."""

from __future__ import annotations

import inspect
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from engine import RULE_BOOKS, DeckRefused, Setup, replay, start, view_for
from engine import events as e
from engine.rights import RIGHTS
from engine.roles import ABILITIES
from handlers.cli import main
from handlers.house.figures import Tally, mean, median, tallies, wilson
from handlers.house.players import sight
from handlers.house.players.board import Board, Finding, Speech
from handlers.house.players.sensible import POLICIES, WHATEVER, Sensible
from handlers.house.report import as_data
from handlers.house.run import Order, outcomes, play
from handlers.house.table import Course


@lru_cache
def courses(by_chance: bool = False) -> tuple[Course, ...]:
    """Thirty games of twelve seats."""
    order = Order("classic", (12,), 30, seed=7, random=by_chance)
    return tuple(play(order, 12, number) for number in range(order.games))


def dealt(course: Course) -> dict[int, str]:
    """The card of each seat."""
    return {event.seat: event.cards[0] for event in course.events if isinstance(event, e.CardDealt)}


def lynched(course: Course) -> Iterator[tuple[int, int]]:
    """The day of each lynching, and who it was."""
    for event in course.events:
        if isinstance(event, e.Fell) and event.occasion == "lynch":
            yield from ((event.day, death.seat) for death in event.deaths)


def share_of_wolves_lynched(by_chance: bool) -> float:
    deaths = [dealt(course)[seat] == "werewolf" for course in courses(by_chance) for _, seat in lynched(course)]
    return sum(deaths) / len(deaths)


# Games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by_chance", [False, True], ids=["sensible", "random"])
@pytest.mark.parametrize("book", RULE_BOOKS)
def test_every_book_is_played_to_its_end(book: str, by_chance: bool) -> None:
    """A refused answer, or a game without an end, raises."""
    rules = RULE_BOOKS[book]
    for seats in {rules.fewest, (rules.fewest + rules.most) // 2, rules.most}:
        course = play(Order(book, (seats,), 1, seed=3, random=by_chance), seats, 0)
        assert course.days >= 1
        assert course.commands > seats
        assert len(course.result.fates) == seats


@pytest.mark.parametrize(
    "options",
    [
        {
            "speech": "turns",
            "tie": "runoff",
            "ballots": "open",
            "badge": "must",
            "last_words": ["wolves", "lynch"],
        },
        {"reveal_on_death": False, "hunter_shoots_when": "any", "wolves_win": "parity"},
        {"abstain": False, "wolves_may_pass": False, "wolves_may_attack_wolves": False, "seer_sees": "camp"},
    ],
)
def test_with_other_options_too(options: dict[str, object]) -> None:
    order = Order("classic", (14,), 4, seed=5, options=options, deck={"little_girl": 1})
    for number in range(order.games):
        assert play(order, 14, number).days >= 1


def test_the_same_seed_gives_the_same_figures_however_many_processes() -> None:
    order = Order("classic", (8, 9), 21, seed=11)
    alone, together = (as_data(order, tallies(outcomes(order, processes))) for processes in (1, 2))
    assert alone == together
    other = Order("classic", (9,), 10, seed=12)
    first = Order("classic", (9,), 10, seed=11)
    assert tallies(outcomes(other, 1)) != tallies(outcomes(first, 1))


def test_a_deck_makes_room_among_the_villagers() -> None:
    setup = Order("classic", (8,), 1, seed=1, deck={"guard": 1, "witch": 0}).setup(8)
    assert setup.deck == {"werewolf": 2, "seer": 1, "hunter": 1, "guard": 1, "villager": 3}
    with pytest.raises(DeckRefused):
        Order("classic", (8,), 1, seed=1, deck={"werewolf": 5}).check()


# What sensible players do ---------------------------------------------------------------------------------


def test_wolves_name_no_wolf_and_agree() -> None:
    """Only a wolf in love across the camps may turn on his own, when nobody else is left."""
    nights = 0
    for course in courses():
        cards, lovers = dealt(course), set[int]()
        for event in course.events:
            if isinstance(event, e.Linked):
                lovers = set(event.lovers)
            if isinstance(event, e.Answered) and event.action == "wolves.kill" and event.answer:
                (target,) = event.answer
                assert isinstance(target, int)
                wolf_names_wolf = cards[event.seat] == cards[target] == "werewolf"
                assert not wolf_names_wolf or event.seat in lovers
                assert target not in lovers or event.seat not in lovers
        answers = [ev.intents for ev in course.events if isinstance(ev, e.Gathered)]
        for intents in answers:
            named = {intent.answer for intent in intents if intent.action == "wolves.kill"}
            nights += len(named) > 0
            assert len(named) <= 1 or lovers & {seat for seat, card in cards.items() if card == "werewolf"}
    assert nights > 60


def test_a_wolf_found_by_a_seer_is_lynched_more_often_than_chance_would() -> None:
    """The day after the seer has found a wolf he says so, and that day the village mostly follows him."""
    found = followed = 0
    for course in courses():
        cards = dealt(course)
        by_day = dict(lynched(course))
        alive = set(cards)
        told: dict[int, int] = {}
        for event in course.events:
            if isinstance(event, e.Told) and event.occasion == "seer.check":
                told |= {event.facts[0].day: int(event.facts[0].about)}
            if isinstance(event, e.Fell):
                alive -= {death.seat for death in event.deaths}
            if isinstance(event, e.TalkOpened):
                day = max(told, default=0)
                seer = next(seat for seat, card in cards.items() if card == "seer")
                target = told.get(day, 0)
                if seer in alive and target in alive and cards[target] == "werewolf":
                    found += 1
                    followed += by_day.get(day) == target
                told.clear()
    assert found >= 12
    assert followed / found > 0.6


def test_sensible_villages_lynch_more_wolves_than_random_ones() -> None:
    by_reason, by_chance = share_of_wolves_lynched(by_chance=False), share_of_wolves_lynched(by_chance=True)
    assert by_reason > 0.4
    assert by_chance < 0.35


def poisoned(by_chance: bool) -> Counter[str]:
    return Counter(
        dealt(course)[fate.seat]
        for course in courses(by_chance)
        for fate in course.result.fates
        if fate.fate == "poison"
    )


def test_the_witch_does_not_poison_blindly() -> None:
    """She does so seldom, and knows whom; a random one poisons anybody."""
    by_reason, by_chance = poisoned(by_chance=False), poisoned(by_chance=True)
    assert by_reason["werewolf"] >= 2
    assert by_reason["werewolf"] / by_reason.total() > 0.8
    assert by_chance["werewolf"] / by_chance.total() < 0.6
    assert by_chance.total() > by_reason.total()


def test_only_wolves_claim_what_they_are_not() -> None:
    false = 0
    for course in courses():
        ends = {fate.seat: fate.roles[0] for fate in course.result.fates}
        for seat, role in course.board.claims.items():
            if ends[seat] != role:
                false += 1
                assert ends[seat] == "werewolf"
    assert false > 8


def test_random_players_say_nothing() -> None:
    assert not any(course.board.claims or course.board.findings for course in courses(by_chance=True))


# What they can see ----------------------------------------------------------------------------------------


def test_the_players_are_handed_types_and_events_only() -> None:
    """Of the engine's functions none is within their reach, so neither is a game."""
    handed = {name: getattr(sight, name) for name in sight.__all__}
    functions = {name for name, value in handed.items() if inspect.isfunction(value)}
    assert functions == {"is_wolf", "owner_of"}
    assert "Game" not in handed


def test_the_board_hears_what_everybody_hears() -> None:
    board = Board()
    dead = (e.Death(3),)
    board.hear([e.Fell((1, 2), "night", dead, 1), e.Fell("nobody", "night", dead, 1)])
    assert board.night_dead == set()
    board.hear([e.Fell("everybody", "night", dead, 1)])
    assert board.night_dead == {3}


def test_a_role_is_claimed_once_and_the_last_accusation_counts() -> None:
    board = Board()
    finding = Finding(1, 4, wolf=True)
    board.say(1, Speech("seer", (finding,), accuses=4))
    board.say(1, Speech("witch", (finding,), accuses=5))
    board.say(2, Speech(accuses=5))
    board.say(2, Speech())
    assert board.claims == {1: "seer"}
    assert board.findings == [finding]
    assert (board.accusers(4), board.accusers(5)) == (0, 1)


def test_every_action_has_a_policy_or_wants_none() -> None:
    actions = {*ABILITIES, *RIGHTS}
    assert actions - set(POLICIES) - WHATEVER == set()
    assert set(POLICIES) & WHATEVER == set()


def test_an_action_that_no_policy_knows_gets_a_legal_answer() -> None:
    view = view_for(replay(start(Setup(book="classic", seats=8), bytes(32), 0.0)), 1)
    player = Sensible(random.Random(1))
    loaves = ("rye", "oat", "corn")
    prompt = sight.Prompt(1, "baker.bake", loaves, 1, 2, optional=True, deadline=9.0, serial=1, answer=None)
    answers = {player.answer(view, Board(), prompt) for _ in range(60)}
    assert () in answers
    assert all(answer is not None and prompt.allows(answer) for answer in answers)


# Figures --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (81, 263, 0.2553, 0.3662),
        (0, 0, 0, 1),
    ],
)
def test_wilson_intervals(wins: int, games: int, low: float, high: float) -> None:
    """81 of 263: Newcombe (1998), table I; the others follow from z²/(n+z²)."""
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


def test_means_and_medians() -> None:
    assert mean(Counter({2: 3, 6: 1})) == 3
    assert median(Counter({2: 3, 6: 1})) == 2
    assert median(Counter({2: 1, 6: 2})) == 6
    assert mean(Tally(8).days) == 0


# The command ----------------------------------------------------------------------------------------------


def test_text_and_json_tell_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    typed = ["simulate", "--seats", "8-9", "--games", "6", "--seed", "3", "--processes", "1", "--random"]
    assert main(typed) == 0
    text = capsys.readouterr().out
    assert main([*typed, "--json"]) == 0
    said = capsys.readouterr()
    data = json.loads(said.out)
    assert said.err == "", "no bar where nobody looks"
    assert set(data) == {"book", "players", "seed", "options", "deck", "tables", "speed"}
    assert [table["seats"] for table in data["tables"]] == [8, 9]
    for table in data["tables"]:
        assert set(table) == {"seats", "games", "camps", "roles", "days", "commands", "clock_s"}
        assert sum(camp["wins"] for camp in table["camps"].values()) == table["games"] == 6
        assert sum(role["played"] for role in table["roles"].values()) == 6 * table["seats"]
        for name, camp in table["camps"].items():
            assert camp["low"] <= camp["share"] <= camp["high"]
            assert f"{name:<12}{camp['wins']:>7}" in text
    assert "games a second" in text


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (["--seats", "7"], "seats"),
        (["--seats", "8", "--option", "moon=full"], "moon"),
        (["--seats", "8", "--option", "vote_s=1"], "vote_s"),
        (["--seats", "8", "--deck", "werewolf=7"], "werewolf"),
    ],
)
def test_what_the_book_does_not_deal_is_refused(
    typed: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "--games", "1", *typed]) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert said.out == ""


@pytest.mark.parametrize("typed", [["--seats", "9-8"], ["--seats", "x"], [], ["--seats", "8", "--games", "0"]])
def test_what_is_typed_wrong_ends_with_the_usage(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", *typed])
    assert "usage: nightfall simulate" in capsys.readouterr().err


def test_a_plot_without_its_library_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["simulate", "--seats", "8", "--games", "100000", "--plot", str(tmp_path / "x.png")]) == 2
    assert "make plot" in capsys.readouterr().err


def test_a_plot_is_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "rates.png"
    assert main(["simulate", "--seats", "8-9", "--games", "4", "--processes", "1", "--plot", str(path)]) == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().err == ""
