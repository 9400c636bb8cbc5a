import asyncio
import json
from pathlib import Path

from aiohttp import web
from aiohttp.test_utils import TestServer

from infra.local.courier import Answer, Courier
from infra.local.store import Store
from infra.local.world import World
from tests.local.support import Door, Table, breathe, key, keyboard, table, until

BAD = Answer(500, {}, b"")


def texts(door: Door) -> list[str]:
    found = []
    for _, body in door.seen:
        update = json.loads(body)
        found.append(update["message"]["text"] if "message" in update else update["callback_query"]["data"])
    return found


def press(at: Table, person: int, data: str = "b") -> str:
    markup = keyboard([key("a", "b")])
    message = at.world.call("sendMessage", {"chat_id": at.group, "text": "x", "reply_markup": markup})
    return at.world.press(person, at.group, message["message_id"], data)


def test_delivery_with_the_secret() -> None:
    at, door = table(), Door()
    at.world.say(at.people[0], at.group, "/newgame")
    courier = Courier(at.world, at.clock, door, secret="abc")
    asyncio.run(courier.settle())
    ((headers, body),) = door.seen
    assert headers["X-Telegram-Bot-Api-Secret-Token"] == "abc"
    assert json.loads(body)["message"]["text"] == "/newgame"
    assert at.world.waiting() == []
    assert courier.next_due() is None


def test_the_first_retry_is_immediate_then_2_4_8_up_to_60() -> None:
    at, door = table(), Door([BAD] * 9)
    at.world.say(at.people[0], at.group, "/a")
    courier = Courier(at.world, at.clock, door)
    delays = []

    async def scenario() -> None:
        await courier.settle()
        while (due := courier.next_due()) is not None:
            delays.append(due - at.clock.now())
            at.clock.move(delays[-1])
            await courier.settle()

    asyncio.run(scenario())
    # Nine failures, the first of which was followed by another attempt at once.
    assert delays == [2, 4, 8, 16, 32, 60, 60, 60]
    assert texts(door) == ["/a"] * 10


def test_retry_after_is_honoured() -> None:
    at, door = table(), Door([Answer(503, {"retry-after": "7"}, b""), Answer(503, {"Retry-After": "99999"}, b"")])
    at.world.say(at.people[0], at.group, "/a")
    courier = Courier(at.world, at.clock, door)

    async def scenario() -> None:
        await courier.settle()
        assert courier.next_due() == at.clock.now() + 7
        at.clock.move(7)
        await courier.settle()
        assert courier.next_due() == at.clock.now() + 3600

    asyncio.run(scenario())


def test_a_door_that_breaks_is_a_failed_delivery() -> None:
    at, door = table(), Door([ValueError("bug"), OSError("gone")])
    at.world.say(at.people[0], at.group, "/a")
    courier = Courier(at.world, at.clock, door)
    asyncio.run(courier.settle())
    assert len(door.seen) == 2
    assert courier.next_due() == at.clock.now() + 2


def test_only_the_head_of_a_queue_is_in_flight_and_queues_do_not_wait_for_each_other() -> None:
    at = table()
    gates: dict[str, asyncio.Event] = {}
    entered: list[str] = []

    async def door(headers: object, body: bytes) -> Answer:
        update = json.loads(body)
        name = update["message"]["text"] if "message" in update else update["callback_query"]["data"]
        entered.append(name)
        await gates[name].wait()
        return Answer(200, {}, b"")

    async def scenario() -> None:
        gates.update({name: asyncio.Event() for name in ("/1", "/2", "p1", "p2", "q")})
        courier = asyncio.create_task(Courier(at.world, at.clock, door).run())
        await breathe()
        at.world.say(at.people[0], at.group, "/1")
        at.world.say(at.people[1], at.group, "/2")
        press(at, at.people[0], "p1")
        press(at, at.people[0], "p2")
        press(at, at.people[1], "q")
        await breathe()
        assert sorted(entered) == ["/1", "p1", "q"]
        gates["p1"].set()
        await breathe()
        assert entered[3:] == ["p2"]
        gates["/1"].set()
        await breathe()
        assert entered[4:] == ["/2"]
        for gate in gates.values():
            gate.set()
        await breathe()
        assert at.world.waiting() == []
        courier.cancel()
        await asyncio.gather(courier, return_exceptions=True)

    asyncio.run(scenario())


