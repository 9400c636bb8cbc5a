"""What the rules cost: decisions one by one, and whole games.

Nothing is stored, sent or rendered here. A decision is `decide` alone; a game is commands in and events out,
`evolve` included. Times are of the processor, and of several runs the best: other work on the machine only adds.
"""

from __future__ import annotations

import cProfile
import pstats
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, pairwise
from pathlib import Path

import engine
from engine import (
    RULE_BOOKS,
    Answer,
    Command,
    Game,
    Prompt,
    Setup,
    Tick,
    choices,
    decide,
    due_at,
    dump,
    load,
    view_for,
)
from tests.bench.report import Report, best_of
from tests.engine.simulation import NOON, House, Moment, Table, again, play, random_game

DECK = {"werewolf": 4, "seer": 1, "witch": 1, "hunter": 1, "cupid": 1, "guard": 1, "villager": 9}
DECISION_LIMIT_US = 500.0

GAMES_A_SECOND, GAMES_STORED_A_SECOND = 200.0, 60.0
"""Of 12 seats on one core: as they are, and with the state written down and read again after every command."""

MOST_SEATS_TIMES, DAY_TEN_TIMES = 2.0, 1.2
"""What a decision may cost at the most seats of a book, of one at 8; and on day 10, of one on day 1."""

Recorded = tuple[Table, list[tuple[Command, float]]]


# Decisions ------------------------------------------------------------------------------------------------


def until(action: str, left: int | None = None) -> tuple[Game, Prompt]:
    """A table of 18 seats at a question of this action; with `left`, at the last but so many of its ballot."""
    setup = Setup(book="classic", seats=18, deck=DECK, options={"wolves_may_pass": False})
    moment = Table(setup, bytes(range(32))).begin()
    house = House(random.Random(1), pass_rate=0.0, host_rate=0.0)
    while True:
        asked = [prompt for prompt in choices(moment.game) if prompt.action == action]
        waiting = [prompt for prompt in asked if prompt.answer is None]
        if waiting and (left is None or len(waiting) == left):
            return moment.game, waiting[0]
        command, now = house.command(moment.game, moment.now)
        moment = play(moment.game, command, now)


def decisions() -> Iterable[tuple[str, Game, Command]]:
    """Decisions of several kinds at 18 seats."""
    for name, action, left in (
        ("first wave of the night, one answer", "cupid.link", None),
        ("the pack, one answer", "wolves.kill", None),
        ("the seer, told at once", "seer.check", None),
        ("a ballot, one vote", "vote.lynch", 9),
        ("a ballot, the closing vote", "vote.lynch", 1),
    ):
        game, prompt = until(action, left)
        yield name, game, Answer(prompt.seat, action, prompt.options[: prompt.least], prompt.serial)
    game, prompt = until("vote.lynch", 9)
    yield "a refusal", game, Answer(prompt.seat, "vote.lynch", (prompt.seat,))
    yield "the clock, a ballot's deadline", game, Tick()


# Games ----------------------------------------------------------------------------------------------------


def table_of(book: str, seats: int, rng: random.Random) -> Table:
    """A table with the book's own deck, at which no wolf explodes: random ones would, and end every day."""
    options = {"explode": False} if "explode" in RULE_BOOKS[book].option_names else {}
    return Table(Setup(book=book, seats=seats, options=options), rng.randbytes(32))


def games(book: str, seats: int, count: int) -> list[Recorded]:
    """Random games as commands."""
    recorded = []
    for number in range(count):
        rng = random.Random(number)
        table = table_of(book, seats, rng)
        moments = list(random_game(table, House(rng)))
        recorded.append((table, [(moment.command, moment.now) for moment in moments if moment.command]))
    return recorded


def replayed(recorded: Sequence[Recorded]) -> None:
    """Play recorded games again."""
    for table, commands in recorded:
        for _ in again(table, commands):
            pass


def replayed_with_storage(recorded: Sequence[Recorded]) -> None:
    """The same, and after every command the state is written down and read again."""
    for table, commands in recorded:
        game = load(dump(table.begin().game))
        for command, now in commands:
            game = load(dump(play(game, command, now).game))


Costs = dict[tuple[int, str], list[float]]
"""Seconds of decisions, by day and kind."""


def cost_of_decisions(moments: Sequence[Moment], costs: Costs) -> None:
    """Add what each decision of a game costs."""
    for before, after in pairwise(moments):
        command = after.command
        if command is None:
            continue
        runs = []
        for _ in range(5):
            begun = time.perf_counter()
            decide(before.game, command, after.now)
            runs.append(time.perf_counter() - begun)
        kind = command.action if isinstance(command, Answer) else type(command).__name__
        costs[before.game.day, kind].append(min(runs))


def mean_decision(book: str, seats: int, count: int = 5) -> float:
    """Seconds of a decision over all commands of some random games."""
    costs: Costs = defaultdict(list)
    for table, commands in games(book, seats, count):
        cost_of_decisions(list(again(table, commands)), costs)
    return statistics.mean(chain.from_iterable(costs.values()))


