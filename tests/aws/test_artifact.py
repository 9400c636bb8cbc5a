"""The artifact by itself: unpacked where there is nothing else, and called by the platform's runtime client."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import platform
import queue
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import pytest

from infra.aws import package

TOKEN = ":".join(["7000000001", "AA" + "x-_" * 11])
SECRET = "knock-knock-knock"
TABLE, QUEUE, SECRETS = "nightfall-test", "https://queue.invalid/1/timers", "/nightfall/test"
RUNTIME = ("awslambdaric", "simplejson", "snapshot-restore-py")
ANSWERS_WITHIN_S = 30.0


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The artifact for this machine and this Python, as the platform unpacks it."""
    folder = tmp_path_factory.mktemp("task")
    architecture = {"aarch64": "arm64"}.get(platform.machine(), platform.machine())
    made = tmp_path_factory.mktemp("made")
    package.lay_out(package.fetch(architecture), made)
    package.archive(made, folder / "first.zip")
    with zipfile.ZipFile(folder / "first.zip") as archive:
        archive.extractall(folder / "task")
    return folder


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runtime client and what it needs, away from everything else that is installed."""
    folder = tmp_path_factory.mktemp("runtime")
    for name in RUNTIME:
        try:
            found = files(name) or []
        except PackageNotFoundError:
            pytest.fail(f"{name} is not installed: make setup")
        for file in found:
            if file.suffix in (".py", ".so") and ".." not in file.parts:
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), folder / file)
    return folder


class Platform:
    """The runtime API and the three services, as far as the functions get to know them."""

    def __init__(self) -> None:
        self.events: queue.Queue[bytes] = queue.Queue()
        self.results: queue.Queue[tuple[str, Any]] = queue.Queue()
        self.called: list[tuple[str, dict[str, Any]]] = []

    def next_event(self) -> bytes:
        return self.events.get()

    def call(self, target: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Answer a call of a service: nothing is stored, nothing is due."""
        action = target.rpartition(".")[2]
        self.called.append((action, asked))
        if action == "GetParameter":
            words = {
                "TELEGRAM_BOT_TOKEN": TOKEN,
                "NIGHTFALL_WEBHOOK_SECRET": SECRET,
                "TELEGRAM_BOT_USERNAME": "nf_bot",
            }
            return {"Parameter": {"Name": asked["Name"], "Value": json.dumps(words)}}
        if action == "SendMessage":
            digest = hashlib.md5(asked["MessageBody"].encode(), usedforsecurity=False).hexdigest()
            return {"MessageId": "1", "MD5OfMessageBody": digest}
        return {"Items": []} if action == "Query" else {}


