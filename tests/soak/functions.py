"""The functions that run the bot: each invocation in a container that has a memory until it is killed or replaced.

Invocations run side by side: where one waits for Telegram, others go on; and where one talks to the store, another
may run from its beginning to its next wait in between.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from engine import Command, Event, Game
from handlers.record import AnyEffect
from handlers.wiring import Moderator
from infra.log import log
from tests.soak.timeline import Pause, Timeline

LIFE_S = 28.0
"""Seconds after which an invocation is killed, as `serverless.yml` has it."""


class Killed(BaseException):
    """The process is gone."""


class StoreIsAway(Exception):
    """The store did not answer, or said that it has too much to do."""


@dataclass(frozen=True)
class Decided:
    """What the engine was asked in a judgement, and what it said."""

    game: Game
    command: Command
    now: float
    events: tuple[Event, ...]


@dataclass
class Invocation:
    """One run. judged: what the engine decided since the last read. effect: the one that is being sent.

    of: the table of that. delivery: which of all deliveries it is. sent: the effects it is done with and has not
    ticked off. at: when it last went on. over: how it ended, empty while it runs.
    """

    number: int
    container: Moderator
    release: int
    began: float
    work: Coroutine[Any, Any, Any]
    done: Callable[[Any], None]
    judged: list[Decided] = field(default_factory=list)
    effect: AnyEffect | None = None
    of: str = ""
    delivery: int = 0
    sent: set[tuple[str, int]] = field(default_factory=set)
    at: float = 0.0
    over: str = ""


class Functions:
    """All functions of the deployment. `current` is the one that runs at this very moment."""

    def __init__(self, time: Timeline, boot: Callable[[], Moderator]) -> None:
        self._time = time
        self._boot = boot
        self._idle: list[Moderator] = []
        self._started = 0
        self.release = 1
        self.running: list[Invocation] = []
        self.current: Invocation | None = None
        self.unexpected: list[str] = []

    def deploy(self) -> None:
        """From now on a new version is started; what runs of the old one goes on to its end."""
        self.release += 1
        self._idle.clear()

    def invoke(self, work: Callable[[Moderator], Coroutine[Any, Any, Any]], done: Callable[[Any], None]) -> None:
        """Run something. done: what is to happen with its outcome; None if it failed."""
        container = self._idle.pop() if self._idle else self._boot()
        self._started += 1
        run = Invocation(self._started, container, self.release, self._time.now(), work(container), done)
        self.running.append(run)
        self._go_on(run)

    def _go_on(self, run: Invocation) -> None:
        before, self.current = self.current, run
        run.at = self._time.now()
        try:
            if self._time.now() - run.began > LIFE_S:
                run.work.throw(Killed())
            pause = run.work.send(None)
        except StopIteration as end:
            self._finish(run, "done", end.value)
        except Killed:
            self._finish(run, "killed", None)
        except StoreIsAway as error:
            log("failed", level=logging.ERROR, error=error)
            self._finish(run, "failed", None)
        except Exception as error:
            self.unexpected.append(f"{type(error).__name__}: {error}")
            log("failed", level=logging.ERROR, error=error)
            self._finish(run, "failed", None)
        else:
            assert isinstance(pause, Pause)
            self._time.at(self._time.now() + pause.seconds, lambda: self._go_on(run), early=True)
        finally:
            self.current = before

    def _finish(self, run: Invocation, how: str, outcome: Any) -> None:
        run.over = how
        self.running.remove(run)
        if how != "killed" and run.release == self.release:
            self._idle.append(run.container)
        if self.current is run:
            self.current = None
        run.done(outcome)
