"""How long a function takes to start, as it is shipped, beside how such bots are usually shipped.

Ours is the artifact's folder: byte code included, secrets read (from a stand-in on this machine), everything put
together. The other imports python-telegram-bot with its `Application` and boto3 with a client of DynamoDB, from a
folder without byte code. Neither may write any: a function's folder is read-only. Processor time, from the first
import on.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import files
from pathlib import Path

from infra.aws import package
from tests.bench.report import Report

PYTHON = os.environ.get("PYTHON313") or os.path.realpath(sys.executable)
"""The functions' own Python, if the Makefile has found it."""

RUNS = 9
AIM = 0.35
TOKEN = ":".join(("7000000001", "AA" + 33 * "x"))

USUAL = (
    "python-telegram-bot", "httpx", "httpcore", "h11", "anyio", "idna", "certifi", "typing_extensions",
    "boto3", "botocore", "s3transfer", "jmespath", "python-dateutil", "six", "urllib3",
)  # fmt: skip

_MEASURED = """
import time
begun = time.process_time()
{work}
print(time.process_time() - begun)
"""
OURS = "import handlers.aws"
THEIRS = f"""
import boto3
from telegram.ext import Application
application = Application.builder().token({TOKEN!r}).build()
client = boto3.client("dynamodb")
"""


class _Secrets(BaseHTTPRequestHandler):
    """Says what the parameter says, whoever asks for whatever."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        names = ("TELEGRAM_BOT_TOKEN", "NIGHTFALL_WEBHOOK_SECRET", "TELEGRAM_BOT_USERNAME")
        answer = json.dumps({"Parameter": {"Value": json.dumps(dict.fromkeys(names, TOKEN))}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.1")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


def plain(folder: Path) -> None:
    """The usual packages as pip brings them, without byte code."""
    for name in USUAL:
        for file in files(name) or ():
            if ".." not in file.parts and file.suffix != ".pyc" and ".dist-info" not in file.parts[0]:
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), folder / file)


def seconds(work: str, folder: Path, port: int) -> float:
    """Processor time of some work in a new process that finds nothing but this folder."""
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "AWS_LAMBDA_FUNCTION_NAME": "door",
        "AWS_DEFAULT_REGION": "eu-central-1",
        "AWS_ACCESS_KEY_ID": "nobody",
        "AWS_SECRET_ACCESS_KEY": "nothing",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "NIGHTFALL_TABLE": "nightfall",
        "NIGHTFALL_QUEUE": "https://queue.invalid/1/timers",
        "NIGHTFALL_SECRETS": "/nightfall/bench",
    }
    command = [PYTHON, "-c", _MEASURED.format(work=work)]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=True)
    return float(done.stdout)


def run(report: Report) -> None:
    """Print the figures."""
    report.title(f"Cold start, as shipped (median of {RUNS}, the two by turns)")
    architecture = {"aarch64": "arm64"}.get(platform.machine(), platform.machine())
    command = [PYTHON, "-m", "infra.aws.package", architecture]
    subprocess.run(command, cwd=package.ROOT, capture_output=True, check=True)
    ours = package.BUILD / f"nightfall-{architecture}"
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Secrets)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as name:
        theirs = Path(name)
        plain(theirs)
        pairs = [
            (seconds(OURS, ours, server.server_port), seconds(THEIRS, theirs, server.server_port))
            for _ in range(RUNS)
        ]
    server.shutdown()
    mine, usual = (statistics.median(one) for one in zip(*pairs, strict=True))
    report.figure("the Telegram function, imported and put together", mine * 1000, "ms")
    report.figure("python-telegram-bot's Application and boto3, plainly zipped", usual * 1000, "ms")
    report.line("of its time", mine / usual, "", AIM)
