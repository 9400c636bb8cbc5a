"""The page's API and the playground as a whole, over real sockets."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from telegram import Bot

from infra.local.courier import Answer
from infra.local.playground import Playground
from tests.local.support import TOKEN, Door, key, keyboard, until

HOSTILE = "<img src=x onerror=alert(1)>"


def new_playground(path: str | Path = ":memory:") -> Playground:
    playground = Playground(
        path,
        token=TOKEN,
        secret="abc",
        worth_pressing=lambda button: button.data.startswith("v"),
        joins=lambda button: button.data == "join",
        seed=1,
    )
    playground.settle_in("狼人杀", "甲", "zh-hans")
    return playground


@asynccontextmanager
async def open_page(playground: Playground) -> AsyncIterator[tuple[str, ClientSession]]:
    address = await playground.start(0)
    async with ClientSession() as session:
        try:
            yield address, session
        finally:
            await playground.stop()


async def read(lines: Any) -> dict[str, Any]:
    """Read the next event of the stream."""
    while not (line := await lines.readline()).startswith(b"data: "):
        pass
    event = json.loads(line[6:])
    assert isinstance(event, dict)
    return event


def test_acting_as_somebody_and_seeing_what_comes_of_it() -> None:
    playground = new_playground()
    (me,) = (user["id"] for user in playground.world.members())
    (group,) = (chat["id"] for chat in playground.world.chats())

    async def scenario() -> None:
        async with open_page(playground) as (address, session):

            async def act(name: str, /, **body: Any) -> tuple[int, dict[str, Any]]:
                async with session.post(f"{address}/api/{name}", json=body) as answer:
                    return answer.status, await answer.json()

            stream = await session.get(f"{address}/api/events")
            everything = (await read(stream.content))["body"]
            assert [user["first_name"] for user in everything["users"]] == ["甲"]
            assert everything["chats"][0]["members"] == {str(me): "creator", "7000000001": "member"}
            assert (await act("say", user=me, chat=group, text="/newgame"))[0] == 200
            event = await read(stream.content)
            assert (event["kind"], event["body"]["message"]["text"]) == ("message", "/newgame")
            status, made = await act("member", name=HOSTILE, chat=group, language="en")
            assert status == 200
            assert playground.world.user(made["user"])["first_name"] == HOSTILE
            assert (await act("start", user=me))[0] == 200
            sent = playground.world.call(
                "sendMessage", {"chat_id": group, "text": "x", "reply_markup": keyboard([key("加入", "join")])}
            )
            status, pressed = await act("press", user=me, chat=group, message=sent["message_id"], data="join")
            assert (status, bool(pressed["query"])) == (200, True)
            status, filled = await act("fill", chat=group, n=2, language="en")
            assert (status, len(filled["users"])) == (200, 2)
            assert (await act("play", user=me, on=True))[0] == 200
            assert me in playground.house.players()
            assert (await act("fast", on=True))[0] == 200
            assert playground.clock.rate == 10
            assert (await act("open", user=me, url="https://t.me/NightfallBot?start=x"))[1] == {"ours": True}
            assert (await act("block", user=me))[0] == 200
            assert (await act("bot", user=me, chat=group, on=False))[0] == 200
            assert (await act("leave", user=me, chat=group))[0] == 200
            assert (await act("join", user=me, chat=group))[0] == 200
            assert await act("migrate", chat=group) == (
                400,
                {"error": "only a living group can become a supergroup"},
            )
            assert (await act("say", user=me, chat=group))[0] == 400
            commands = await session.get(f"{address}/api/commands", params={"chat": group, "user": me})
            assert await commands.json() == []
            unknown = await session.get(f"{address}/api/commands", params={"chat": group, "user": 1})
            assert unknown.status == 400
            assert (await session.post(f"{address}/api/nothing", json={})).status == 404
            stream.close()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:1"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "evil.example:80"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content-Type": "text/plain"}, 404),
    ],
)
def test_other_web_pages_cannot_press_buttons(headers: dict[str, str], status: int) -> None:
    playground = new_playground()

    async def scenario() -> None:
        async with open_page(playground) as (address, session):
            given = {"Content-Type": "application/json"} | headers
            async with session.post(f"{address}/api/fast", data=b'{"on": false}', headers=given) as answer:
                assert answer.status == status
            own = {"Origin": address}
            async with session.post(f"{address}/api/fast", json={"on": False}, headers=own) as answer:
                assert answer.status == 200

    asyncio.run(scenario())


def test_the_page_is_served_and_needs_nothing_from_elsewhere() -> None:
    playground = new_playground()

    async def scenario() -> None:
        async with open_page(playground) as (address, session):
            for name in ("", "app.js", "chat.js", "view.js", "words.js", "style.css", "icon.svg"):
                async with session.get(f"{address}/{name}") as answer:
                    assert answer.status == 200
                    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
                    text = (await answer.text()).replace("http://www.w3.org/2000/svg", "")
                    assert "innerHTML" not in text
                    assert "://" not in text

    asyncio.run(scenario())


def test_the_next_free_port() -> None:
    first, second = new_playground(), new_playground()

    async def scenario() -> None:
        async with open_page(first) as (address, _):
            port = int(address.rsplit(":", 1)[1])
            assert await second.start(port) != address
            await second.stop()

    asyncio.run(scenario())


def test_a_bot_behind_a_door_and_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "playground.db"
    playground = new_playground(path)
    (me,) = (user["id"] for user in playground.world.members())
    group = playground.world.chats()[0]["id"]

    async def play() -> None:
        async with open_page(playground):
            came = asyncio.Event()

            async def door(headers: object, body: bytes) -> Answer:
                if json.loads(body).get("message", {}).get("text") == "/newgame":
                    await bot.send_message(group, "🌙")
                    came.set()
                return Answer(200, {}, b"")

            async with Bot(TOKEN, base_url=playground.base_url) as bot:
                playground.deliver_to(door)
                playground.world.say(me, group, "/newgame")
                await came.wait()
                await until(lambda: not playground.world.waiting())
            playground.world.say(me, group, "/later")

    async def go_on() -> None:
        again, door = new_playground(path), Door()
        async with open_page(again):
            again.deliver_to(door)
            await until(lambda: not again.world.waiting())
            assert [m.get("text") for m in again.world.messages(group)][-3:] == ["/newgame", "🌙", "/later"]
        assert [headers["X-Telegram-Bot-Api-Secret-Token"] for headers, _ in door.seen] == ["abc"]

    asyncio.run(play())
    asyncio.run(go_on())
