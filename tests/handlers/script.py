"""Players who answer every question the same way in every run of a game.

Each presses once he can have read the question, and not while an earlier press of his is still under way.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine import Prompt, choices
from handlers import buttons
from handlers.telegram import keyboards
from tests.handlers.town import Town, data_under

_READ = 12
_PUBLIC = {
    **dict.fromkeys(buttons.PUBLIC_ACTIONS, buttons.VOTE),
    "talk.ready": buttons.READY,
    "speech.end": buttons.FLOOR,
}
_RARELY = {"wolf.explode": 0.05, "sheriff.withdraw": 0.2}
"""What is open for long, and how often somebody does it."""


class Script:
    """Plays for everybody in a town. silent: seats that never answer."""

    def __init__(self, town: Town, seed: int = 1, silent: tuple[int, ...] = ()) -> None:
        self._town = town
        self._seed = seed
        self._silent = silent
        self._pressed: set[tuple[int, int, str]] = set()

    def act(self) -> int:
        """Press for each open question that has arrived where it is read; say how many that were."""
        table = self._town.table()
        if table.phase != "playing":
            return 0
        pressed = 0
        waits = {int(w.queue.partition(" ")[2]) for w in self._town.world.waiting() if "press" in w.queue}
        for prompt in choices(table.play()):
            key = (prompt.serial, prompt.seat, prompt.action)
            if prompt.answer is not None or key in self._pressed or prompt.seat in self._silent:
                continue
            user = table.person(prompt.seat).user
            if user in waits:
                continue
            if not self._is_done(prompt):
                self._pressed.add(key)
                continue
            chat = self._town.group if prompt.action in _PUBLIC else user
            code = _PUBLIC.get(prompt.action) or buttons.code_of(prompt.action)
            message = self._message(chat, table.id, prompt.serial, code)
            if message is None:
                continue
            self._pressed.add(key)
            data = buttons.Data(table.id, prompt.serial, code, self._answer(prompt))
            self._town.world.press(user, chat, message["message_id"], str(data))
            waits.add(user)
            pressed += 1
        return pressed

    async def begin(self, **fields: Any) -> None:
        """Open a lobby, join one after the other, start. fields: of the record, set before."""
        town = self._town
        for member in town.members:
            town.world.start_bot(member)
        town.world.say(town.members[0], town.group, f"/newgame@{town.world.bot.username}")
        await town.until(lambda: any(data_under(message) for message in town.world.messages(town.group)))
        await town.until(lambda: not town.world.waiting())
        if fields:
            town.change(**fields)
        for member in town.members:
            town.press(member, town.group, town.newest(town.group), buttons.JOIN)
            await town.until(lambda member=member: town.table().seat_of(member) > 0)  # type: ignore[misc]
        await town.until(lambda: not town.world.waiting())
        town.press(town.members[0], town.group, town.newest(town.group), buttons.START)
        await town.until(lambda: town.table().phase == "playing")

    async def play(self) -> None:
        """Play until the game is over and everything has been said."""
        await self.until(self.is_over)

    async def until(self, condition: Callable[[], bool], most: int = 3000) -> None:
        """Play until something has happened, and leave it at that."""
        for _ in range(most):
            await self._town.deliver()
            if condition():
                return
            self.go_on()
        raise AssertionError("it does not happen")

    def is_over(self) -> bool:
        """Say whether the game is over and everything has been said."""
        table = self._town.table()
        return table.phase == "over" and not table.outbox and not self._town.world.waiting()

    def go_on(self) -> None:
        """Let everybody answer who can; if nobody can, let time pass."""
        if self.act():
            self._town.clock.advance(1.0)
        else:
            self._town.move_on()

    def _message(self, chat: int, table: str, serial: int, code: str) -> dict[str, Any] | None:
        """The newest message of a chat that asks this."""
        for message in reversed(self._town.world.messages(chat, _READ)):
            for text in data_under(message):
                data = buttons.parse(text)
                if data and (data.table, data.serial, data.code) == (table, serial, code):
                    return message
        return None

    def _is_done(self, prompt: Prompt) -> bool:
        chance = Random(f"{self._seed}.{prompt.serial}.{prompt.seat}.{prompt.action}")
        return chance.random() < _RARELY.get(prompt.action, 1)

    def _answer(self, prompt: Prompt) -> str:
        chance = Random(f"{self._seed}.{prompt.serial}.{prompt.action}")
        if prompt.action in keyboards.SURE:
            return buttons.done(1)
        if prompt.most > 1:
            mask = sum(1 << index for index in chance.sample(range(len(prompt.options)), prompt.most))
            return buttons.done(mask)
        if not prompt.options:
            return buttons.YES
        wanted = chance.choice(sorted(prompt.options, key=str))
        if prompt.action in ("vote.lynch", "sheriff.vote") and prompt.seat % 4 == 0:
            wanted = prompt.options[-1]
        if wanted not in prompt.options:
            wanted = prompt.options[0]
        return buttons.chosen(prompt.options, wanted)
