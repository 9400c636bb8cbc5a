"""`python -m tests.soak.door FILE API`: a container of the door's function behind HTTP, with its store in a file.

The function is the one that is deployed (`handlers/aws.py`); only the store and the queue of timers are others. It
prints its port, then deals with one request at a time, and logs to stderr.
"""

from __future__ import annotations

import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

TOKEN = "7000000001:AAtesttokentesttokentesttokentesttok"
SECRET = "a-secret-header"


class NoTimers:
    """Wake-ups that nobody waits for."""

    async def arm(self, key: str, at: float, serial: int) -> None:
        """Forget it."""


class Invocation:
    """What the runtime says of an invocation."""

    aws_request_id = "request"


def main(file: str, api: str) -> None:
    """Serve until killed."""
    from telegram import Bot

    from handlers import aws, wiring
    from infra.log import setup_logging
    from infra.sqlite import SqliteStore

    setup_logging()
    store = SqliteStore(file, aws.CLOCK)
    bot = Bot(TOKEN, base_url=f"{api}/bot")
    moderator = wiring.telegram(store, NoTimers(), aws.CLOCK, bot, SECRET, "NightfallBot")
    aws._moderator = lambda: moderator  # type: ignore[assignment]

    class Door(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8", "surrogateescape")
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                answer = aws.door({"headers": headers, "body": body, "isBase64Encoded": False}, Invocation())
            except aws.FunctionFailed:
                self.send_error(500)
                return
            self.send_response(answer["statusCode"])
            for name, value in answer["headers"].items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer["body"].encode())))
            self.end_headers()
            self.wfile.write(answer["body"].encode())

        def log_message(self, *_: object) -> None:
            """Nothing: the function logs."""

    server = HTTPServer(("127.0.0.1", 0), Door)
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    os.environ.setdefault("PTB_TIMEDELTA", "1")
    main(*sys.argv[1:])
