"""Players who answer by (seed, seat, step), not by what came first. They press until they are answered."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from engine import Game, Prompt, choices
from engine.prompts import ability_of
from handlers import buttons
from handlers.record import Table
from tests.soak.journal import Journal
from tests.soak.telegram import Query, Telegram
from tests.soak.timeline import Timeline
from tests.soak.weather import Case

PATIENCE_S = 20.0
"""Seconds after which somebody whose press was not answered presses again."""

SILENT, PASSES = 0.04, 0.15
"""How many questions are never answered, and how many declined."""

_CODES = {"speech.end": buttons.FLOOR, "talk.ready": buttons.READY}

_RACES = ("wolves.take_girl",)
"""What one seat can do only until another has done it."""

Key = tuple[int, int, str]


@dataclass
class _Pursuit:
    """A question somebody is about to answer, or has pressed for."""

    prompt: Prompt
    presses: int = 0
    silent: bool = False


class Players:
    """Everybody at the table."""

    def __init__(self, case: Case, time: Timeline, telegram: Telegram, journal: Journal) -> None:
        self._case = case
        self._time = time
        self._telegram = telegram
        self._journal = journal
        self._pursuits: dict[Key, _Pursuit] = {}
        self._seen = b""
        self._prompts: dict[Key, Prompt] = {}
        self._due = False
        self.group = 0

    def wake(self) -> None:
        """Something has changed: look at it as soon as everything else of this moment has happened."""
        if not self._due:
            self._due = True
            self._time.at(self._time.now(), self._look)

    def _look(self) -> None:
        self._due = False
        table = self._journal.table
        if table is None or table.phase != "playing":
            self._prompts = {}
            return
        if table.game != self._seen:
            self._seen = table.game
            self._prompts = self._questions(table.play())
        busy = {key[1] for key in self._prompts if self._is_pursued(key)}
        waiting = [prompt for key, prompt in self._prompts.items() if key not in self._pursuits]
        for prompt in sorted(waiting, key=self._rank):
            if prompt.seat in busy or prompt.answer is not None or not self._is_offered(table, prompt):
                continue
            chance = self._chance("player", prompt)
            self._pursuits[_key(prompt)] = pursuit = _Pursuit(prompt)
            if chance.random() < SILENT:
                pursuit.silent = True
                continue
            busy.add(prompt.seat)
            self._later(1.0 if self._case.weather.crowd else chance.uniform(1.0, 15.0), pursuit)

    def _is_pursued(self, key: Key) -> bool:
        """Say whether somebody is about to answer this: he does one thing at a time."""
        pursuit = self._pursuits.get(key)
        return pursuit is not None and not pursuit.silent and self._prompts[key].answer is None

    def _rank(self, prompt: Prompt) -> float:
        return self._chance("order", prompt).random()

    def _questions(self, game: Game) -> dict[Key, Prompt]:
        """What is asked. What anybody may do at any time, or whoever is first, would hang on what comes first."""
        loose = self._case.weather.loose
        return {
            _key(prompt): prompt
            for prompt in choices(game)
            if loose or (ability_of(prompt.action).standing is None and prompt.action not in _RACES)
        }

    def _later(self, seconds: float, pursuit: _Pursuit) -> None:
        self._time.at(self._time.now() + seconds, lambda: self._press(pursuit), early=True)

    def _press(self, pursuit: _Pursuit) -> None:
        table, prompt = self._journal.table, pursuit.prompt
        key = _key(prompt)
        if table is None or key not in self._prompts or self._prompts[key].answer is not None:
            return
        data = buttons.Data(table.id, prompt.serial, code_of(prompt), self._answer(prompt))
        user = table.person(prompt.seat).user
        chat = self.group if _is_public(prompt) else user
        message = self._telegram.offered[self._place(table, prompt)]
        pursuit.presses += 1
        query = self._telegram.press(user, chat, message, str(data))
        self._time.at(self._time.now() + PATIENCE_S, lambda: self._again(pursuit, query))

    def _again(self, pursuit: _Pursuit, query: Query) -> None:
        if query.given_up or not query.answers:
            self._press(pursuit)
        elif pursuit.presses < 20:
            # He was answered, and the question is still open: something else was in the way.
            self._press(pursuit)

    def _is_offered(self, table: Table, prompt: Prompt) -> bool:
        return self._place(table, prompt) in self._telegram.offered

    def _place(self, table: Table, prompt: Prompt) -> tuple[int, str]:
        data = str(buttons.Data(table.id, prompt.serial, code_of(prompt), buttons.PASS))
        user = 0 if _is_public(prompt) else table.person(prompt.seat).user
        return user, data.rpartition(".")[0]

    def _chance(self, what: str, prompt: Prompt) -> Random:
        return self._case.chance(what, *_key(prompt))

    def _answer(self, prompt: Prompt) -> str:
        chance = self._chance("answer", prompt)
        if prompt.optional and (not prompt.options or chance.random() < PASSES):
            return buttons.PASS
        if not prompt.options:
            return buttons.YES
        if prompt.most > 1 or prompt.action == "wolf.explode":
            count = chance.randint(prompt.least, prompt.most)
            return buttons.done(sum(1 << i for i in chance.sample(range(len(prompt.options)), count)))
        return buttons.chosen(prompt.options, chance.choice(prompt.options))


def code_of(prompt: Prompt) -> str:
    """What the button of a question is known by: those of the group's by their place, others by the action."""
    if not _is_public(prompt):
        return buttons.code_of(prompt.action)
    return _CODES.get(prompt.action, buttons.VOTE)


def _key(prompt: Prompt) -> Key:
    return prompt.serial, prompt.seat, prompt.action


def _is_public(prompt: Prompt) -> bool:
    return prompt.action in buttons.PUBLIC_ACTIONS
