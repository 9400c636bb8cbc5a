"""Long polling against the small Telegram: what comes, in which order, when again; and how the process begins."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from telegram import Bot
from telegram.request import RequestData

import infra.local.__main__ as program
from handlers import buttons
from infra.local import polling
from infra.local.courier import Answer
from infra.local.dotenv import BadLineError, read_env
from infra.local.on_telegram import NotServedError, bot_of, serve_telegram
from infra.local.polling import Poller, WallClock
from infra.local.state import PRESS_LIFETIME
from infra.local.store import Store
from infra.local.world import World
from infra.log import JsonFormatter
from infra.secrets import TOKEN_VARIABLE
from tests.fakes import FakeClock
from tests.handlers.process import TOKEN, Fuse, Wire
from tests.handlers.town import town
from tests.local.support import bot_of as bot_over_http
from tests.local.support import forget_updates, key, keyboard, served, table, until

ROOT = Path(polling.__file__).parent.parent.parent
SECRET = "a-secret-header"
OK = Answer(200, {}, b"")
BUSY = Answer(503, {"Retry-After": "7"}, b"")
ENDLESS = 1000
HOUR = 3600


class Line(Wire):
    """A direct line to the small Telegram, on which a long poll is answered when there is something."""

    def __init__(self, world: World, clock: FakeClock, fuse: Fuse | None = None) -> None:
        super().__init__(world, clock, fuse or Fuse())
        self._now = clock.now
        self._news = asyncio.Event()
        self.polls: list[tuple[float, Mapping[str, str]]] = []
        world.subscribe(lambda change: self._news.set() if change.kind == "update" else None)

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *_args: Any, **_kwargs: Any
    ) -> tuple[int, bytes]:
        if not url.endswith("/getupdates"):
            return await super().do_request(url, method, request_data)
        assert request_data is not None
        asked = request_data.json_parameters
        self.polls.append((self._now(), asked))
        while True:
            self._news.clear()
            status, answer = await super().do_request(url, method, request_data)
            if asked["timeout"] == "0" or json.loads(answer).get("result") != []:
                return status, answer
            await self._news.wait()

    def bot(self) -> Bot:
        return Bot(TOKEN, base_url="http://telegram.invalid/bot", request=self, get_updates_request=self)


class Porter:
    """A door that notes what comes, waits where it is told to, and answers 200 if it is told nothing else."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self.bodies: list[bytes] = []
        self.answers: dict[str, list[Answer | Exception]] = {}
        self.gates: dict[str, asyncio.Event] = {}

    def shut(self, *words: str) -> None:
        self.gates |= {word: asyncio.Event() for word in words}

    async def __call__(self, headers: Mapping[str, str], body: bytes) -> Answer:
        assert headers["X-Telegram-Bot-Api-Secret-Token"] == SECRET
        update = json.loads(body)
        word = update["message"]["text"] if "message" in update else update["callback_query"]["data"]
        self.came.append(word)
        self.bodies.append(body)
        if word in self.gates:
            await self.gates[word].wait()
        waiting = self.answers.get(word)
        answer = waiting.pop(0) if waiting else OK
        if isinstance(answer, Exception):
            raise answer
        return answer


class Post:
    """A group of two and the bot, whose updates are polled."""

    def __init__(self, world: World, clock: FakeClock) -> None:
        self.world = world
        self.clock = clock
        self.porter = Porter()
        self.line: Line
        self.task: asyncio.Task[None]
        self.members = [world.new_member(name) for name in "甲乙"]
        self.group = world.new_group("狼人杀", self.members[0])
        world.join_group(self.members[1], self.group)
        world.add_bot(self.group, self.members[0])
        markup = keyboard([key("a", "b")])
        given = {"chat_id": self.group, "text": "x", "reply_markup": markup}
        self.button = world.call("sendMessage", given)["message_id"]
        forget_updates(world)

    def say(self, text: str) -> None:
        self.world.say(self.members[0], self.group, text)

    def press(self, data: str, who: int = 0) -> str:
        return self.world.press(self.members[who], self.group, self.button, data)

    async def begin(self, fuse: Fuse | None = None) -> None:
        """Start the process."""
        self.line = Line(self.world, self.clock, fuse)
        self.task = asyncio.create_task(Poller(self.line.bot(), self.porter, SECRET, self.clock).run())
        await self.clock.settle()

    async def end(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    def waiting(self) -> list[int]:
        """The updates that Telegram still keeps."""
        return [waiting.update_id for waiting in self.world.waiting()]

    def answer(self, query: str) -> dict[str, Any] | None:
        """What a press was answered with."""
        record = self.world.store.get("query", query)
        assert record is not None
        return record.get("answer")


def play(scenario: Callable[[Post], Coroutine[Any, Any, None]]) -> None:
    clock = FakeClock()
    world = World(Store(":memory:"), clock.now)
    at = Post(world, clock)

    async def run() -> None:
        try:
            await scenario(at)
        finally:
            await at.end()

    try:
        asyncio.run(run())
    finally:
        world.close()


@pytest.fixture(autouse=True)
def _everything_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="nightfall")


