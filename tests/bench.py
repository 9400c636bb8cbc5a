"""What the rules cost: `python -m tests.bench` prints medians, of decisions and of a whole game.

Nothing is stored, sent or rendered here. A decision is `decide` alone, a game is commands in and events out,
`evolve` included.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial

from engine import Answer, Command, Game, Prompt, Setup, Tick, choices, decide, due_at, dump, load, view_for
from tests.engine.simulation import NOON, House, Table, again, play, random_game

DECK = {"werewolf": 4, "seer": 1, "witch": 1, "hunter": 1, "cupid": 1, "guard": 1, "villager": 9}
RUNS = 15
GAME_LIMIT_MS = 5.0
DECISION_LIMIT_US = 500.0


def median_of(work: Callable[[], object], times: int) -> float:
    """Seconds of one piece of work: the median of several runs, each the mean of so many times."""
    results = []
    for _ in range(RUNS):
        begun = time.process_time()
        for _ in range(times):
            work()
        results.append((time.process_time() - begun) / times)
    return statistics.median(results)


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


def games() -> list[tuple[Table, list[tuple[Command, float]]]]:
    """Random games of 12 seats as commands."""
    recorded = []
    for number in range(8):
        rng = random.Random(number)
        table = Table(Setup(book="classic", seats=12), rng.randbytes(32))
        moments = list(random_game(table, House(rng)))
        recorded.append((table, [(moment.command, moment.now) for moment in moments if moment.command]))
    return recorded


def main() -> int:
    """Print the medians; 1 if one is over its limit."""
    slow = False

    def report(name: str, value: float, unit: str, limit: float) -> None:
        nonlocal slow
        slow |= value > limit
        sys.stdout.write(f"{name:<44}{value:9.1f} {unit}{'   over the limit' if value > limit else ''}\n")

    for name, game, command in decisions():
        now = (due_at(game) or NOON) - (0 if isinstance(command, Tick) else 1)
        seconds = median_of(partial(decide, game, command, now), 200)
        report(name, seconds * 1e6, "µs", DECISION_LIMIT_US)
    game, _ = until("vote.lynch", 9)
    stored = dump(game)
    report("all prompts of a ballot", median_of(lambda: choices(game), 100) * 1e6, "µs", DECISION_LIMIT_US)
    report("one seat's view of it", median_of(lambda: view_for(game, 1), 100) * 1e6, "µs", DECISION_LIMIT_US)
    report("dump", median_of(lambda: dump(game), 200) * 1e6, "µs", DECISION_LIMIT_US)
    report(f"load ({len(stored)} bytes)", median_of(lambda: load(stored), 200) * 1e6, "µs", DECISION_LIMIT_US)
    recorded = games()
    commands = statistics.mean(len(one) for _, one in recorded)
    work = median_of(lambda: [list(again(table, one)) for table, one in recorded], 1) / len(recorded)
    report(f"a game of 12 seats ({commands:.0f} commands)", work * 1e3, "ms", GAME_LIMIT_MS)
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