def test_a_failing_head_holds_up_its_own_queue_only() -> None:
    at, door = table(), Door([BAD, BAD])
    courier = Courier(at.world, at.clock, door)
    at.world.say(at.people[0], at.group, "/1")
    at.world.say(at.people[0], at.group, "/2")

    async def scenario() -> None:
        running = asyncio.create_task(courier.run())
        await breathe()
        assert texts(door) == ["/1", "/1"]
        press(at, at.people[0])
        await breathe()
        assert texts(door)[2:] == ["b"]
        await at.clock.pass_time(2)
        assert texts(door)[3:] == ["/1", "/2"]
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(scenario())


def test_presses_are_dropped_after_150_seconds_messages_after_a_day() -> None:
    at, door = table(), Door([BAD] * 2000)
    courier = Courier(at.world, at.clock, door)
    press(at, at.people[0])
    at.world.say(at.people[0], at.group, "/a")

    async def scenario() -> None:
        kinds: dict[str, float] = {}
        start = at.clock.now()
        while (due := courier.next_due()) is not None:
            at.clock.move(max(due - at.clock.now(), 0))
            await courier.settle()
            for waiting in at.world.waiting():
                kinds[waiting.queue.split()[0]] = at.clock.now() - start
        assert 60 < kinds["press"] < 150
        assert 86000 < kinds["chat"] < 86400

    asyncio.run(scenario())


def test_a_method_in_the_answer_is_carried_out_unless_it_asks_for_something() -> None:
    at = table()
    query = press(at, at.people[0])
    answer = {"method": "answerCallbackQuery", "callback_query_id": query, "text": "好"}
    door = Door([Answer(200, {}, json.dumps(answer).encode())])
    courier = Courier(at.world, at.clock, door)
    asyncio.run(courier.settle())
    record = at.world.store.get("query", query)
    assert record is not None
    assert record["answer"]["text"] == "好"
    for body in (
        b'{"method": "getMe"}',
        b'{"method": "setWebhook", "url": ""}',
        b'{"method": "answerCallbackQuery", "callback_query_id": "1"}',
        b"{",
        b"[]",
        b"ok",
    ):
        calls = len(at.world.calls)
        at.world.say(at.people[0], at.group, "/a")
        door.answers.append(Answer(200, {}, body))
        asyncio.run(courier.settle())
        assert len(at.world.calls) - calls == (b"answerCallbackQuery" in body)
    at.world.say(at.people[0], at.group, "/a")
    door.answers.append(Answer(200, {}, f"method=sendMessage&chat_id={at.group}&text=x".encode()))
    asyncio.run(courier.settle())
    assert at.world.calls[-1].method == "sendMessage"


def test_what_was_not_delivered_is_delivered_after_a_restart(tmp_path: Path) -> None:
    path = str(tmp_path / "world.db")
    at, door = table(path), Door([BAD] * 3)
    at.world.say(at.people[0], at.group, "/a")
    at.world.say(at.people[0], at.group, "/b")
    asyncio.run(Courier(at.world, at.clock, door).settle())
    at.world.close()
    world, door = World(Store(path), at.clock.now), Door()
    asyncio.run(Courier(world, at.clock, door).settle())
    assert texts(door) == ["/a", "/b"]
    world.close()


def test_over_http_to_the_webhook_that_the_bot_sets() -> None:
    at = table()
    got: list[tuple[str | None, str]] = []

    async def hook(request: web.Request) -> web.Response:
        got.append(
            (request.headers.get("X-Telegram-Bot-Api-Secret-Token"), (await request.json())["message"]["text"])
        )
        arrived.set()
        return web.json_response({"method": "sendMessage", "chat_id": at.group, "text": "heard"})

    async def scenario() -> None:
        app = web.Application()
        app.add_routes([web.post("/hook", hook)])
        async with TestServer(app) as server:
            courier = asyncio.create_task(Courier(at.world, at.clock).run())
            at.world.say(at.people[0], at.group, "/a")
            await breathe()
            assert got == []
            at.world.call("setWebhook", {"url": str(server.make_url("/hook")), "secret_token": "abc"})
            await arrived.wait()
            await until(lambda: not at.world.waiting())
            courier.cancel()
            await asyncio.gather(courier, return_exceptions=True)

    arrived = asyncio.Event()
    asyncio.run(scenario())
    assert got == [("abc", "/a")]
    assert at.world.messages(at.group)[-1]["text"] == "heard"