@contextmanager
def serving(there: Platform) -> Iterator[int]:
    """Serve the platform on a port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            # The client dies of a header that is missing.
            headers = {
                "Content-Type": "application/json",
                "Lambda-Runtime-Aws-Request-Id": "r1",
                "Lambda-Runtime-Deadline-Ms": "9999999999999",
                "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:eu-central-1:1:function:nightfall-test",
                "Lambda-Runtime-Trace-Id": "Root=1",
            }
            self._answer(there.next_event(), headers)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"null")
            if self.path.startswith("/2018-06-01/"):
                there.results.put((self.path.rpartition("/")[2], body))
                self._answer(b"{}", {})
            else:
                answer = there.call(self.headers["X-Amz-Target"], body)
                self._answer(json.dumps(answer).encode(), {"Content-Type": "application/x-amz-json-1.0"})

        def _answer(self, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(200)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Be silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


class Function:
    """One function that is warm after its first event."""

    def __init__(self, there: Platform, process: subprocess.Popen[bytes]) -> None:
        self.there = there
        self.process = process
        self.called = there.called

    def invoke(self, event: dict[str, Any]) -> Any:
        """Call it; what it returns."""
        kind, result = self.end_of(event)
        assert kind == "response", result
        return result

    def end_of(self, event: dict[str, Any]) -> tuple[str, Any]:
        """Call it; `response` and what it returns, or `error` and what is told of it."""
        self.there.events.put(json.dumps(event).encode())
        late = time.monotonic() + ANSWERS_WITHIN_S
        while self.there.results.empty() and self.process.poll() is None and time.monotonic() < late:
            time.sleep(0.01)
        return self.there.results.get_nowait()


@contextmanager
def function(handler: str, task: Path, runtime: Path, log: Path) -> Iterator[Function]:
    """Start a function as the platform does, with nothing but the artifact and the runtime client to import."""
    there = Platform()
    with serving(there) as port, log.open("wb") as output:
        environment = {
            "PYTHONPATH": os.pathsep.join([str(task), str(runtime)]),
            "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{port}",
            "AWS_LAMBDA_FUNCTION_NAME": "nightfall-test",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "eu-central-1",
            "AWS_DEFAULT_REGION": "eu-central-1",
            "NIGHTFALL_TABLE": TABLE, "NIGHTFALL_QUEUE": QUEUE, "NIGHTFALL_RELEASE": "v1", "PTB_TIMEDELTA": "1",
        }  # fmt: skip
        if not handler.endswith(".sweep"):
            environment["NIGHTFALL_SECRETS"] = SECRETS
        command = [sys.executable, "-S", "-m", "awslambdaric", handler]
        process = subprocess.Popen(command, cwd=task, env=environment, stdout=output, stderr=output)
        try:
            yield Function(there, process)
        except queue.Empty:
            pytest.fail(log.read_text()[-3000:])
        finally:
            process.kill()
            process.wait()


def request(secret: str, encoded: bool = False) -> dict[str, Any]:
    """What the HTTP API makes of a press on a button of a table that is gone."""
    person = {"id": 5, "is_bot": False, "first_name": "A", "language_code": "en"}
    query = {"id": "77", "from": person, "chat_instance": "1", "data": "k3x9a7bc.4.g.6"}
    body = json.dumps({"update_id": 1, "callback_query": query})
    if encoded:
        body = base64.b64encode(body.encode()).decode()
    headers = {"content-type": "application/json", "x-telegram-bot-api-secret-token": secret}
    return {"version": "2.0", "headers": headers, "body": body, "isBase64Encoded": encoded}


def wakeup(at: float, now: float) -> dict[str, Any]:
    body = json.dumps({"key": "TABLE#k3x9a7bc", "at": at, "serial": 4})
    return {"Records": [{"body": body, "attributes": {"SentTimestamp": str(int(now * 1000))}}]}


def lines(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]


def test_the_door_answers_a_press(unpacked: Path, runtime: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with function("handlers.aws.door", unpacked / "task", runtime, log) as door:
        for encoded in (False, True):
            answer = door.invoke(request(SECRET, encoded))
            assert answer["statusCode"] == 200
            method = json.loads(answer["body"])
            assert (method["method"], method["callback_query_id"]) == ("answerCallbackQuery", "77")
            assert "/newgame" in method["text"]
        assert door.invoke(request("another"))["statusCode"] == 401
        assert [action for action, _ in door.called].count("GetParameter") == 1, "once for all invocations"
    answered = [line for line in lines(log) if line["event"] == "answered"]
    assert [line["status"] for line in answered] == [200, 200, 401]
    assert {(line["request_id"], line["release"]) for line in answered} == {("r1", "v1")}
    assert TOKEN not in log.read_text()
    assert SECRET not in log.read_text()


def test_the_timer_sends_on_what_comes_early(unpacked: Path, runtime: Path, tmp_path: Path) -> None:
    log, now = tmp_path / "log", time.time()
    with function("handlers.aws.timer", unpacked / "task", runtime, log) as timer:
        assert timer.invoke(wakeup(now + 3600, now)) is None
        assert timer.invoke(wakeup(now - 5, now - 2)) is None
        sent = [asked for action, asked in timer.called if action == "SendMessage"]
    assert [message["DelaySeconds"] for message in sent] == [900]
    assert json.loads(sent[0]["MessageBody"]) == {"key": "TABLE#k3x9a7bc", "at": now + 3600, "serial": 4}
    (woken,) = (line for line in lines(log) if line["event"] == "woken")
    assert 2 <= woken["seconds"] < 32, "late since it was sent"


def test_a_function_that_fails_says_where_and_not_a_word_more(
    unpacked: Path, runtime: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    message = {"body": '{"key": "Grandmother", "at": 1}', "attributes": {"SentTimestamp": "0"}}
    with function("handlers.aws.timer", unpacked / "task", runtime, log) as timer:
        kind, told = timer.end_of({"Records": [message]})
        assert (kind, told["errorType"], told["errorMessage"]) == ("error", "FunctionFailed", "")
        assert timer.invoke(wakeup(time.time() + 60, time.time())) is None, "it goes on with the next"
    (failed,) = (line for line in lines(log) if line["event"] == "failed")
    assert failed["errors"][0]["type"].endswith("ValidationError")
    assert "Grandmother" not in log.read_text()


def test_the_sweep_needs_no_secrets(unpacked: Path, runtime: Path, tmp_path: Path) -> None:
    with function("handlers.aws.sweep", unpacked / "task", runtime, tmp_path / "log") as sweep:
        assert sweep.invoke({}) is None
        assert [action for action, _ in sweep.called] == ["Query"]
    assert [line["count"] for line in lines(tmp_path / "log")] == [0]


def test_it_is_small_and_holds_only_what_runs(unpacked: Path) -> None:
    task = unpacked / "task"
    assert (unpacked / "first.zip").stat().st_size < 12e6
    assert sum(path.stat().st_size for path in task.rglob("*") if path.is_file()) < 32e6
    for folder in ("infra/local", "infra/aws/alarms.yml", "handlers/cli.py", "boto3/data", "aiohttp", "babel"):
        assert not (task / folder).exists()
    data = {path.name for path in (task / "botocore" / "data").iterdir() if path.is_dir()}
    assert data == set(package.SERVICES)
    written = {path.stem for path in (package.ROOT / "handlers" / "locales").glob("*.po")}
    assert {path.stem for path in (task / "handlers" / "locales").glob("*.mo")} == written


def test_every_module_is_compiled_and_trusted(unpacked: Path) -> None:
    """Byte code that is checked against the source's time is refused: an archive has none."""
    tag = sys.implementation.cache_tag
    for source in (unpacked / "task").rglob("*.py"):
        compiled = source.parent / "__pycache__" / f"{source.stem}.{tag}.pyc"
        assert compiled.read_bytes()[4:8] == b"\x01\0\0\0", source


def test_the_same_tree_gives_the_same_bytes(unpacked: Path, tmp_path: Path) -> None:
    shutil.copytree(unpacked / "task", tmp_path / "again")
    package.archive(tmp_path / "again", tmp_path / "second.zip")
    assert (tmp_path / "second.zip").read_bytes() == (unpacked / "first.zip").read_bytes()
