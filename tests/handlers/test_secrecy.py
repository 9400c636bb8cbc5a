"""What must not be told: in the group, in other people's chats, in logs, in numbers and order of messages."""

from __future__ import annotations

import asyncio
import io
import logging
import re
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from engine import view_for
from handlers.wording.keys import KEYS
from infra.local.errors import forbidden
from infra.log import setup_logging
from tests.handlers.process import SENDS, TOKEN
from tests.handlers.script import Script
from tests.handlers.town import NAMES, SECRET, Town, say, town, without_clock

ROLES = [key.removeprefix("role.") for key in KEYS if key.startswith("role.")]
WITH_GIRL = ("witch", "hunter", "cupid", "little_girl")
HIDDEN = {"reveal_on_death": False, "reveal_on_lynch": False}

GAMES: list[tuple[int, int, dict[str, Any]]] = [
    (8, 1, {}),
    (8, 2, {"options": {"speech": "turns", "ballots": "open"}}),
    (14, 5, {}),
    (10, 4, {"specials": WITH_GIRL}),
    (12, 3, {"options": HIDDEN}),
]


def words() -> dict[str, str]:
    """The word for each role."""
    return {role: say(f"role.{role}") for role in ROLES}


def named(text: str) -> set[str]:
    """The roles that a text speaks of."""
    return {role for role, word in words().items() if word in text}


@pytest.mark.parametrize(("members", "seed", "fields"), GAMES)
def test_no_role_is_named_in_the_group_before_its_card_lies_open(
    members: int, seed: int, fields: dict[str, Any]
) -> None:
    async def play() -> None:
        async with town(members, seed, direct=True, deal=bytes([seed]) * 32) as here:
            await here.begin(**fields)
            script = Script(here, seed)
            seen = 0
            while not script.is_over():
                await here.deliver()
                calls = list(here.world.calls)
                for call in calls[seen:]:
                    if call.method in SENDS and int(call.params["chat_id"]) == here.group:
                        _judge(here, str(call.params.get("text", "")))
                seen = len(calls)
                if not script.is_over():
                    script.go_on()
            assert seen > 50

    asyncio.run(play())


def _judge(here: Town, text: str) -> None:
    """A text of the group, at the moment when it was sent or a little later."""
    if "🌙" in text or "🏁" in text:
        # Lobby and deal show the deck, the night calls everybody who is in it, the end shows all.
        return
    view = view_for(here.table().play(), None)
    for seat in view.seats:
        for role in seat.cards:
            card = say("card.turned", role="").strip()
            text = re.sub(rf"{card} *\S+ {say(f'role.{role}')}", "", text)
    text = text.replace(say("shot.maybe"), "").replace(say("shot.silence"), "")
    assert named(text) == set(), text


@pytest.mark.parametrize(("members", "seed", "fields"), GAMES)
def test_each_reads_of_roles_only_what_he_was_told_and_can_pass_nothing_on(
    members: int, seed: int, fields: dict[str, Any]
) -> None:
    async def play() -> None:
        async with town(members, seed, direct=True, deal=bytes([seed]) * 32) as here:
            await here.begin(**fields)
            views = [view_for(here.table().play(), seat).mine for seat in range(1, members + 1)]
            dealt = {mine.seat: mine.roles for mine in views if mine}
            script = Script(here, seed)
            await script.play()
            for seat in range(1, members + 1):
                user = here.table().person(seat).user
                mine = view_for(here.table().play(), seat).mine
                assert mine is not None
                told = {fact.what for fact in mine.facts}
                told |= {str(fact.about) for fact in mine.facts}
                own = {*mine.roles, *dealt[seat]}
                helps = "".join(say(f"help.{role}") for role in own)
                wolf = {"werewolf"} if own & {"werewolf"} or told & {"wolf", "not_wolf"} else set()
                allowed = own | (told & set(ROLES)) | named(helps) | wolf
                private = [
                    call
                    for call in here.world.calls
                    if call.method in ("sendMessage", "editMessageText") and int(call.params["chat_id"]) == user
                ]
                texts = [call.params["text"] for call in private]
                assert sum("你是 " in text and "同局" in text for text in texts) == 1
                for text in texts:
                    if text != say("start.hello"):
                        assert named(text) <= allowed, (seat, own, text)
                for call in private:
                    if call.method == "sendMessage" and call.params["text"] != say("start.hello"):
                        assert str(call.params.get("protect_content")).lower() == "true"

    asyncio.run(play())


def test_a_silent_game_looks_the_same_whoever_holds_what() -> None:
    """Number, order, kind and time of all that happens in the group, for several deals of one deck."""

    async def course(deal: int) -> list[tuple[str, str]]:
        async with town(8, 1, direct=True, deal=bytes([deal]) * 32) as here:
            await here.begin()
            for _ in range(120):
                await here.pass_time(10.0)
            return [
                (call.method, re.sub("<code>.*?</code>", "", str(call.params.get("text"))))
                for call in here.world.calls
                if call.method in SENDS and int(call.params["chat_id"]) == here.group
            ]

    first, *others = (asyncio.run(course(deal)) for deal in range(4))
    assert len(first) > 10
    assert all(other == first for other in others)


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Where the log goes, as a deployment sets it up; everything is as it was afterwards."""
    root = logging.getLogger()
    names = ["", "nightfall", "httpx", "httpcore", "telegram", "aiohttp.access"]
    levels = {name: logging.getLogger(name).level for name in names}
    handlers, hook, thread_hook = root.handlers[:], sys.excepthook, threading.excepthook
    raises = logging.raiseExceptions
    lines = io.StringIO()
    setup_logging(lines)
    yield lines
    root.handlers[:] = handlers
    sys.excepthook, threading.excepthook = hook, thread_hook
    logging.raiseExceptions = raises
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.parametrize("everything", [False, True])
def test_a_log_tells_nothing(stream: io.StringIO, everything: bool) -> None:
    """Whole games with all sorts of failures, over real HTTP; once with every logger at DEBUG."""
    raw: list[str] = []

    class Raw(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            raw.append(record.getMessage())

    async def play() -> None:
        async with town(8, 2) as here:
            if everything:
                for name in ("", "nightfall", "httpx", "httpcore", "telegram", "aiohttp.access"):
                    logging.getLogger(name).setLevel(logging.DEBUG)
            else:
                logging.getLogger().addHandler(Raw())
            script = Script(here, 2)
            await script.begin()
            faults = here.world.faults
            faults.too_many("sendMessage", 3, here.group)
            faults.broken("editMessageText")
            faults.drop("sendMessage", here.members[0])
            faults.refuse("sendMessage", forbidden("bot was blocked by the user"), here.members[1])
            for body in (b"{", b'{"update_id":1,"message":{"text":"' + "女巫".encode() + b'"}}'):
                await here.moderator.door.handle({"X-Telegram-Bot-Api-Secret-Token": SECRET}, body)
            await script.play()
            texts = {without_clock(text) for member in here.members for text in here.texts(member)}
            lines = stream.getvalue() + "\n".join(raw)
            assert not everything or len(lines) > 1000
            forbidden_words = [TOKEN, TOKEN.partition(":")[2], SECRET, *words().values(), *ROLES, *texts]
            forbidden_words += [f"{seat} {NAMES[seat - 1]}" for seat in range(1, 9)]
            assert [word for word in forbidden_words if word and word in lines] == []
            assert not any(name in lines for name in NAMES)

    asyncio.run(play())
