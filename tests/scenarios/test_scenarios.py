"""The rule books as played games, and the language they are written in: above all, that it can fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from engine import RULE_BOOKS, Draw, Expel, Extend, Game, Leave, Refused, Setup, Skip, Warn, dump, replay, start
from tests.scenarios import runner, table
from tests.scenarios.__main__ import main
from tests.scenarios.expectations import CHECKS
from tests.scenarios.language import (
    EXPECTED,
    AllSay,
    GoesTo,
    Line,
    Orders,
    Refuses,
    Says,
    Unreadable,
    Waits,
    read_file,
    read_line,
    read_scenario,
)
from tests.scenarios.runner import fault_of, run_files
from tests.scenarios.table import Failed, living, setup_of

FILES = sorted(Path(__file__).parent.glob("*.yaml"))
ENTRIES = [(path.stem, entry) for path in FILES for entry in read_file(path)]

DEAL = {1: "werewolf", 2: "werewolf", 3: "seer", 4: "witch", 5: "hunter"}


def fault(*play: object, **changes: Any) -> str:
    """What the runner finds wrong with these lines in a game of eight."""
    return fault_of({"title": "t", "rules": "classic", "seats": 8, "deal": DEAL, "play": list(play), **changes})


# The books ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=f"{book}: {entry['title']}")
        for book, entry in ENTRIES
        if entry["rules"] in RULE_BOOKS and not entry.get("disputed")
    ],
)
def test_a_registered_book_is_kept_to(entry: Mapping[str, Any]) -> None:
    assert fault_of(entry) == ""


def test_a_book_that_is_not_registered_is_listed_and_not_run(tmp_path: Path) -> None:
    path = tmp_path / "hamlet.yaml"
    path.write_text("- {title: A game of another book, rules: hamlet, seats: 5, deal: {1: werewolf}, play: []}\n")
    said: list[str] = []
    assert run_files([path], said.append)
    assert said == [f"skip {path}: book hamlet is not registered", "0 passed, 0 failed"]


@pytest.mark.parametrize("entry", [pytest.param(entry, id=f"{book}: {entry['title']}") for book, entry in ENTRIES])
def test_the_language_has_words_for_every_book(entry: Mapping[str, Any]) -> None:
    assert read_scenario(entry).title == entry["title"]


# Expectations ---------------------------------------------------------------------------------------------

AT_DAWN = ("3 seer.check 1", "1,2 wolves.kill 5", "4 witch.heal pass", "4 witch.poison pass")
IN_THE_VOTE = (*AT_DAWN, "5 hunter.shoot pass", "all sheriff.vote 6")
AT_THE_END = ("1 leave", "2 leave")

SEEN_RIGHT_AND_WRONG: list[tuple[str, tuple[str, ...], object, object]] = [
    ("alive", AT_DAWN, [1, 2, 3, 4, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]),
    ("dead", AT_DAWN, [5], []),
    ("died", AT_DAWN, [5], [5, 6]),
    ("phase", AT_DAWN, "dawn", "talk"),
    ("day", AT_DAWN, 1, 2),
    ("may", AT_DAWN, {5: ["hunter.shoot"]}, {1: ["hunter.shoot"]}),
    ("may_not", AT_DAWN, {1: ["hunter.shoot"]}, {5: ["hunter.shoot"]}),
    ("knows", AT_DAWN, {3: {1: "werewolf"}}, {3: {1: "wolf"}}),
    ("knows", AT_DAWN, {4: {5: "attacked"}}, {4: {6: "attacked"}}),
    ("unaware", AT_DAWN, {6: [1, 2, 3, 4, 5]}, {3: [1]}),
    ("shown", AT_DAWN, {5: "hunter"}, {5: "seer"}),
    ("shown", AT_DAWN, {5: "hunter"}, {6: "villager"}),
    ("hidden", AT_DAWN, [1, 6], [5, 6]),
    ("hidden", AT_THE_END, [3, 4], [1]),
    ("sheriff", AT_DAWN, "none", 6),
    ("sheriff", IN_THE_VOTE, 6, "none"),
    ("weight", IN_THE_VOTE, {6: 2, 7: 1, 5: 0}, {6: 1}),
    ("weight", AT_DAWN, {6: 0}, {6: 1}),
    ("over", AT_DAWN, "no", "village"),
    ("over", AT_DAWN, False, "wolves"),
    ("over", AT_THE_END, "village", "no"),
    ("winners", AT_THE_END, [3, 4, 5, 6, 7, 8], [1, 3, 4, 5, 6, 7, 8]),
    ("legal", AT_DAWN, {"5 hunter.shoot": [8, 1, 2, 3, 4, 6, 7]}, {"5 hunter.shoot": [1, 2, 3, 4, 5, 6, 7, 8]}),
    ("legal", (), {"4 witch.poison": [1, 2, 3, 4, 5, 6, 7, 8]}, {"4 witch.poison": []}),
]


@pytest.mark.parametrize(("key", "play", "right", "wrong"), SEEN_RIGHT_AND_WRONG)
def test_what_is_seen_passes_and_what_is_not_fails(
    key: str, play: tuple[str, ...], right: object, wrong: object
) -> None:
    assert fault(*play, {"expect": {key: right}}) == ""
    failure = fault(*play, {"expect": {key: wrong}})
    assert failure.startswith(f"{key}: ")
    assert "expected " in failure
    assert ", seen " in failure
    assert failure.endswith(f"(seed 1, line {len(play) + 1} `expect`)")


def test_only_says_that_nothing_else_is_open() -> None:
    assert fault(*AT_DAWN, {"expect": {"may": {5: ["hunter.shoot"]}, "only": True}}) == ""
    failure = fault(*AT_DAWN, {"expect": {"may": {}, "only": True}})
    assert "may, only: expected {}, seen {5: ['hunter.shoot']}" in failure
    assert "may, only: " in fault({"expect": {"may": {3: ["seer.check"]}, "only": True}})


def test_several_facts_about_one_seat_are_all_asked_for() -> None:
    cupid = {"deal": {**DEAL, 6: "cupid"}, "options": {"lovers_know": "role"}}
    assert fault("6 cupid.link 1 3", {"expect": {"knows": {1: {3: ["lover", "seer"]}}}}, **cupid) == ""
    assert "knows: " in fault("6 cupid.link 1 3", {"expect": {"knows": {1: {3: ["lover", "witch"]}}}}, **cupid)


def test_died_counts_from_the_last_expect_that_has_it() -> None:
    died, dead = {"expect": {"died": [5]}}, {"expect": {"dead": [5]}}
    assert fault(*AT_DAWN, dead, died, {"expect": {"died": []}}) == ""
    assert fault(*AT_DAWN, died, "5 hunter.shoot 1", {"expect": {"died": [1], "dead": [1, 5]}}) == ""
    assert "died: expected [5], seen []" in fault(*AT_DAWN, died, died)


def test_legal_is_evaluated_last_and_waits() -> None:
    question = {"legal": {"4 witch.poison": [1, 2, 3, 4, 5, 6, 7, 8]}}
    assert fault({"expect": {**question, "may": {3: ["seer.check"]}}}) == ""
    assert fault({"expect": question}, {"expect": {"may_not": {3: ["seer.check"]}}}) == ""
    assert "legal: 6 seer.check to be asked, seen night 2" in fault({"expect": {"legal": {"6 seer.check": [1]}}})


def test_there_are_no_winners_and_no_score_before_the_end() -> None:
    assert "winners: expected [1], seen a game that is not over" in fault({"expect": {"winners": [1]}})
    assert "score: expected {1: 7}, seen a game that is not over" in fault({"expect": {"score": {1: 7}}})


def test_every_key_has_its_check() -> None:
    assert set(CHECKS) | {"only"} == set(EXPECTED)


def two_houses(*alive: bool) -> Any:
    """A table of the book with two characters a seat, as far as a check looks at it."""
    houses = [
        SimpleNamespace(name=name, alive=lives, cards=() if lives else ("man",))
        for name, lives in zip(("1a", "1b"), alive, strict=True)
    ]
    view = SimpleNamespace(
        seats=(SimpleNamespace(number=1, houses=houses),),
        suspects=("1b", "4a"),
        result=SimpleNamespace(camp="lynched", winners=(1,), score={1: 7, 2: 3}),
    )
    return SimpleNamespace(view=view, by_house=True, died={"1b"})


@pytest.mark.parametrize(
    ("key", "right", "wrong"),
    [
        ("alive", ["1a"], ["1a", "1b"]),
        ("dead", ["1b"], []),
        ("died", ["1b"], ["1a"]),
        ("shown", {"1b": "man"}, {"1a": "man"}),
        ("hidden", ["1a"], ["1b"]),
        ("suspects", ["1b", "4a"], ["4a", "1b"]),
        ("score", {1: 7}, {1: 6}),
        ("score", {1: 7, 2: 3}, {3: 0}),
        ("over", "lynched", "wolf"),
    ],
)
def test_characters_suspects_and_scores_are_compared_too(key: str, right: object, wrong: object) -> None:
    CHECKS[key](two_houses(True, False), right)
    with pytest.raises(Failed, match=f"{key}: expected .*, seen "):
        CHECKS[key](two_houses(True, False), wrong)


def test_what_the_engine_does_not_show_is_named() -> None:
    bare: Any = SimpleNamespace(view=SimpleNamespace(result=SimpleNamespace(), seats=(SimpleNamespace(),)))
    with pytest.raises(Failed, match="the engine shows no `suspects` in SimpleNamespace"):
        CHECKS["suspects"](bare, [1, 2])
    with pytest.raises(Failed, match="the engine shows no `score` in SimpleNamespace"):
        CHECKS["score"](bare, {1: 7})
    with pytest.raises(Failed, match="the engine shows no `houses` in SimpleNamespace"):
        living(bare.view, by_house=True)


# Lines ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("play", "message"),
    [
        (["3 seer.check 3"], "expected to be accepted, seen refused: self (seed 1, line 1 `3 seer.check 3`)"),
        (["6 seer.check 1"], "expected 6 seer.check to be asked, seen night 2 come round"),
        (["3 seer.check 1", "3 seer.check 2"], "expected 3 seer.check to be asked, seen night 2 come round"),
        ([*AT_THE_END, "3 talk.ready yes"], "expected 3 talk.ready to be asked, seen the end of the game"),
        (["1,6 wolves.kill 8"], "expected 6 wolves.kill to be asked, seen night 2 come round"),
        (["all vote.lynch 9"], "expected vote.lynch 9 to be legal for somebody, seen night 2 come round"),
        (["all vote.nominate pass"], "expected vote.nominate pass to be legal for somebody, seen night 2"),
        ([*AT_THE_END, "all vote.lynch 3"], "to be legal for somebody, seen the end of the game"),
        (["9 leave"], "expected to be accepted, seen refused: no_seat"),
        (["3 leave", "3 leave"], "expected to be accepted, seen refused: dead"),
        (["host draw"], "expected to be accepted, seen refused: not_offered"),
        (["3 skip"], "expected to be accepted, seen refused: not_offered"),
        (["3 extend 10"], "expected to be accepted, seen refused: not_offered"),
        (["host extend 0"], "expected to be accepted, seen refused: seconds"),
        (["host warn 9"], "expected to be accepted, seen refused: no_seat"),
        (["host expel 9 sentence"], "expected to be accepted, seen refused: no_seat"),
        ([*AT_THE_END, "host skip"], "expected to be accepted, seen refused: over"),
        (["! 3 seer.check 1"], "expected to be refused, seen accepted (seed 1, line 1 `! 3 seer.check 1`)"),
        (["! 6,3 seer.check 1"], "expected to be refused, seen accepted"),
        (["! 3 leave"], "expected to be refused, seen accepted"),
        (["! host skip"], "expected to be refused, seen accepted"),
        ([*AT_THE_END, "wait"], "expected something to be due, seen nothing"),
        ([*AT_THE_END, "to vote 1"], "expected vote 1, seen the end of the game on day 1"),
        ([*AT_THE_END, "to day 1"], "expected day 1, seen the end of the game on day 1"),
        (["to over"], "expected over, seen 200 deadlines pass"),
        (["to night 900"], "expected night 900, seen 200 deadlines pass"),
    ],
)
def test_a_line_that_cannot_be_played_fails(play: list[str], message: str) -> None:
    assert message in fault(*play)


def test_a_refusal_that_changes_something_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    dumps = iter((b"before", b"after"))
    monkeypatch.setattr(table, "dump", lambda game: next(dumps))
    assert "expected a refusal that changes nothing, seen another state" in fault("! 6 seer.check 1")


def test_a_game_that_does_not_come_back_from_its_bytes_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    another = replay(start(Setup(book="classic", seats=8), bytes(32), 0.0))
    monkeypatch.setattr(table, "load", lambda stored: another)
    assert "expected the stored game to come back the same, seen another (seed 1, the end)" in fault("wait")


@pytest.mark.parametrize("outcome", [(), Refused("over")])
def test_a_clock_that_rings_for_nothing_fails(monkeypatch: pytest.MonkeyPatch, outcome: object) -> None:
    monkeypatch.setattr(table, "decide", lambda game, command, now: outcome)
    assert "expected something to happen when it is due, seen " in fault("wait")


def test_an_engine_that_breaks_down_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(game: Game, command: object, now: float) -> None:
        raise RuntimeError("no\nway")

    monkeypatch.setattr(table, "decide", break_down)
    assert fault("3 seer.check 1") == "RuntimeError: no way (seed 1, line 1 `3 seer.check 1`)"


def test_what_depends_on_chance_fails_with_one_of_the_seeds() -> None:
    play = ("to talk 1", {"expect": {"may": {1: ["speech.end"]}}})
    assert "may: expected 1 to be asked ['speech.end']" in fault(*play, options={"speech": "turns"})


def test_options_that_the_book_does_not_have_fail() -> None:
    assert "OptionRefused: house_rules: unknown (seed 1, the deal)" in fault("wait", options={"house_rules": 1})


# The clock ------------------------------------------------------------------------------------------------


def test_wait_skips_the_end_of_a_simulated_call_that_changes_nothing() -> None:
    deal = {1: "werewolf", 2: "werewolf", 3: "seer", 4: "guard"}
    play = ("3 leave", "4 leave", "1,2 wolves.kill pass", "to night 2", "1 wolves.kill 8")
    silent = {"expect": {"phase": "talk", "day": 2, "died": [3, 4, 8]}}
    assert fault(*play, "wait", silent, deal=deal, options={"sheriff": False}) == ""


def test_wait_stops_where_only_the_open_prompts_change() -> None:
    deal = {1: "werewolf", 5: "little_girl"}
    still = {"expect": {"phase": "night", "may": {1: ["wolves.kill"]}, "only": True}}
    assert fault("wait", still, "wait", {"expect": {"phase": "talk"}}, deal=deal) == ""


def test_going_where_the_game_already_is_or_was_takes_no_time() -> None:
    at_dawn = {"expect": {"phase": "dawn", "day": 1}}
    assert fault(*AT_DAWN, "to dawn 1", "to day 1", "to night 1", at_dawn) == ""


def test_a_day_has_come_with_the_naming_of_the_dead_even_if_that_ends_the_game() -> None:
    play = (*(f"{seat} leave" for seat in range(3, 8)), "2 leave", "1 wolves.kill 8")
    assert fault(*play, "to day 1", "to dawn 1", "to over", {"expect": {"over": "wolves"}}) == ""


def test_a_skipped_phase_counts_as_passed() -> None:
    assert fault("to election 1", {"expect": {"phase": "vote"}}, options={"sheriff": False}) == ""


def test_all_leaves_those_unanswered_for_whom_it_is_illegal() -> None:
    play = (*IN_THE_VOTE, "all vote.lynch 7", {"expect": {"phase": "vote", "may": {7: ["vote.lynch"]}}})
    assert fault(*play, "7 vote.lynch pass", {"expect": {"phase": "night", "dead": [5, 7]}}) == ""


def test_all_stops_where_the_ballot_closes_and_another_opens_within_the_loop() -> None:
    votes = ("4,6,7 sheriff.vote 4", "8 sheriff.vote pass", "all sheriff.vote 1")
    tied = {"expect": {"phase": "election", "may": {4: ["sheriff.vote"], 1: ["sheriff.vote"]}}}
    outcome = {"expect": {"phase": "vote", "sheriff": "none"}}
    assert fault(*AT_DAWN, "5 hunter.shoot pass", *votes, tied, "wait", outcome) == ""


# Reading --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "record"),
    [
        ("3 seer.check 1", Says((3,), "seer.check", (1,))),
        ("1,2 wolves.kill 6", Says((1, 2), "wolves.kill", (6,))),
        ("6 cupid.link 1 5", Says((6,), "cupid.link", (1, 5))),
        ("4 witch.heal pass", Says((4,), "witch.heal", ())),
        ("7 thief.take werewolf", Says((7,), "thief.take", ("werewolf",))),
        ("2 wolf.kill 3a", Says((2,), "wolf.kill", ("3a",))),
        ("1 house.place man,werewolf", Says((1,), "house.place", ("man,werewolf",))),
        ("2 vote.verdict 1b 4a", Says((2,), "vote.verdict", ("1b", "4a"))),
        ("2 vote.verdict 1b 1b", Says((2,), "vote.verdict", ("1b",))),
        ("all vote.lynch 5", AllSay("vote.lynch", (5,))),
        ("all vote.verdict 1b", AllSay("vote.verdict", ("1b",))),
        ("! 6 vote.lynch 6", Refuses(Says((6,), "vote.lynch", (6,)))),
        ("! host skip", Refuses(Orders(Skip("host")))),
        ("wait", Waits()),
        ("to vote 2", GoesTo("vote", 2)),
        ("to day 1", GoesTo("day", 1)),
        ("to over", GoesTo("over", 0)),
        ("5 leave", Orders(Leave(5))),
        ("host skip", Orders(Skip("host"))),
        ("5 skip", Orders(Skip(5))),
        ("host extend 30", Orders(Extend("host", 30))),
        ("5 extend 30", Orders(Extend(5, 30))),
        ("host warn 5", Orders(Warn("host", 5))),
        ("host warn 5 oath", Orders(Warn("host", 5, "oath"))),
        ("host expel 5", Orders(Expel("host", 5))),
        ("host expel 5 sentence", Orders(Expel("host", 5, "sentence"))),
        ("host draw", Orders(Draw("host"))),
    ],
)
def test_a_line_is_read(line: str, record: Line) -> None:
    assert read_line(line, "classic") == record


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "not a line"),
        ("3 seer", "not a line"),
        ("host leave", "not a line"),
        ("host warn five", "not a line"),
        ("! wait", "not a line"),
        ("! ! 3 seer.check 1", "not a line"),
        ("wait 3", "not a line"),
        ("to vote", "not a line"),
        ("to swap 1", "swap is no phase of classic"),
        ("x,2 wolves.kill 1", "not seats: x,2"),
        ("3 seer.check", "no answer to seer.check"),
        ("all vote.lynch", "no answer to vote.lynch"),
        ("9 scapegoat.allow 3 pass", "`pass` stands alone"),
        (7, "not a line: 7"),
        ({"expects": {"day": 1}}, "not a line"),
        ({"expect": {}}, "not a line"),
        ({"expect": {"day": 1}, "wait": 1}, "not a line"),
        ({"expect": {"deaths": [1]}}, "unknown key of expect: deaths"),
        ({"expect": {"dead": 1}}, "not what `dead` takes: 1"),
        ({"expect": {"over": None}}, "not what `over` takes: None"),
        ({"expect": {"only": True}}, "`only` without `may`"),
        ({"expect": {"legal": {"vote.lynch": [1]}}}, "not a seat and an action: vote.lynch"),
    ],
)
def test_what_is_not_of_the_language_fails_before_anything_is_played(line: object, message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        read_line(line, "classic")
    assert "cannot be read: " in fault("wait", line)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"deel": {}}, "cannot be read: unknown key: deel"),
        ({"rules": "poker"}, "cannot be read: no phases are known of the book poker"),
    ],
)
def test_what_is_no_scenario_fails(changes: dict[str, Any], message: str) -> None:
    assert fault("wait", **changes) == message


def test_a_scenario_has_rules_seats_a_deal_and_a_play() -> None:
    assert fault_of({"title": "t", "rules": "classic"}) == "cannot be read: missing key: seats, deal, play"


@dataclass
class Houses:
    """A setup of another book."""

    book: str
    deal: Mapping[int, tuple[str, ...]]
    houses: Mapping[int, Mapping[str, str]]


def test_what_a_scenario_lays_down_goes_to_the_setup_by_its_name() -> None:
    given: dict[str, Any] = {"book": "b", "deal": {1: ("man", "woman")}, "houses": {1: {"treasure": "a"}}}
    kind: Any = Houses
    made: Any = setup_of(given, kind)
    assert made == Houses(**given)
    with pytest.raises(Failed, match="the engine's Setup takes no `mayor`"):
        setup_of({**given, "mayor": 1}, kind)


def test_two_cards_a_seat_and_everything_else_laid_down_are_read() -> None:
    laid_down = {"houses": {1: {"treasure": "a"}}, "goals": {1: "both_alive"}, "mayor": 1, "sage": 2, "welcome": 3}
    entry = {
        "title": "t",
        "rules": "lupusburg",
        "seats": 4,
        "deal": {1: ["man", "thief"]},
        "play": [],
        **laid_down,
    }
    scenario = read_scenario(entry)
    assert scenario.by_house
    assert scenario.given == {
        "book": "lupusburg",
        "seats": 4,
        "deal": {1: ("man", "thief")},
        "options": {},
        "centre": (),
        **laid_down,
    }


# Reporting ------------------------------------------------------------------------------------------------


def written(path: Path, *entries: dict[str, Any]) -> str:
    """A file with these scenarios."""
    whole = [{"rules": "classic", "seats": 8, "deal": DEAL, "play": ["wait"], **entry} for entry in entries]
    path.write_text(yaml.safe_dump(whole), encoding="utf-8")
    return str(path)


def test_each_scenario_has_its_line_and_a_failure_its_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(
        tmp_path / "own.yaml",
        {"title": "Right"},
        {"title": "Wrong", "play": ["3 seer.check 3"]},
        {"title": "Doubtful", "play": ["3 seer.check 3"], "disputed": "the book says otherwise"},
        {"title": "Right"},
    )
    assert main([file]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "ok   Right",
        "FAIL Wrong: expected to be accepted, seen refused: self (seed 1, line 1 `3 seer.check 3`)",
        "disp Doubtful",
        "FAIL Right: another scenario of the file has this title",
        "1 passed, 2 failed",
    ]


def test_without_a_failure_the_exit_code_is_nought(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = written(tmp_path / "a.yaml", {"title": "Right"}, {"title": "Doubtful", "disputed": "why"})
    second = written(tmp_path / "b.yaml", {"title": "Right"})
    assert main([first, second]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "ok   Right",
        "disp Doubtful",
        "ok   Right",
        "2 passed, 0 failed",
    ]


def test_a_book_that_is_not_in_the_register_is_skipped_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "RULE_BOOKS", {})
    file = written(tmp_path / "a.yaml", {"title": "One"}, {"title": "Two"})
    assert main([file]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"skip {file}: book classic is not registered",
        "0 passed, 0 failed",
    ]


@pytest.mark.parametrize("text", ["{title: t}", "- wait", "- rules: classic", "[", "\0"])
def test_a_file_that_cannot_be_read_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(text, encoding="utf-8")
    assert main([str(path), str(tmp_path / "missing.yaml")]) == 1
    broken, missing, numbers = capsys.readouterr().out.splitlines()
    assert broken.startswith(f"FAIL {path}: cannot be read: ")
    assert missing.startswith("FAIL ")
    assert numbers == "0 passed, 2 failed"


def test_a_seed_gives_the_same_game_every_time() -> None:
    games = [table.Table(read_scenario(ENTRIES[0][1]).given, False, runner.SEEDS[0]).game for _ in range(2)]
    assert dump(games[0]) == dump(games[1])
    assert len(set(runner.SEEDS)) == 5
