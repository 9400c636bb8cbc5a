"""Logs carry ids, versions, codes and times, whoever writes them and whatever went wrong."""

import asyncio
import gc
import io
import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from enum import StrEnum
from types import TracebackType

import httpx
import pytest

from infra.log import FIELDS, context, log, setup_logging

TOKEN = ":".join(["123456789", "AA" + "x-_" * 11])  # what a token looks like
URL = f"https://api.telegram.org/bot{TOKEN}/sendMessage"

Lines = Callable[[], list[dict[str, object]]]


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    names = ["", "nightfall", "httpx", "httpcore", "telegram", "aiohttp.access"]
    levels = {name: logging.getLogger(name).level for name in names}
    handlers, raising = list(root.handlers), logging.raiseExceptions
    hooks = sys.excepthook, threading.excepthook
    stream = io.StringIO()
    setup_logging(stream)
    yield stream
    root.handlers[:] = handlers
    logging.raiseExceptions = raising
    sys.excepthook, threading.excepthook = hooks
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def lines(stream: io.StringIO) -> Lines:
    return lambda: [json.loads(line) for line in stream.getvalue().splitlines()]


def failing_call() -> httpx.HTTPError:
    """Return the error of a call, raised from another, both with the address in their text."""
    try:
        try:
            raise OSError(f"no route to {URL}")
        except OSError as error:
            raise httpx.ConnectError(f"cannot reach {URL}") from error
    except httpx.HTTPError as error:
        return error


def test_a_line_has_its_fields(lines: Lines) -> None:
    log("update_handled", key="TABLE#ab12cd34", version=7, seconds=0.25, chat=-1001234567890, code=None)
    (line,) = lines()
    assert isinstance(line.pop("at"), float)
    assert line == {
        "level": "info",
        "event": "update_handled",
        "key": "TABLE#ab12cd34",
        "version": 7,
        "seconds": 0.25,
        "chat": -1001234567890,
        "code": None,
    }


def test_codes_may_be_members_of_an_enumeration(lines: Lines) -> None:
    class Code(StrEnum):
        TOO_LATE = "too_late"

    log("refused", code=Code.TOO_LATE)
    assert lines()[0]["code"] == "too_late"


@pytest.mark.parametrize("field", ["text", "name", "role", "seat", "answer", "token", "msg", "exc_info"])
def test_other_fields_are_refused(stream: io.StringIO, field: str) -> None:
    with pytest.raises(TypeError, match=field):
        log("update_handled", **{field: 1})  # type: ignore[arg-type]
    assert stream.getvalue() == ""


@pytest.mark.parametrize("value", [ValueError("secret"), {"a": 1}, [1], b"bytes", object()])
def test_other_values_are_refused(stream: io.StringIO, value: object) -> None:
    with pytest.raises(TypeError, match="code") as refused:
        log("update_handled", code=value)  # type: ignore[arg-type]
    assert "secret" not in str(refused.value)
    assert stream.getvalue() == ""


@pytest.mark.parametrize("event", ["", "Seat 3 is a wolf", "seat-3", f"failed {URL}", "狼人", "ok\n"])
def test_an_event_is_a_name(event: str) -> None:
    with pytest.raises(TypeError, match="snake case"):
        log(event)


@pytest.mark.parametrize(
    "text", ["I am the seer", "预言家", "a\nb", "", "x" * 81, TOKEN, f"bot{TOKEN}/sendMessage", '"}', "ok\n"]
)
def test_a_text_that_is_no_code_is_not_written(lines: Lines, text: str) -> None:
    log("refused", code=text)
    assert lines()[0]["code"] == "?"


@pytest.mark.parametrize(
    "text",
    ["TABLE#ab12cd34", "CHAT#telegram:-1001234567890", "PLAYER#telegram:987654321012", "GAME#1#02", "403"],
)
def test_ids_and_codes_are_written(lines: Lines, text: str) -> None:
    log("refused", code=text)
    assert lines()[0]["code"] == text


def test_fields_do_not_hide_what_every_line_has() -> None:
    assert not FIELDS & {"at", "level", "event", "logger", "place", "errors", "error"}


def test_an_error_is_its_types_and_places(lines: Lines, stream: io.StringIO) -> None:
    log("send_failed", level=logging.ERROR, error=failing_call(), method="sendMessage")
    (line,) = lines()
    assert line["level"] == "error"
    errors = line["errors"]
    assert isinstance(errors, list)
    assert [error["type"] for error in errors] == ["httpx.ConnectError", "builtins.OSError"]
    for error in errors:
        (frame,) = error["frames"]
        assert frame.startswith("infra/test_log.py:")
    assert "api.telegram.org" not in stream.getvalue()
    assert TOKEN not in stream.getvalue()


