"""`python -m infra.local`: Nightfall on one machine, on Telegram if there is a token, else in the playground.

All state is under the data folder: kill the process at any moment, start it again, and the games go on.
"""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from infra.local.dotenv import BadLineError, read_env
from infra.local.on_playground import serve_playground
from infra.local.on_telegram import NotServedError, bot_of, serve_telegram
from infra.local.polling import WallClock
from infra.log import setup_logging
from infra.secrets import EnvSecrets, MissingSecretError

PORT = 8321


async def serve(environ: Mapping[str, str], folder: Path, port: int) -> None:
    """Serve whom there is to serve, until the process is told to stop."""
    stop = asyncio.Event()
    for signum in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(signum, stop.set)
    try:
        token = EnvSecrets(environ).telegram_token()
    except MissingSecretError:
        await serve_playground(folder, port, stop)
    else:
        await serve_telegram(bot_of(token), folder, WallClock(), stop)


def main() -> None:
    """Read the few settings there are, and serve. The environment wins over `.env`."""
    os.environ.setdefault("PTB_TIMEDELTA", "1")
    setup_logging()
    try:
        environ = {**read_env(Path(".env")), **os.environ}
        parser = argparse.ArgumentParser(prog="python -m infra.local", description=__doc__.partition("\n")[0])
        parser.add_argument(
            "--port",
            type=int,
            default=PORT,
            help="of the playground; the next free one is taken (default %(default)s)",
        )
        parser.add_argument("--data", type=Path, default=Path(environ.get("NIGHTFALL_DATA", "data")))
        given = parser.parse_args()
        given.data.mkdir(parents=True, exist_ok=True)
        asyncio.run(serve(environ, given.data.resolve(), given.port))
    except (BadLineError, NotServedError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
