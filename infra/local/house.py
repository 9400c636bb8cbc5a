"""House players: ordinary accounts driven by code, which see what a client shows and press buttons."""

import asyncio
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from infra.local.clock import Clock
from infra.local.errors import WorldError
from infra.local.names import fresh_name
from infra.local.state import Change
from infra.local.store import Json
from infra.local.world import World

# He looks at so many of a chat's newest messages with buttons; older ones are history to him.
_NEWEST = 3
_MESSAGES_READ = 60
_REFUSALS = 4
_PRESSES = 12


@dataclass(frozen=True)
class Button:
    """A button with callback data, as seen under a message."""

    text: str
    data: str
    message: Json

    @property
    def private(self) -> bool:
        """Whether it is in a private chat."""
        return bool(self.message["chat"]["type"] == "private")

    @property
    def label(self) -> str:
        """The text without ticks and the like, which come and go with each press."""
        return re.sub(r"[\W_]+", "", self.text) or self.text


def buttons(message: Json) -> list[Button]:
    """Return the buttons under a message that can be pressed."""
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return [
        Button(button["text"], button["callback_data"], message)
        for row in rows
        for button in row
        if "callback_data" in button
    ]


Wanted = Callable[[Button], bool]


@dataclass(frozen=True)
class _Errand:
    """Something a player is going to do: "press", "join" or "link"."""

    kind: str
    user_id: int
    chat_id: int
    message_id: int = 0
    url: str = ""


@dataclass
class _Memory:
    """What a player did under one message."""

    version: str = ""
    refused: set[str] = field(default_factory=set)
    accepted: set[str] = field(default_factory=set)
    presses: int = 0


