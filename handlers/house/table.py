"""A game among house players, from its deal to its end. Only this file holds the game.

Time is simulated: every asked seat thinks for a while, the clock strikes when it is due, and nobody waits.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from engine import (
    Answer,
    Command,
    Draw,
    Event,
    Prompt,
    Refused,
    Result,
    Setup,
    Tick,
    choices,
    decide,
    due_at,
    events,
    evolve,
    replay,
    start,
    view_for,
)
from handlers.house.players.board import Board
from handlers.house.players.sensible import Player

LONGEST_GAME = 20_000
"""More commands than any game takes; one that takes more does not end."""

QUICKEST = 1.0
"""The least a player thinks, in seconds; the most is a share of the time he has."""

SHARE_OF_TIME = 0.7
TIMES_TO_AGREE = 3
"""How often the pack is asked once more when its members have named different seats."""


class Stuck(RuntimeError):
    """A game that cannot go on: a player did what is not legal, or there is no end."""


@dataclass(frozen=True)
class Course:
    """A game that was played: how it ended, everything that happened and was said, how many commands it took."""

    result: Result
    days: int
    events: tuple[Event, ...]
    board: Board
    commands: int
    seconds: float


class Table:
    """Players around a game."""

    def __init__(self, setup: Setup, seed: bytes, players: Sequence[Player], chance: random.Random) -> None:
        self._players = players
        self._chance = chance
        self._now = 0.0
        self._board = Board()
        self._happened: list[Event] = []
        self._commands = 0
        self._serial = 0
        self._plan: list[tuple[float, int, str]] = []
        self._asked: dict[tuple[int, int, str], int] = {}
        opening = start(setup, seed, self._now)
        self._game = replay(opening)
        self._take_in(opening)

    def play(self) -> Course:
        """Play to the end. Raises Stuck."""
        while not self._game.over:
            if self._commands > LONGEST_GAME:
                raise Stuck("no end")
            self._go_on()
        result, days = self._game.over, self._game.day
        return Course(result, days, tuple(self._happened), self._board, self._commands, self._now)

    def _go_on(self) -> None:
        due = due_at(self._game)
        if due is None:
            raise Stuck("nothing is due")
        if not self._plan:
            self._ask(choices(self._game))
        if not self._plan or self._plan[0][0] >= due:
            self._now = max(self._now, due)
            self._carry_out(Tick())
            return
        at, seat, action = heapq.heappop(self._plan)
        self._now = max(self._now, at)
        self._answer(seat, action)

    def _ask(self, prompts: Sequence[Prompt]) -> None:
        """Everybody who has not been asked yet begins to think; a pack that disagrees thinks again."""
        disagree = len({prompt.answer for prompt in prompts if prompt.action == "wolves.kill"}) > 1
        for prompt in prompts:
            asked = (self._serial, prompt.seat, prompt.action)
            times = self._asked.get(asked, 0)
            open_again = prompt.action == "wolves.kill" and disagree and times <= TIMES_TO_AGREE
            if times and not open_again:
                continue
            left = (prompt.deadline - self._now) * SHARE_OF_TIME
            if left <= 0:
                continue
            self._asked[asked] = times + 1
            at = self._now + self._chance.uniform(min(QUICKEST, left), left)
            heapq.heappush(self._plan, (round(at, 3), prompt.seat, prompt.action))

    def _answer(self, seat: int, action: str) -> None:
        view = view_for(self._game, seat)
        mine = view.mine.prompts if view.mine else ()
        prompt = next((one for one in mine if one.action == action), None)
        if prompt is None:
            return
        answer = self._players[seat - 1].answer(view, self._board, prompt)
        if answer is not None and answer != prompt.answer:
            self._carry_out(Answer(seat, action, answer, prompt.serial))

    def _carry_out(self, command: Command) -> None:
        happened = decide(self._game, command, self._now)
        if isinstance(happened, Refused):
            raise Stuck(f"{command}: {happened.code}")
        self._commands += 1
        for event in happened:
            self._game = evolve(self._game, event)
        self._take_in(happened)

    def _take_in(self, happened: Sequence[Event]) -> None:
        """Let the board see what is public, and whoever has the floor speak; new questions are thought about."""
        self._happened += happened
        self._board.hear(happened)
        if any(isinstance(event, events.Opened | events.Closed | events.Planned) for event in happened):
            self._turn_to_the_open_step()
        for event in happened:
            match event:
                case events.TalkOpened():
                    self._talk()
                case events.SpeechOpened():
                    self._speak(event.seat)
                case events.Asked():
                    self._ask(choices(self._game))
                case events.DrawOffered():
                    self._carry_out(Draw("host"))
                    return

    def _turn_to_the_open_step(self) -> None:
        """Who was about to answer in a step that is interrupted will think anew when it goes on."""
        step = view_for(self._game, None).step
        serial = step.serial if step else 0
        if serial == self._serial:
            return
        for _, seat, action in self._plan:
            self._asked[(self._serial, seat, action)] -= 1
        self._plan = []
        self._serial = serial

    def _talk(self) -> None:
        """Free talk: everybody twice, so that what was said can be answered."""
        living = [seat.number for seat in view_for(self._game, None).seats if seat.alive]
        self._chance.shuffle(living)
        for seat in chain(living, living):
            self._speak(seat)

    def _speak(self, seat: int) -> None:
        if not self._game.over:
            speech = self._players[seat - 1].speak(view_for(self._game, seat), self._board)
            self._board.say(seat, speech)
