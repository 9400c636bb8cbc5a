"""Everybody presses at once: 24 people on one table, through four processes, each press delivered twice."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from handlers.aws import CLOCK
from handlers.chats import PLAYER, player_key
from handlers.record import SORT, LobbyCard, Table, key_of, pack, unpack
from handlers.table import ROUNDS
from infra.ports import Item
from infra.sqlite import SqliteStore
from tests.handlers.town import say
from tests.soak.door import SECRET

ROOT = Path(__file__).parents[2]
PEOPLE, PROCESSES = 24, 4
FIRST_USER, GROUP = 439000001, -1002000000001
TABLE = "crowd234"


class _Api(BaseHTTPRequestHandler):
    """A Telegram that takes everything."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        chat = {"id": GROUP, "type": "supergroup", "title": "x"}
        message = {"message_id": 7, "date": 1, "chat": chat, "text": "x"}
        result = True if self.path.endswith("answerCallbackQuery") else message
        body = json.dumps({"ok": True, "result": result}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def api() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Api)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def doors(file: Path, address: str, log: Path) -> Iterator[list[int]]:
    """So many containers of the function; their ports. What they log goes into a file."""
    with log.open("wb") as lines:
        command = [sys.executable, "-m", "tests.soak.door", str(file), address]
        running = [
            subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=lines) for _ in range(PROCESSES)
        ]
        try:
            yield [int(process.stdout.readline()) for process in running if process.stdout]
        finally:
            for process in running:
                process.kill()
                process.communicate()


def press(port: int, number: int, query: str, together: threading.Barrier) -> tuple[list[int], str]:
    """Press until the update is taken; the statuses, and what was answered in the last response."""
    user = {"id": FIRST_USER + number, "is_bot": False, "first_name": f"P{number}", "language_code": "zh-hans"}
    chat = {"id": GROUP, "type": "supergroup", "title": "x"}
    message = {"message_id": 7, "date": 1, "chat": chat, "text": "x"}
    data = {"id": query, "from": user, "chat_instance": "1", "data": f"{TABLE}.0.j.y", "message": message}
    body = json.dumps({"update_id": number, "callback_query": data}).encode()
    headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET, "Content-Type": "application/json"}
    together.wait(60)
    statuses: list[int] = []
    for _ in range(60):
        line = HTTPConnection("127.0.0.1", port, timeout=60)
        line.request("POST", "/telegram", body, headers)
        answer = line.getresponse()
        said = answer.read().decode()
        line.close()
        statuses.append(answer.status)
        if answer.status == 200:
            return statuses, said
        time.sleep(0.1)
    raise AssertionError(f"never taken: {statuses}")


def test_of_24_people_who_press_at_once_everybody_is_counted_once(tmp_path: Path) -> None:
    file, log = tmp_path / "store.sqlite", tmp_path / "log"
    with SqliteStore(file, CLOCK) as store, api() as address:
        table = Table(id=TABLE, chat=GROUP, language="zh_Hans", opener=FIRST_USER, book="lupus")
        store.put(Item(key_of(TABLE), SORT, 1, pack(table)))
        for number in range(PEOPLE):
            row = json.dumps({"reachable": True}).encode()
            store.put(Item(player_key(FIRST_USER + number), PLAYER, 1, row))
        together = threading.Barrier(2 * PEOPLE)
        with doors(file, address, log) as ports, ThreadPoolExecutor(2 * PEOPLE) as pool:
            presses = [
                pool.submit(press, ports[(number + again) % PROCESSES], number, f"q{number}", together)
                for number in range(PEOPLE)
                for again in range(2)
            ]
            taken = [one.result() for one in presses]
        item = store.get(key_of(TABLE), SORT)
    assert item is not None
    after = unpack(item.body)
    assert sorted(person.user for person in after.people) == [FIRST_USER + n for n in range(PEOPLE)]
    assert len({receipt.trigger for receipt in after.receipts}) == len(after.receipts) == PEOPLE
    assert after.lease is None
    # Where the group's minute is spent, the last edit of the lobby waits for the next.
    assert all(isinstance(effect, LobbyCard) and not effect.new for effect in after.outbox)
    assert {status for statuses, _ in taken for status in statuses} <= {200, 503}
    answered = {number: set[str]() for number in range(PEOPLE)}
    for place, (_, said) in enumerate(taken):
        if said:
            answered[place // 2].add(json.loads(said)["text"])
    for number, texts in answered.items():
        # Which of the two was first, the other is answered the same; the drainer's own goes by a call.
        assert texts <= {say("reply.joined", seat=after.seat_of(FIRST_USER + number))}
    attempts = [line["attempt"] for line in map(json.loads, log.read_text().splitlines()) if "attempt" in line]
    assert len(attempts) >= PEOPLE
    assert max(attempts) < ROUNDS
