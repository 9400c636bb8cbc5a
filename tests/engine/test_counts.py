"""Small tables counted out: every line of one night and one day (the chess player's `perft`).

A line is a sequence of answers. At each point the first question in `choices` order that has no answer yet is
answered, once, in each way it lists: every selection of its options, and declining where that is legal. Nobody
is silent, nobody changes his mind. Where no question waits, the clock moves to the next instant at which
something is due. A line ends with the game or with the second nightfall. The commands take no time.

`lines` counts the lines, `ends` the different states (byte by byte) they lead to. The numbers are a record of
the rules: a change of either one is a change of what players may do. Some are worked out by hand below.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import pytest

from engine import Answer, Command, Game, Setup, Tick, choices, due_at, dump
from tests.engine.simulation import Table, every_answer, play


class Count(NamedTuple):
    """How many lines there are, and how many different ends."""

    lines: int
    ends: int


def count(deal: tuple[str, ...], centre: tuple[str, ...] = (), **options: Any) -> Count:
    """Count a table out. Equal states go on equally, so each is followed once."""
    setup = Setup(
        book="classic",
        seats=len(deal),
        deal=dict(enumerate(deal, start=1)),
        centre=centre,
        options={"sheriff": False, **options},
    )
    first = Table(setup, bytes(32)).begin()
    known: dict[bytes, int] = {}
    ends: set[bytes] = set()

    def lines_from(game: Game, now: float) -> int:
        state = dump(game)
        if state not in known:
            if game.over or game.day > 1:
                ends.add(state)
                known[state] = 1
            else:
                after = (play(game, command, at) for command, at in next_commands(game, now))
                known[state] = sum(lines_from(moment.game, moment.now) for moment in after)
        return known[state]

    return Count(lines_from(first.game, first.now), len(ends))


def next_commands(game: Game, now: float) -> list[tuple[Command, float]]:
    for prompt in choices(game):
        if prompt.answer is None and prompt.deadline > now:
            return [(Answer(prompt.seat, prompt.action, answer), now) for answer in every_answer(prompt)]
    due = due_at(game)
    assert due is not None
    return [(Tick(), due)]


SEER = ("werewolf", "seer", "villager", "villager")
WITCH_AND_HUNTER = ("werewolf", "witch", "hunter", "villager")
GUARD = ("werewolf", "guard", "villager", "villager")
CUPID = ("werewolf", "cupid", "villager", "villager")
GIRL = ("werewolf", "little_girl", "villager", "villager")
THIEF = ("werewolf", "thief", "villager", "villager")
TWO_WOLVES = ("werewolf", "werewolf", "seer", "villager")

TABLES: dict[str, tuple[Callable[[], Count], Count]] = {
    "seer": (lambda: count(SEER), Count(1_352, 72)),
    "seer, sheriff": (lambda: count(SEER, sheriff=True), Count(55_052_204, 636)),
    "seer, run-off": (lambda: count(SEER, tie="runoff", wolves_may_pass=False), Count(34_396, 484)),
    "witch and hunter": (lambda: count(WITCH_AND_HUNTER), Count(2_596, 198)),
    "witch and hunter, one potion": (
        lambda: count(WITCH_AND_HUNTER, witch_potions_per_night=1),
        Count(2_188, 130),
    ),
    "witch and hunter, sheriff, no passing": (
        lambda: count(WITCH_AND_HUNTER, sheriff=True, badge="must", abstain=False, wolves_may_pass=False),
        Count(3_789_165, 863),
    ),
    "guard": (lambda: count(GUARD), Count(2_632, 97)),
    "cupid": (lambda: count(CUPID), Count(1_005, 93)),
    "cupid, sheriff": (lambda: count(CUPID, sheriff=True), Count(46_375_539, 717)),
    "little girl, always noticed": (lambda: count(GIRL, girl_noticed=1), Count(811, 40)),
    "little girl, never noticed": (lambda: count(GIRL, girl_noticed=0), Count(676, 36)),
    "thief, seer in the centre": (lambda: count(THIEF, ("seer", "villager")), Count(2_028, 108)),
    "thief, two wolves in the centre": (lambda: count(THIEF, ("werewolf", "werewolf")), Count(2_736, 109)),
    "two wolves": (lambda: count(TWO_WOLVES), Count(10_944, 436)),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_counted_out(name: str) -> None:
    counted, expected = TABLES[name]
    assert counted() == expected


# By hand -------------------------------------------------------------------------------------------------
# A free ballot of n living seats has n ** n lines: each names one of n - 1 others or abstains. Nobody else is
# asked anything by day, unless a hunter or a sheriff falls; readiness for the vote has one answer.


def test_the_seer_table_by_hand() -> None:
    """The seer has 3 + 1 answers, the wolf 4 + 1: nobody, himself (the village wins at once), three others."""
    assert TABLES["seer"][1].lines == 4 * (4**4 + 1 + 3 * 3**3)


def test_the_guard_table_by_hand() -> None:
    """Where guard and wolf name the same seat, or the wolf nobody, all four vote; one dead, three do."""
    nobody = 5 * 4**4
    another = 3 * (4**4 + 4 * 3**3)
    himself = 4**4 + 4 * 1
    assert TABLES["guard"][1].lines == nobody + another + himself


def test_the_cupid_table_by_hand() -> None:
    """Lovers have one seat less to vote for, and one death takes both."""
    with_the_wolf = 3 * 3 * 4 * 4 + 1 + 1 + 2 * (2 * 2 * 3)
    without = 3 * 3 * 4 * 4 + 1 + 2 * 2**2 + 3 * 2 * 2
    assert TABLES["cupid"][1].lines == 3 * with_the_wolf + 3 * without


def test_the_girl_and_thief_tables_by_hand() -> None:
    """One wolf and three who only vote: `rest`. The girl peeks or not; noticed, she is seized or not; seized,
    she dies, whichever of five answers the wolf had given. The thief takes the seer, or is a villager twice."""
    rest = 4**4 + 1 + 3 * 3**3
    assert TABLES["little girl, never noticed"][1].lines == 2 * rest
    assert TABLES["little girl, always noticed"][1].lines == rest + rest + 5 * 3**3
    assert TABLES["thief, seer in the centre"][1].lines == 4 * rest + 2 * rest


Ways = dict[int, int]
"""Who is chosen, 0 for nobody, and by how many lines."""


def ballot(candidates: dict[int, list[int]], weights: dict[int, int]) -> tuple[Ways, dict[tuple[int, ...], int]]:
    """All ways to vote: those that choose somebody or nobody, and those that tie, by who is tied."""
    chosen: Ways = {}
    tied: dict[tuple[int, ...], int] = {}
    for votes in product(*([*options, 0] for options in candidates.values())):
        named = dict.fromkeys(votes, 0)
        for voter, vote in zip(candidates, votes, strict=True):
            named[vote] += weights.get(voter, 1)
        named.pop(0, None)
        leaders = tuple(sorted(seat for seat in named if named[seat] == max(named.values())))
        if len(leaders) > 1:
            tied[leaders] = tied.get(leaders, 0) + 1
        else:
            seat = leaders[0] if leaders else 0
            chosen[seat] = chosen.get(seat, 0) + 1
    return chosen, tied


def elected(living: list[int]) -> Ways:
    """Everybody may name everybody; a tie is voted once more among the tied, then nobody is sheriff."""
    chosen, tied = ballot(dict.fromkeys(living, living), {})
    for leaders, ways in tied.items():
        again, still = ballot({seat: list(leaders) for seat in living}, {})
        for seat, more in (*again.items(), (0, sum(still.values()))):
            chosen[seat] = chosen.get(seat, 0) + ways * more
    return chosen


def lynched(living: list[int], sheriff: int = 0) -> Ways:
    """Everybody may name everybody else; a tie is nobody."""
    others = {seat: [other for other in living if other != seat] for seat in living}
    chosen, tied = ballot(others, {sheriff: 2})
    chosen[0] = chosen.get(0, 0) + sum(tied.values())
    return chosen


def test_the_sheriff_table_by_enumeration() -> None:
    """A model of its own: seat 1 is the wolf, and a sheriff lynched names one of those who are left, or nobody."""

    def day(living: list[int]) -> int:
        lines = 0
        for sheriff, elections in elected(living).items():
            for victim, ballots in lynched(living, sheriff).items():
                heirs = len(living) if victim == sheriff != 0 and victim != 1 else 1
                lines += elections * ballots * heirs
        return lines

    assert TABLES["seer, sheriff"][1].lines == 4 * (day([1, 2, 3, 4]) + 1 + 3 * day([1, 2, 3]))


def test_the_run_off_table_by_enumeration() -> None:
    """The tied are voted on again, three times at most, each time those who are tied still."""

    def ballots(tied: tuple[int, ...], left: int) -> int:
        among = {seat: [other for other in tied if other != seat] for seat in (1, 2, 3)}
        chosen, ties = ballot(among, {})
        again = sum(ways * (ballots(leaders, left - 1) if left else 1) for leaders, ways in ties.items())
        return sum(chosen.values()) + again

    assert TABLES["seer, run-off"][1].lines == 4 * (1 + 3 * ballots((1, 2, 3), left=3))


def test_the_witch_and_hunter_table_by_enumeration() -> None:
    """A model of its own: wolf 1, witch 2, hunter 3, villager 4."""

    def over(living: list[int]) -> bool:
        return 1 not in living or living == [1]

    def shots(living: list[int], then: Callable[[list[int]], int]) -> int:
        return then(living) + sum(then([seat for seat in living if seat != shot]) for shot in living)

    def day(living: list[int]) -> int:
        if over(living):
            return 1
        ways = lynched(living)
        return sum(lines * (len(living) if victim == 3 else 1) for victim, lines in ways.items())

    lines = 0
    for attacked, poisoned in product((0, 1, 2, 3, 4), repeat=2):
        for healed in (False, True) if attacked else (False,):
            dead = {poisoned, 0 if healed else attacked} - {0}
            living = [seat for seat in (1, 2, 3, 4) if seat not in dead]
            shoots = attacked == 3 and not healed and poisoned != 3
            lines += shots(living, day) if shoots else day(living)
    assert TABLES["witch and hunter"][1].lines == lines


@pytest.mark.parametrize(
    "options",
    [
        {"reveal_on_death": False},
        {"reveal_on_lynch": False},
        {"ballots": "open"},
        {"speech": "turns"},
        {"speech": "turns", "last_words": ["wolves", "lynch", "poison", "shot"]},
    ],
    ids=str,
)
def test_what_is_shown_and_said_changes_no_count(options: dict[str, Any]) -> None:
    """Hidden cards, open ballots and speeches are no choices."""
    assert count(WITCH_AND_HUNTER, **options).lines == TABLES["witch and hunter"][1].lines
