"""What a press takes of the processor: through the webhook's door and the real client of the store.

What the store answers is canned, by another process on this machine, so that its work is not counted; the way
there is plain HTTP. A press is a vote that sends nothing: it is answered in its own response.
"""

from __future__ import annotations

import asyncio
import base64
import cProfile
import json
import os
import pstats
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine import view_for
from handlers import buttons
from handlers.record import Budget, Count
from handlers.wiring import telegram
from infra.aws.clients import open_client
from infra.dynamodb import DynamoStore
from infra.ports import Item
from tests.bench.report import Report
from tests.fakes import FakeTimers
from tests.handlers.process import Fuse, direct_bot
from tests.handlers.script import Script
from tests.handlers.town import SECRET, Town, town

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUNDS, VOTES = 12, 10

_CANNED = """
import base64, json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
ROW = sys.stdin.buffer.readline()
class Store(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        answer = ROW if self.headers["X-Amz-Target"].endswith("GetItem") else b"{}"
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
    def log_message(self, *_): pass
server = ThreadingHTTPServer(("127.0.0.1", 0), Store)
print(server.server_port, flush=True)
server.serve_forever()
"""

SHARES = {
    "parsing": (("shape.py", "read"),),
    "codec": (("record.py", "pack"), ("record.py", "unpack"), ("codec.py", "dump"), ("codec.py", "load")),
    "decision": (("referee.py", "decide"), ("history.py", "evolve")),
    "wording": (("desk.py", "text"),),
    "client": (("client.py", "_api_call"),),
}
"""Functions with all that they call."""


@contextmanager
def canned(item: Item) -> Iterator[str]:
    """The address of a store that always has this row."""
    row: dict[str, Any] = {"key": {"S": item.key}, "sort": {"S": item.sort}, "version": {"N": str(item.version)}}
    row["body"] = {"B": base64.b64encode(item.body).decode()}
    server = subprocess.Popen([sys.executable, "-c", _CANNED], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps({"Item": row}).encode() + b"\n")
    server.stdin.flush()
    try:
        yield f"http://127.0.0.1:{int(server.stdout.readline())}"
    finally:
        server.kill()
        server.wait()


def presses(here: Town, name: str) -> list[bytes]:
    """Votes as Telegram delivers them: half of the voters, one after the other."""
    table = here.table()
    step = view_for(table.play(), None).step
    assert step is not None
    message = here.newest(here.group)
    for seat in step.voters[:VOTES]:
        here.press(table.person(seat).user, here.group, message, buttons.VOTE, str(step.candidates[0]))
    return [json.dumps(waiting.update).encode() for waiting in here.world.waiting()][
        -min(VOTES, len(step.voters)) :
    ]


async def measured(seats: int, book: str, name: str) -> tuple[float, dict[str, float], int, bytes]:
    """Seconds of a press (of some rounds the best), its shares, the bytes of the record, and an update."""
    async with town(seats, 3, direct=True, deal=bytes([3]) * 32) as here:
        here.answers_all = False
        script = Script(here, 3)
        await script.begin(book=book)
        await script.until(lambda: (s := view_for(here.table().play(), None).step) is not None and s.name == name)
        step = view_for(here.table().play(), None).step
        assert step is not None
        # The counter has just been edited, and the group's minute is empty.
        here.change(budget=Budget(), count=Count(step.serial, here.clock.now(), 3))
        item, updates = here.item(), presses(here, name)
        with canned(item) as address:
            os.environ.update(AWS_ENDPOINT_URL=address, AWS_DEFAULT_REGION="eu-central-1")
            os.environ.update(AWS_ACCESS_KEY_ID="nobody", AWS_SECRET_ACCESS_KEY="nothing")
            store = DynamoStore("nightfall", here.clock, open_client("dynamodb"))
            headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
            profile, spent = cProfile.Profile(), []
            for number in range(2 * ROUNDS):
                bot = direct_bot(here.world, here.clock, Fuse())
                door = telegram(store, FakeTimers(), here.clock, bot, SECRET, "bot").door
                await door.handle(headers, updates[0])
                if number >= ROUNDS:
                    profile.enable()
                begun = time.process_time()
                for update in updates[1:-1]:
                    answer = await door.handle(headers, update)
                    assert b"answerCallbackQuery" in answer.body
                if number < ROUNDS:
                    spent.append((time.process_time() - begun) / len(updates[1:-1]))
                profile.disable()
        return min(spent), shares(profile), len(item.body), updates[1]


def shares(profile: cProfile.Profile) -> dict[str, float]:
    """What each of SHARES has of the time."""
    rows: dict[tuple[str, int, str], tuple[int, int, float, float, object]]
    stats = pstats.Stats(profile)
    rows, total = stats.stats, stats.total_tt  # type: ignore[attr-defined]
    found = dict.fromkeys(SHARES, 0.0)
    for (file, _, function), (_, _, _, cumulative, _) in rows.items():
        for share, names in SHARES.items():
            found[share] += cumulative / total if (os.path.basename(file), function) in names else 0.0  # noqa: PTH119
    return found


async def usual(update: bytes) -> float:
    """Seconds of python-telegram-bot's own way with the same update, to a handler that does nothing."""
    from telegram import Update
    from telegram.ext import Application, CallbackQueryHandler

    async def nothing(_update: object, _context: object) -> None:
        """Answer nothing."""

    async with town(8, 3, direct=True) as here:
        application = Application.builder().bot(direct_bot(here.world, here.clock, Fuse())).updater(None).build()
        application.add_handler(CallbackQueryHandler(nothing))
        await application.initialize()
        spent = []
        for _ in range(ROUNDS):
            begun = time.process_time()
            for _ in range(50):
                await application.process_update(Update.de_json(json.loads(update), application.bot))
            spent.append((time.process_time() - begun) / 50)
        return min(spent)


def run(report: Report) -> None:
    """Print the figures."""
    report.title("A press through door and client of the store, processor time")
    update = b""
    for seats, book, name, aim in ((12, "classic", "vote.lynch", 3), (24, "lupus", "vote.verdict", 5)):
        seconds, parts, size, update = asyncio.run(measured(seats, book, name))
        report.line(f"{seats} seats ({book}, a record of {size} bytes)", seconds * 1000, "ms", aim)
        report.say("  of it, under the profiler: " + "  ".join(f"{part} {of:.0%}" for part, of in parts.items()))
    report.figure(
        "python-telegram-bot, the same update to an empty handler", asyncio.run(usual(update)) * 1000, "ms"
    )
