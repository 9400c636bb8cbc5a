"""Log lines: one JSON object each, of ids, versions, codes, times and counts, and nothing that people said.

Not a word of an exception is printed, because the HTTP client's errors quote the address of the call, and the
address of every Bot API call holds the token. Nor of other libraries' messages: they quote exceptions.
"""

import json
import logging
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import TextIO

import msgspec

Value = str | int | float | bool | None

# Neither seat nor step nor deadline of a step: who acts at night must not be read off a log.
FIELDS = frozenset(
    {
        # ids
        "key", "sort", "table", "chat", "topic", "user", "game", "update_id", "message_id", "request_id",
        # versions
        "version", "serial", "release",
        # codes
        "platform", "method", "status", "code", "outcome",
        # counts and sizes in bytes
        "count", "pending", "attempt", "size",
        # times in epoch seconds, durations in seconds
        "due", "lease_until", "seconds", "retry_after",
    }
)  # fmt: skip

_LOGGER = logging.getLogger("nightfall")
_QUIET = ("httpx", "httpcore", "telegram", "aiohttp.access")
_CONTEXT: ContextVar[dict[str, Value]] = ContextVar("context", default={})  # noqa: B039 - it is never changed
_MOST_ERRORS = 8
_MOST_FRAMES = 20

# What a code or an id looks like. A bot token looks like one too.
_EVENT = re.compile(r"[a-z][a-z0-9_]*")
_PLAIN = re.compile(r"(?!.*\d{5,}:[\w-]{20,})[A-Za-z0-9_.:#/-]{1,80}")


class _Line(msgspec.Struct, frozen=True):
    event: str
    fields: dict[str, Value]


def log(event: str, *, level: int = logging.INFO, error: BaseException | None = None, **fields: Value) -> None:
    """Write one line: `event` (a name in snake case), `fields`, and of `error` the types and places only.

    A text that does not look like an id or a code is written as "?". Raises TypeError for a field that is not
    in FIELDS, for a value that is neither text nor number, and for an event that is not a name: all of these
    are written in the code, so that a test meets them.
    """
    if not _EVENT.fullmatch(event):
        raise TypeError("an event is a name in snake case")
    plain = _CONTEXT.get() | _checked(fields)
    _LOGGER.log(level, event, exc_info=error, extra={"line": _Line(event, plain)})


@contextmanager
def context(**fields: Value) -> Iterator[None]:
    """Write `fields` into every line that is logged inside."""
    before = _CONTEXT.set(_CONTEXT.get() | _checked(fields))
    try:
        yield
    finally:
        _CONTEXT.reset(before)


def _checked(fields: dict[str, Value]) -> dict[str, Value]:
    for name, value in fields.items():
        if name not in FIELDS:
            raise TypeError(f"{name} is not a field that may be logged")
        if not (value is None or isinstance(value, str | int | float)):
            raise TypeError(f"{name} is logged as a {type(value).__name__}")
    return {name: _plain(value) for name, value in fields.items()}


def setup_logging(stream: TextIO | None = None) -> None:
    """Send every log line of this process to `stream` (stderr), in this form and no other.

    That includes other libraries' lines from WARNING on, of which logger and place are written, and errors
    that nobody catches. Whatever handlers the root logger had are taken off; calling it again is harmless.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    _LOGGER.setLevel(logging.INFO)
    # A handler that fails would print the record with its arguments.
    logging.raiseExceptions = False
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread


class JsonFormatter(logging.Formatter):
    """Records as JSON lines: `at` in epoch seconds, `level`, then what `log` was given.

    A record that was not made by `log` shows its logger and the place of the call instead of its message.
    `errors` are the exception, its causes and its parts: `type`, and `frames` as file:line, outermost first.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its end."""
        out: dict[str, object] = {"at": round(record.created, 3), "level": record.levelname.lower()}
        line = record.__dict__.get("line")
        if isinstance(line, _Line):
            out |= {"event": line.event, **line.fields}
        else:
            out |= {"logger": record.name, "place": _place(record.pathname, record.lineno)}
        if record.exc_info and record.exc_info[1] is not None:
            out["errors"] = [_describe(error) for error in _related(record.exc_info[1])]
        return json.dumps(out, separators=(",", ":"))


def _plain(value: Value) -> Value:
    return "?" if isinstance(value, str) and not _PLAIN.fullmatch(value) else value


def _related(error: BaseException) -> Iterator[BaseException]:
    """Yield the error, what it was raised from and what it consists of, each once."""
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting and len(seen) < _MOST_ERRORS:
        current = waiting.pop(0)
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        waiting.append(current.__cause__ or (None if current.__suppress_context__ else current.__context__))
        if isinstance(current, BaseExceptionGroup):
            waiting.extend(current.exceptions)


def _describe(error: BaseException) -> dict[str, object]:
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(_place(trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    return {"type": f"{type(error).__module__}.{type(error).__qualname__}", "frames": frames[-_MOST_FRAMES:]}


def _place(path: str, line: int) -> str:
    return f"{'/'.join(Path(path).parts[-2:])}:{line}"


def _uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if isinstance(error, KeyboardInterrupt):
        return
    log("uncaught", level=logging.CRITICAL, error=error)


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    _uncaught(args.exc_type, args.exc_value, args.exc_traceback)