def test_the_parts_of_a_group_are_described(lines: Lines, stream: io.StringIO) -> None:
    log("send_failed", error=ExceptionGroup("secret", [failing_call(), ValueError("secret")]))
    errors = lines()[0]["errors"]
    assert isinstance(errors, list)
    types = {error["type"] for error in errors}
    assert {"builtins.ExceptionGroup", "httpx.ConnectError", "builtins.ValueError"} <= types
    assert "secret" not in stream.getvalue()


def test_a_circle_of_causes_ends(lines: Lines) -> None:
    one, other = ValueError(), KeyError()
    one.__cause__, other.__cause__ = other, one
    log("send_failed", error=one)
    assert len(lines()) == 1


def test_a_deep_error_stays_short(stream: io.StringIO) -> None:
    def fall(depth: int) -> None:
        if depth == 0:
            raise ValueError
        fall(depth - 1)

    with pytest.raises(ValueError) as caught:  # noqa: PT011 - it has no text to match
        fall(200)
    log("send_failed", error=caught.value)
    assert len(stream.getvalue()) < 1000


@pytest.mark.parametrize("name", ["telegram.ext.Application", "httpx", "httpcore.http11", "other"])
def test_messages_of_other_libraries_are_places(lines: Lines, stream: io.StringIO, name: str) -> None:
    try:
        raise failing_call()
    except httpx.HTTPError as error:
        logging.getLogger(name).exception("while calling %s: %s", URL, error)
    (line,) = lines()
    assert line["logger"] == name
    assert str(line["place"]).startswith("infra/test_log.py:")
    assert "api.telegram.org" not in stream.getvalue()


@pytest.mark.parametrize("name", ["telegram.Bot", "httpx", "httpcore.http11", "aiohttp.access"])
def test_calls_are_not_logged(stream: io.StringIO, name: str) -> None:
    logging.getLogger(name).info('HTTP Request: POST %s "HTTP/1.1 200 OK"', URL)
    assert stream.getvalue() == ""


def test_a_real_call_leaves_no_address(stream: io.StringIO) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(500, request=request)

    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        response = client.post(URL)
    with pytest.raises(httpx.HTTPStatusError, match=TOKEN) as caught:
        response.raise_for_status()
    log("send_failed", error=caught.value)
    assert "HTTPStatusError" in stream.getvalue()
    assert TOKEN not in stream.getvalue()


def test_a_record_that_does_not_fit_its_arguments_is_no_leak(
    lines: Lines, capsys: pytest.CaptureFixture[str]
) -> None:
    logging.getLogger("other").warning("%d calls to %s", URL)
    assert len(lines()) == 1
    assert TOKEN not in capsys.readouterr().err


def test_a_task_nobody_waited_for_is_no_leak(lines: Lines, stream: io.StringIO) -> None:
    async def fail() -> None:
        raise failing_call()

    async def main() -> None:
        task = asyncio.create_task(fail())
        await asyncio.wait([task])
        del task
        gc.collect()

    asyncio.run(main())
    assert [line["logger"] for line in lines()] == ["asyncio"]
    assert "ConnectError" in stream.getvalue()
    assert TOKEN not in stream.getvalue()


def test_an_uncaught_error_is_no_leak(lines: Lines, stream: io.StringIO) -> None:
    error = failing_call()
    trace: TracebackType | None = error.__traceback__
    sys.excepthook(type(error), error, trace)
    threading.excepthook(threading.ExceptHookArgs([type(error), error, trace, None]))
    assert [line["event"] for line in lines()] == ["uncaught", "uncaught"]
    assert TOKEN not in stream.getvalue()


def test_an_interrupt_is_no_error(stream: io.StringIO) -> None:
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert stream.getvalue() == ""


def test_setting_up_twice_writes_once(stream: io.StringIO, lines: Lines) -> None:
    setup_logging(stream)
    log("started")
    assert len(lines()) == 1


def test_a_context_is_in_every_line_inside(lines: Lines) -> None:
    with context(request_id="r1", release="v1"):
        log("started")
        with context(table="ab12cd34"):
            log("judged", release="v2")
    log("ended")
    inside, within, outside = (
        {name: value for name, value in line.items() if name not in ("at", "level")} for line in lines()
    )
    assert inside == {"event": "started", "request_id": "r1", "release": "v1"}
    assert within == {"event": "judged", "request_id": "r1", "release": "v2", "table": "ab12cd34"}
    assert outside == {"event": "ended"}


def test_a_context_is_checked_like_a_line(lines: Lines) -> None:
    with pytest.raises(TypeError, match="seat"), context(seat=3):
        log("started")
    with context(release=f"bot{TOKEN}"):
        log("started")
    assert [line["release"] for line in lines()] == ["?"]