def days_one_and_ten(book: str) -> tuple[float, float] | None:
    """Seconds of a decision on either day, of games in which hardly anybody dies; None if none lasts so long.

    Only kinds that both days have are compared, and each weighs what it does on day 1.
    """
    costs: Costs = defaultdict(list)
    for number in range(4):
        rng = random.Random(number)
        quiet = House(rng, pass_rate=0.97, host_rate=0.0)
        moments = []
        for moment in random_game(table_of(book, RULE_BOOKS[book].most, rng), quiet):
            moments.append(moment)
            if moment.game.day > 10:
                break
        cost_of_decisions(moments, costs)
    kinds = [(len(spent), spent, costs[10, kind]) for (day, kind), spent in list(costs.items()) if day == 1]
    both = [(weight, statistics.mean(first), statistics.mean(tenth)) for weight, first, tenth in kinds if tenth]
    total = sum(weight for weight, _, _ in both)
    if not both:
        return None
    return sum(w * first for w, first, _ in both) / total, sum(w * tenth for w, _, tenth in both) / total


# Where the time goes --------------------------------------------------------------------------------------

SHARES = {
    "decide": ("referee.py", "decide"),
    "evolve": ("history.py", "evolve"),
    "prompts": ("prompts.py", "prompt"),
    "open questions": ("prompts.py", "is_settled"),
    "codec": ("codec.py", ""),
}
"""What the shares are of: a function with all that it calls, or every function of a file."""


def shares(work: Callable[[], object]) -> tuple[dict[str, float], dict[str, float]]:
    """Of the time of some work, what each of SHARES has, and what each file of the engine has by itself."""
    profile = cProfile.Profile()
    profile.runcall(work)
    stats = pstats.Stats(profile)
    total: float = stats.total_tt  # type: ignore[attr-defined]
    rows: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = stats.stats  # type: ignore[attr-defined]
    root = Path(str(engine.__file__)).parent
    by_file: dict[str, float] = defaultdict(float)
    named: dict[str, float] = defaultdict(float)
    for (file, _, function), (_, _, own, cumulative, _) in rows.items():
        path = Path(file)
        if root not in path.parents:
            continue
        by_file[str(path.relative_to(root))] += own / total
        for share, (of_file, of_function) in SHARES.items():
            if path.name == of_file and of_function in ("", function):
                named[share] += cumulative / total
    return dict(named), dict(sorted(by_file.items(), key=lambda entry: -entry[1]))


def run(report: Report) -> None:
    """Print the figures."""
    report.title("Decisions, classic, 18 seats")
    for name, game, command in decisions():
        now = (due_at(game) or NOON) - (0 if isinstance(command, Tick) else 1)
        report.line(name, best_of(partial(decide, game, command, now), 100) * 1e6, "µs", DECISION_LIMIT_US)
    game, _ = until("vote.lynch", 9)
    stored = dump(game)
    for name, work in (
        ("all prompts of a ballot", lambda: choices(game)),
        ("one seat's view of it", lambda: view_for(game, 1)),
        ("dump", lambda: dump(game)),
        (f"load ({len(stored)} bytes)", lambda: load(stored)),
    ):
        report.line(name, best_of(work, 100) * 1e6, "µs", DECISION_LIMIT_US)

    recorded = games("classic", 12, 8)
    commands = statistics.mean(len(one) for _, one in recorded)
    report.title(f"Random games, classic, 12 seats ({commands:.0f} commands), on one core")
    rate = len(recorded) / best_of(lambda: replayed(recorded), 1)
    report.line("commands in, events out", rate, "a second", GAMES_A_SECOND, at_least=True)
    rate = len(recorded) / best_of(lambda: replayed_with_storage(recorded), 1)
    report.line("with dump and load", rate, "a second", GAMES_STORED_A_SECOND, at_least=True)

    report.title("A decision, the mean over random games")
    for book in RULE_BOOKS.values():
        few, many = (mean_decision(book.name, seats) for seats in (min(8, book.most), book.most))
        if book.most > 8:
            name = f"{book.name}: {many * 1e6:.0f} µs at {book.most} seats, {few * 1e6:.0f} at 8"
            report.line(name, many / few, "times", MOST_SEATS_TIMES)
        if days := days_one_and_ten(book.name):
            name = f"{book.name}: {days[1] * 1e6:.0f} µs on day 10, {days[0] * 1e6:.0f} on day 1"
            report.line(name, days[1] / days[0], "times", DAY_TEN_TIMES)

    report.title("Where the time goes, of a game with dump and load (under the profiler, one may contain another)")
    named, by_file = shares(lambda: replayed_with_storage(recorded))
    report.say("  ".join(f"{name} {named.get(name, 0):.0%}" for name in SHARES))
    report.say("  ".join(f"{file} {share:.0%}" for file, share in list(by_file.items())[:8]))
