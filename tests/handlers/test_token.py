"""The token is in the address of every call, and nowhere else: not in a log, not in an error, not in a chat."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Iterator

import pytest
from telegram import Bot
from telegram.request import HTTPXRequest

from handlers.telegram.client import Client
from infra.log import setup_logging
from tests.handlers.process import TOKEN
from tests.handlers.script import Script
from tests.handlers.town import town

QUIET = ("httpx", "httpcore", "telegram", "aiohttp.access", "nightfall")
SECRET = TOKEN.partition(":")[2]


class Everything(logging.Handler):
    """Keeps what any formatter could make of a record."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{logging.Formatter().format(record)} {record.__dict__!r}")


@pytest.fixture
def logs() -> Iterator[tuple[Everything, io.StringIO]]:
    """The log as it is set up, and beside it all that reaches the root logger at DEBUG."""
    root = logging.getLogger()
    before = (root.level, root.handlers[:], logging.raiseExceptions)
    levels = {name: logging.getLogger(name).level for name in QUIET}
    stream, everything = io.StringIO(), Everything()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.excepthook", None)
        patch.setattr("threading.excepthook", None)
        setup_logging(stream)
        root.setLevel(logging.DEBUG)
        root.addHandler(everything)
        yield everything, stream
    root.setLevel(before[0])
    root.handlers[:] = before[1]
    logging.raiseExceptions = before[2]
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def test_a_game_with_every_logger_open_shows_no_token(logs: tuple[Everything, io.StringIO]) -> None:
    async def play() -> None:
        async with town(8, 2, deal=bytes([2]) * 32) as here:
            faults = here.world.faults
            for method in ("sendMessage", "editMessageText", "editMessageReplyMarkup", "getChatMember"):
                faults.drop(method)
                faults.broken(method)
                faults.too_many(method, 2)
                faults.forbidden(method)
            await here.moderator.introduce()
            script = Script(here, 2)
            await script.begin()
            await script.play()
            assert here.table().phase == "over"
            written = [str(call.params) for call in here.world.calls]
            assert not [text for text in written if SECRET in text]
            assert not [answer for answer in here.answers if SECRET.encode() in answer.body]

    everything, stream = logs
    asyncio.run(play())
    logging.getLogger("probe").debug("the root logger listens")
    assert any("the root logger listens" in line for line in everything.lines)
    assert not [line for line in everything.lines if SECRET in line]
    assert SECRET not in stream.getvalue()


def test_the_http_clients_loggers_are_quiet(logs: tuple[Everything, io.StringIO]) -> None:
    for name in ("httpx", "httpcore", "httpcore.connection", "httpcore.http11"):
        assert logging.getLogger(name).getEffectiveLevel() >= logging.WARNING, name


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:1/bot", "http://nowhere.invalid/bot", "http://[/bot", "ftp://127.0.0.1/bot"]
)
def test_no_error_of_a_call_leaves_the_client(address: str, logs: tuple[Everything, io.StringIO]) -> None:
    """What the HTTP client raises quotes the address; of that only what kind it was goes on."""

    async def play() -> None:
        request = HTTPXRequest(connect_timeout=0.2)
        client = Client(Bot(TOKEN, base_url=address, request=request, get_updates_request=request))
        outcomes = [
            await client.send(1, "x"),
            await client.edit(1, 1, "x"),
            await client.keyboard(1, 1, None),
            await client.delete(1, 1),
            await client.answer("1", "x"),
            await client.status(1, 1),
        ]
        assert SECRET not in repr(outcomes)
        await request.shutdown()

    everything, stream = logs
    asyncio.run(play())
    assert not [line for line in everything.lines if SECRET in line]
    assert SECRET not in stream.getvalue()