class House:
    """Plays for the members that are switched on.

    `worth_pressing` and `joins` tell a button of the game and the one that joins from all others; `refuses`
    tells from an answer (text, show_alert, url) that the press was not accepted: every pop-up if it is not
    given. `pace` are the shortest and
    the longest time, in seconds of the clock, that a player thinks.
    """

    def __init__(
        self,
        world: World,
        clock: Clock,
        *,
        worth_pressing: Wanted,
        joins: Wanted,
        refuses: Callable[[Json], bool] | None = None,
        seed: int | None = None,
        pace: tuple[float, float] = (2.0, 15.0),
    ) -> None:
        self._world = world
        self._clock = clock
        self._worth_pressing = worth_pressing
        self._joins = joins
        self._refuses = refuses or _pops_up
        self._chance = random.Random(seed)  # noqa: S311 - the players' moods are no secret
        self._pace = pace
        self._plans: dict[_Errand, float] = {}
        self._memories: dict[_Errand, _Memory] = {}
        self._asked: dict[str, tuple[_Errand, str]] = {}
        self._joined: set[tuple[int, int, int]] = set()
        self._woken = asyncio.Event()
        self._stop = world.subscribe(self._watch)
        for player in self.players():
            self._look_around(player)

    def players(self) -> list[int]:
        """Return the members the house plays for."""
        return [int(record["user"]) for record in self._world.store.all("house")]

    def turn(self, user_id: int, on: bool) -> None:
        """Begin or stop to play for a member."""
        if on:
            self._world.store.put("house", user_id, 0, {"user": user_id})
            self._look_around(user_id)
        else:
            self._world.store.delete("house", user_id)
            self._plans = {errand: due for errand, due in self._plans.items() if errand.user_id != user_id}
        self._world.tell("house", {"players": self.players()})

    def fill(self, chat_id: int, n: int, language_code: str = "zh-hans") -> list[int]:
        """Let `n` house players start the bot and press the newest join button; makes those that lack."""
        lobby = self._lobby(chat_id)
        if lobby is None:
            raise WorldError("nobody has opened a game here")
        seated = {user for user, chat, message in self._joined if (chat, message) == (chat_id, lobby)}
        free = [user for user in self.players() if user not in seated and self._world.is_member(chat_id, user)]
        chosen = free[:n]
        while len(chosen) < n:
            taken = {member["first_name"] for member in self._world.members()}
            member = self._world.new_member(fresh_name(language_code, taken), language_code)
            self._world.join_group(member, chat_id)
            self.turn(member, on=True)
            chosen.append(member)
        for member in chosen:
            if not self._world.is_member(member, self._world.bot.id):
                self._world.start_bot(member)
            self._plan(_Errand("join", member, chat_id), 0.5, 5.0)
        return chosen

    def next_due(self) -> float | None:
        """Return when the next player acts, or None if nobody has anything in mind."""
        return min(self._plans.values(), default=None)

    def act_due(self) -> None:
        """Let everybody act whose time has come."""
        now = self._clock.now()
        for errand in sorted((e for e, due in self._plans.items() if due <= now), key=self._plans.__getitem__):
            del self._plans[errand]
            try:
                self._act(errand)
            except WorldError:
                # He was thrown out, or the chat moved on, while he was thinking.
                continue

    async def run(self) -> None:
        """Play until cancelled."""
        while True:
            self._woken.clear()
            self.act_due()
            waits: list[asyncio.Task[Any]] = [asyncio.create_task(self._woken.wait())]
            if (due := self.next_due()) is not None:
                waits.append(asyncio.create_task(self._sleep_until(due)))
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in waits:
                    task.cancel()
                await asyncio.gather(*waits, return_exceptions=True)

    async def _sleep_until(self, due: float) -> None:
        await self._clock.sleep_until(due)

    def close(self) -> None:
        """Stop watching the world."""
        self._stop()

    # What a player sees

    def _watch(self, change: Change) -> None:
        if change.kind == "message":
            message = change.body["message"]
            for player in self.players():
                if self._sees(player, message["chat"]["id"]):
                    self._consider(player, message)
        elif change.kind == "answer" and (asked := self._asked.pop(change.body["id"], None)) is not None:
            self._hear(*asked, change.body["answer"])

    def _sees(self, player: int, chat_id: int) -> bool:
        return chat_id == player or (chat_id < 0 and self._world.is_member(chat_id, player))

    def _look_around(self, player: int) -> None:
        for chat in self._world.chats():
            if self._sees(player, chat["id"]):
                for message in self._newest(chat["id"]):
                    self._consider(player, message)

    def _newest(self, chat_id: int) -> list[Json]:
        with_buttons = [m for m in self._world.messages(chat_id, _MESSAGES_READ) if buttons(m)]
        return with_buttons[-_NEWEST:]

    def _lobby(self, chat_id: int) -> int | None:
        for message in reversed(self._world.messages(chat_id, _MESSAGES_READ)):
            if any(self._joins(button) for button in buttons(message)):
                return int(message["message_id"])
        return None

    def _consider(self, player: int, message: Json) -> None:
        errand = _Errand("press", player, message["chat"]["id"], message["message_id"])
        if self._memories.get(errand, _Memory()).version == _version(message):
            return
        if next(self._open_buttons(errand, message), None) is None:
            self._plans.pop(errand, None)
        else:
            self._plan(errand, *self._pace)

    def _open_buttons(self, errand: _Errand, message: Json) -> Iterator[Button]:
        memory = self._memories.get(errand, _Memory())
        refused = memory.refused if memory.version == _version(message) else set()
        if memory.presses < _PRESSES and len(refused) < _REFUSALS:
            done = refused | memory.accepted
            yield from (b for b in buttons(message) if b.label not in done and self._worth_pressing(b))

    def _plan(self, errand: _Errand, least: float, most: float) -> None:
        self._plans.setdefault(errand, self._clock.now() + self._chance.uniform(least, most))
        self._woken.set()

    # What a player does

    def _act(self, errand: _Errand) -> None:
        if errand.kind == "link":
            self._world.open_link(errand.user_id, errand.url)
        elif errand.kind == "join":
            self._join(errand)
        else:
            self._press(errand)

    def _press(self, errand: _Errand) -> None:
        newest = {message["message_id"]: message for message in self._newest(errand.chat_id)}
        message = newest.get(errand.message_id)
        if message is None:
            return
        choice = list(self._open_buttons(errand, message))
        if not choice:
            return
        memory = self._memories.setdefault(errand, _Memory())
        if memory.version != _version(message):
            memory.version = _version(message)
            memory.refused = set()
        memory.presses += 1
        self._ask(errand, self._chance.choice(choice))

    def _join(self, errand: _Errand) -> None:
        lobby = self._lobby(errand.chat_id)
        message = self._world.message(errand.chat_id, lobby) if lobby is not None else None
        if message is not None:
            button = next(button for button in buttons(message) if self._joins(button))
            self._joined.add((errand.user_id, errand.chat_id, message["message_id"]))
            self._ask(errand, button)

    def _ask(self, errand: _Errand, button: Button) -> None:
        message_id = button.message["message_id"]
        query = self._world.press(errand.user_id, errand.chat_id, message_id, button.data)
        self._asked[query] = (errand, button.label)

    def _hear(self, errand: _Errand, label: str, answer: Json) -> None:
        if answer["url"]:
            self._plan(_Errand("link", errand.user_id, errand.chat_id, url=answer["url"]), 0.5, 2.0)
        memory = self._memories.get(errand)
        if memory is None:
            return
        if not self._refuses(answer):
            memory.accepted.add(label)
            return
        memory.refused.add(label)
        message = self._world.message(errand.chat_id, errand.message_id)
        if message is not None and next(self._open_buttons(errand, message), None) is not None:
            self._plan(errand, *self._pace)


def _pops_up(answer: Json) -> bool:
    return bool(answer["show_alert"])


def _version(message: Json) -> str:
    return json.dumps(message.get("reply_markup"), ensure_ascii=False)