def events(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """What was logged, as it would be written; the token is in none of it."""
    lines = [JsonFormatter().format(record) for record in caplog.records]
    assert not [line for line in lines if TOKEN in line or TOKEN.partition(":")[2] in line]
    return [json.loads(line) for line in lines]


# The order of things ---------------------------------------------------------------------------------------


def test_each_update_reaches_the_door_once_and_is_confirmed() -> None:
    async def scenario(at: Post) -> None:
        at.say("/before")
        await at.begin()
        at.say("/1")
        at.press("p")
        await at.clock.elapse(5)
        assert sorted(at.porter.came) == ["/1", "/before", "p"]
        assert at.waiting() == []
        assert {asked["allowed_updates"] for _, asked in at.line.polls} == {json.dumps(list(polling.KINDS))}
        assert at.line.polls[-1][1]["timeout"] == "50"

    play(scenario)


def test_in_order_by_chat_and_by_user_and_side_by_side_otherwise() -> None:
    async def scenario(at: Post) -> None:
        at.porter.shut("/1", "p1", "q1", "/2", "p2")
        await at.begin()
        for word in ("/1", "/2"):
            at.say(word)
        at.press("p1")
        at.press("p2")
        at.press("q1", who=1)
        await at.clock.elapse(2)
        assert sorted(at.porter.came) == ["/1", "p1", "q1"]
        at.porter.gates["p1"].set()
        await at.clock.settle()
        assert at.porter.came[3:] == ["p2"]
        at.porter.gates["/1"].set()
        await at.clock.settle()
        assert at.porter.came[4:] == ["/2"]
        for gate in at.porter.gates.values():
            gate.set()
        await at.clock.elapse(1)
        assert at.waiting() == []
        assert len(at.porter.came) == 5

    play(scenario)


def test_while_something_is_under_way_new_updates_come_and_telegram_is_not_pestered() -> None:
    async def scenario(at: Post) -> None:
        at.porter.shut("p")
        await at.begin()
        at.press("p")
        await at.clock.settle()
        asked = len(at.line.polls)
        at.say("/1")
        await at.clock.elapse(polling.PACE)
        assert at.porter.came == ["p", "/1"]
        await at.clock.elapse(30)
        assert len(at.line.polls) - asked <= 30 / polling.PACE + 2
        assert len(at.waiting()) == 2
        at.porter.gates["p"].set()
        await at.clock.settle()
        assert at.waiting() == []

    play(scenario)


def test_a_webhook_is_taken_off_and_what_waited_for_it_comes() -> None:
    async def scenario(at: Post) -> None:
        at.world.call("setWebhook", {"url": "https://a.example/hook", "secret_token": "other"})
        at.say("/1")
        await at.begin()
        assert at.world.webhook()["url"] == ""
        assert at.porter.came == ["/1"]

    play(scenario)


# Again ---------------------------------------------------------------------------------------------------


def test_503_is_tried_again_when_it_asks_to_and_holds_up_its_own_queue_only() -> None:
    async def scenario(at: Post) -> None:
        at.porter.answers = {"/1": [BUSY, BUSY], "p": [ValueError("a bug")]}
        await at.begin()
        at.say("/1")
        at.say("/2")
        at.press("p")
        await at.clock.elapse(6.9)
        assert sorted(at.porter.came) == ["/1", "p", "p"], "the second try of a failure comes at once"
        await at.clock.elapse(6.9)
        assert at.porter.came.count("/1") == 2
        assert len(at.waiting()) == 3
        await at.clock.elapse(1)
        assert at.porter.came[-2:] == ["/1", "/2"]
        assert at.waiting() == []

    play(scenario)


def test_a_killed_process_gets_again_all_that_follows_what_it_had_not_done() -> None:
    async def scenario(at: Post) -> None:
        fuse = Fuse()
        at.porter.shut("p")
        await at.begin(fuse)
        at.say("/0")
        await at.clock.elapse(1)
        at.press("p")
        at.say("/1")
        await at.clock.elapse(5)
        assert at.porter.came == ["/0", "p", "/1"]
        fuse.dead = True
        await at.end()
        assert len(at.waiting()) == 2
        at.porter = Porter()
        await at.begin()
        await at.clock.elapse(1)
        assert sorted(at.porter.came) == ["/1", "p"]
        assert at.waiting() == []

    play(scenario)


def test_a_process_that_is_stopped_confirms_what_it_has_done() -> None:
    async def scenario(at: Post) -> None:
        at.porter.shut("/2")
        await at.begin()
        at.say("/1")
        at.say("/2")
        await at.clock.settle()
        assert (at.porter.came, len(at.waiting())) == (["/1", "/2"], 2)
        await at.end()
        assert len(at.waiting()) == 1
        assert at.line.polls[-1][1]["timeout"] == "0"

    play(scenario)


def test_what_always_fails_is_given_up_when_it_expires() -> None:
    async def scenario(at: Post) -> None:
        at.porter.answers = {"p": [BUSY] * ENDLESS, "/1": [Answer(500, {"Retry-After": str(HOUR)}, b"")] * ENDLESS}
        await at.begin()
        at.say("/1")
        at.say("/2")
        at.press("p")
        at.press("q")
        await at.clock.elapse(PRESS_LIFETIME - 10)
        assert "q" not in at.porter.came
        await at.clock.elapse(10)
        assert at.porter.came[-1] == "q"
        for _ in range(22):
            at.clock.advance(HOUR)
            await at.clock.settle()
        assert at.porter.came[-1] == "/1"
        at.clock.advance(HOUR)
        await at.clock.settle()
        assert at.porter.came[-2:] == ["/1", "/2"], "the next try would have come too late"
        await at.clock.elapse(1)
        assert at.waiting() == []

    play(scenario)


def test_an_update_that_is_stuck_keeps_nobody_else_waiting_for_ever(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(at: Post) -> None:
        at.porter.shut("p")
        await at.begin()
        at.press("p")
        for number in range(polling.LIMIT + 20):
            at.say(f"/{number}")
        await at.clock.elapse(polling.STUCK_SECONDS - 1)
        assert len(at.porter.came) == polling.LIMIT
        await at.clock.elapse(5)
        assert len(at.porter.came) == polling.LIMIT + 21
        assert at.waiting() == []
        at.porter.gates["p"].set()
        await at.clock.settle()
        at.press("q")
        await at.clock.elapse(1)
        assert (at.porter.came[-1], at.waiting()) == ("q", [])

    play(scenario)
    assert [line["event"] for line in events(caplog)] == ["polling_stuck"]


# Answers -------------------------------------------------------------------------------------------------


def test_a_method_in_the_answer_is_carried_out(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(at: Post) -> None:
        query = at.press("p")
        late = at.press("q", who=1)
        for word, number in (("p", query), ("q", late)):
            method = {
                "method": "answerCallbackQuery",
                "callback_query_id": number,
                "text": "好",
                "show_alert": True,
            }
            at.porter.answers[word] = [Answer(200, {}, json.dumps(method).encode())]
        at.porter.shut("q")
        await at.begin()
        assert at.answer(query) == {"text": "好", "show_alert": True, "url": ""}
        await at.clock.elapse(30)
        at.porter.gates["q"].set()
        await at.clock.elapse(1)
        assert at.answer(late) is None
        assert at.waiting() == []

    play(scenario)
    (line,) = (line for line in events(caplog) if line.get("event") == "answer_lost")
    assert line["method"] == "answercallbackquery"


# Trouble with Telegram -----------------------------------------------------------------------------------


def test_when_telegram_fails_the_pauses_grow_up_to_a_cap(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(at: Post) -> None:
        at.world.faults.broken("deleteWebhook")
        at.world.faults.broken("getUpdates", times=8)
        at.say("/1")
        await at.begin()
        await at.clock.elapse(250)
        at.world.faults.drop("getUpdates")
        at.say("/2")
        await at.clock.elapse(5)
        times = [when for when, _ in at.line.polls]
        assert [round(b - a) for a, b in pairwise(times)][:8] == [1, 2, 4, 8, 16, 32, 60, 60]
        assert at.porter.came == ["/1", "/2"]
        assert at.waiting() == []

    play(scenario)
    failures = events(caplog)
    assert [line["retry_after"] for line in failures] == [1, 1, 2, 4, 8, 16, 32, 60, 60, 1]
    assert all("NetworkError" in line["errors"][0]["type"] for line in failures)


def test_telegrams_own_pause_is_kept(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(at: Post) -> None:
        at.world.faults.too_many("getUpdates", 17)
        at.say("/1")
        await at.begin()
        await at.clock.elapse(16)
        assert at.porter.came == []
        await at.clock.elapse(1)
        assert at.porter.came == ["/1"]

    play(scenario)
    assert [line["retry_after"] for line in events(caplog)] == [17]


def test_whoever_else_takes_the_updates_is_named_and_not_fought(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(at: Post) -> None:
        await at.begin()
        at.world.call("setWebhook", {"url": "https://a.example/hook"})
        at.say("/1")
        await at.clock.elapse(polling.CONFLICT_SECONDS + 1)
        assert at.world.webhook()["url"] == "https://a.example/hook"
        assert len(at.line.polls) == 2
        at.world.call("deleteWebhook", {})
        await at.clock.elapse(polling.CONFLICT_SECONDS)
        assert at.porter.came == ["/1"]

    play(scenario)
    lines = events(caplog)
    assert [(line["event"], line["code"]) for line in lines] == [("polling_conflict", "webhook_is_set")] * 2


def test_over_http_an_update_comes_as_telegram_sent_it_unknown_fields_included() -> None:
    at, porter = table(), Porter()

    async def scenario() -> None:
        async with bot_over_http(at.world) as bot:
            task = asyncio.create_task(Poller(bot, porter, SECRET, at.clock).run())
            await until(lambda: any(call.method == "getUpdates" for call in at.world.calls))
            body = {"chat": {"id": at.group}, "text": "/1", "from": {"id": 1}, "hologram": {"depth": 3}}
            number = at.world.queue_update("message", body, f"chat {at.group}")
            await until(lambda: bool(porter.came) and not at.world.waiting())
            assert json.loads(porter.bodies[0]) == {"update_id": number, "message": body}
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(scenario())


# The whole -------------------------------------------------------------------------------------------------


def test_a_whole_game_by_long_polling(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def scenario() -> None:
        async with town(8, direct=True) as here:
            stop = asyncio.Event()
            bot = Line(here.world, here.clock).bot()
            serving = asyncio.create_task(serve_telegram(bot, tmp_path, here.clock, stop))
            await here.clock.elapse(1)
            for member in here.members:
                here.world.start_bot(member)
            here.world.say(here.members[0], here.group, "/newgame")
            await here.clock.elapse(5)
            for member in here.members:
                here.press(member, here.group, here.newest(here.group), buttons.JOIN)
                await here.clock.elapse(2)
            here.press(here.members[0], here.group, here.newest(here.group), buttons.START)
            await here.clock.elapse(5)
            here.house_plays()
            playing = asyncio.create_task(here.house.run())
            for _ in range(240):
                await here.clock.elapse(60)
                if here.is_over():
                    break
            assert here.is_over()
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await here.clock.elapse(60)
            stop.set()
            await serving
            texts = here.texts(here.group)
            assert sum("对局开始" in text for text in texts) == 1
            assert sum(text.startswith("🏁") for text in texts) == 1
            assert here.world.waiting() == []
            assert here.unanswered() == []
            for member in here.members:
                assert len([text for text in here.texts(member) if "你是" in text and "同局" in text]) == 1

    asyncio.run(scenario())
    said = capsys.readouterr()
    assert "@NightfallBot" in said.out
    assert "https://t.me/NightfallBot?startgroup=" in said.out
    assert TOKEN not in said.out + said.err
    assert [path.name for path in tmp_path.iterdir()] == ["telegram.sqlite"]


def test_the_wall_clock_wakes_nobody_too_early() -> None:
    clock = WallClock()

    async def scenario() -> float:
        when = clock.now() + 0.001
        await clock.sleep_until(when)
        await clock.sleep_until(when - 10)
        return clock.now() - when

    assert 0 <= asyncio.run(scenario()) < 5


# How the process begins ------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["", "a token", "12:", "12:ab/../cd", "12:ab cd", "１２:abc"])
def test_what_is_no_token_is_not_even_sent(token: str) -> None:
    with pytest.raises(NotServedError, match=f"{TOKEN_VARIABLE} is not the token of a bot"):
        bot_of(token)
    assert bot_of(TOKEN).token == TOKEN


def test_a_wrong_token_ends_in_one_sentence_without_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    async def scenario() -> None:
        async with served(table().world) as server:
            bot = Bot(TOKEN, base_url=f"http://127.0.0.1:{server.port}/bot")
            await serve_telegram(bot, tmp_path, FakeClock(), asyncio.Event())

    with pytest.raises(NotServedError, match="BotFather") as ended:
        asyncio.run(scenario())
    assert TOKEN not in str(ended.value)
    assert ended.value.__suppress_context__
    events(caplog)
    assert capsys.readouterr() == ("", "")


def test_a_telegram_that_cannot_be_reached_is_said_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with town(1, direct=True) as here:
            here.world.faults.broken("getMe")
            bot = Line(here.world, here.clock).bot()
            await serve_telegram(bot, tmp_path, here.clock, asyncio.Event())

    with pytest.raises(NotServedError, match=r"cannot be reached \(NetworkError\)"):
        asyncio.run(scenario())
    events(caplog)


def test_the_process_itself_ends_so(tmp_path: Path) -> None:
    token = "123456:not/a/token"
    ended = subprocess.run(
        [sys.executable, "-m", "infra.local", "--data", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, TOKEN_VARIABLE: token},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.splitlines() == [
        f"{TOKEN_VARIABLE} is not the token of a bot: copy it again from @BotFather."
    ]


@pytest.mark.parametrize(
    ("file", "variable", "served_as"),
    [
        ("", None, "playground"),
        ("", "", "playground"),
        (f"{TOKEN_VARIABLE}=1:file", None, "1:file"),
        (f"{TOKEN_VARIABLE}=1:file", "2:environment", "2:environment"),
        (f"{TOKEN_VARIABLE}=1:file", "", "playground"),
    ],
)
def test_the_token_decides_and_the_environment_wins(
    file: str, variable: str | None, served_as: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[str] = []

    async def serve_playground(folder: Path, port: int, stop: asyncio.Event) -> None:
        served.append("playground")

    async def serve(bot: Bot, folder: Path, clock: WallClock, stop: asyncio.Event) -> None:
        served.append(bot.token)

    (tmp_path / ".env").write_text(file)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["nightfall"])
    monkeypatch.setattr(program, "setup_logging", lambda: None)
    monkeypatch.setattr(program, "serve_playground", serve_playground)
    monkeypatch.setattr(program, "serve_telegram", serve)
    monkeypatch.delenv("NIGHTFALL_DATA", raising=False)
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    if variable is not None:
        monkeypatch.setenv(TOKEN_VARIABLE, variable)
    program.main()
    assert served == [served_as]
    assert (tmp_path / "data").is_dir()
    (tmp_path / ".env").write_text("12:secret")
    with pytest.raises(SystemExit) as ended:
        program.main()
    assert ended.value.code == ".env, line 1: KEY=VALUE is expected"


def test_env_files(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    assert read_env(path) == {}
    lines = ["\ufeff# the bot", "", "A=1:x=y", "  B = two words ", 'C="q"', "D=''", "E='", "F=", "G=a # b", "A=2"]
    path.write_bytes("\r\n".join(lines).encode())
    assert read_env(path) == {"A": "2", "B": "two words", "C": "q", "D": "", "E": "'", "F": "", "G": "a # b"}


@pytest.mark.parametrize("line", ["12:secret", "=secret", "1A=secret", "export A=secret", "A B=secret"])
def test_a_line_that_cannot_be_read_is_named_not_shown(line: str, tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text(f"A=1\n{line}\n")
    with pytest.raises(BadLineError) as bad:
        read_env(path)
    assert str(bad.value) == ".env, line 2: KEY=VALUE is expected"
    path.write_bytes(b"A=\xff")
    with pytest.raises(BadLineError, match=r"\.env is not UTF-8 text"):
        read_env(path)
