"""What `nightfall` does for whoever runs the bot: its secrets, its webhook, its menus, its tables, its memory."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING, TypeVar

from infra.secrets import (
    TOKEN_VARIABLE,
    USERNAME_VARIABLE,
    WEBHOOK_VARIABLE,
    EnvSecrets,
    parameter_name,
    read_parameter,
    write_parameter,
)

if TYPE_CHECKING:
    from telegram import Bot

    from infra.ports import WholeStore

    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]

ALLOWED_UPDATES = ("message", "callback_query", "my_chat_member")
"""The kinds of updates that are read; all others Telegram keeps to itself."""

CONNECTIONS = 20
"""How many updates Telegram may have under way at once: fewer mean fewer lost races at one table."""

Result = TypeVar("Result")


class Trouble(Exception):
    """Why it could not be done, in a sentence for whoever has asked."""


def add_verbs(verbs: Verbs) -> None:
    """Add the operator's verbs to the command line."""
    secrets = _verb(verbs, "secrets", _secrets, "put the bot's secrets where the functions read them")
    _stage(secrets)
    webhook = _verb(verbs, "webhook", _webhook, "tell Telegram where updates go")
    webhook.add_argument("deed", choices=("set", "info", "delete"))
    webhook.add_argument("--url", help="of the door, if it is not the one of the stage's stack")
    webhook.add_argument("--connections", type=int, default=CONNECTIONS, help="at most (default %(default)s)")
    webhook.add_argument("--drop", action="store_true", help="forget the updates that wait")
    _stage(webhook)
    _stage(_verb(verbs, "commands", _commands, "set the menus of commands"))
    drain = _verb(verbs, "drain", _drain, "let no new tables be opened; those that are open go on")
    drain.add_argument("--off", action="store_true", help="let them be opened again")
    _place(drain)
    forget = _verb(verbs, "forget", _forget, "forget a person")
    forget.add_argument("user", metavar="USER", type=int, help="the person's id in Telegram")
    _place(forget)


def _verb(
    verbs: Verbs, name: str, deed: Callable[[argparse.Namespace], str], does: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=does, description=does)
    parser.set_defaults(run=lambda given: _run(deed, given))
    return parser


def _stage(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stage", required=True, help="of the deployment, in the account of the environment")


def _place(parser: argparse.ArgumentParser) -> None:
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--stage", help="of the deployment, in the account of the environment")
    place.add_argument("--data", type=Path, help="folder of a bot on one machine")


def _run(deed: Callable[[argparse.Namespace], str], given: argparse.Namespace) -> int:
    try:
        sys.stdout.write(f"{deed(given)}\n")
    except Trouble as trouble:
        sys.stderr.write(f"{trouble}\n")
        return 1
    return 0


# The bot ---------------------------------------------------------------------------------------------------


def _secrets(given: argparse.Namespace) -> str:
    """Ask Telegram whose token it is, invent the webhook's secret, and store both."""
    from infra.aws.clients import open_client

    token = os.environ.get(TOKEN_VARIABLE) or getpass.getpass("token: ")
    bot = _call_bot(token, lambda bot: bot.get_me())
    secrets = {
        TOKEN_VARIABLE: token.strip(),
        WEBHOOK_VARIABLE: token_urlsafe(32),
        USERNAME_VARIABLE: bot.username or "",
    }
    write_parameter(parameter_name(given.stage), secrets, open_client("ssm"))
    return f"The secrets of @{bot.username} are stored. Deploy, then set the webhook."


def _webhook(given: argparse.Namespace) -> str:
    secrets = _stored(given.stage)
    token = secrets.telegram_token()
    if given.deed == "set":
        url = given.url or _address(given.stage)
        _call_bot(
            token,
            lambda bot: bot.set_webhook(
                url,
                secret_token=secrets.webhook_secret(),
                max_connections=given.connections,
                allowed_updates=ALLOWED_UPDATES,
                drop_pending_updates=given.drop,
            ),
        )
        return f"Updates of @{secrets.username()} go to {url}"
    if given.deed == "delete":
        _call_bot(token, lambda bot: bot.delete_webhook(drop_pending_updates=given.drop))
        return f"Updates of @{secrets.username()} go nowhere, and wait for a day."
    info = _call_bot(token, lambda bot: bot.get_webhook_info())
    lines = [f"url          {info.url or 'none'}", f"waiting      {info.pending_update_count}"]
    lines += [f"connections  {info.max_connections}"] if info.max_connections else []
    lines += [f"updates      {' '.join(info.allowed_updates)}"] if info.allowed_updates else []
    if info.last_error_date:
        lines.append(f"last error   {info.last_error_date:%Y-%m-%d %H:%M:%S} UTC  {info.last_error_message}")
    return "\n".join(lines)


def _commands(given: argparse.Namespace) -> str:
    from handlers.telegram import menus
    from handlers.telegram.client import Client

    secrets = _stored(given.stage)
    _call_bot(secrets.telegram_token(), lambda bot: menus.publish(Client(bot)))
    return f"The menus of @{secrets.username()} are set."


def _call_bot(token: str, call: Callable[[Bot], Awaitable[Result]]) -> Result:
    """Call the bot. The library's errors quote the token: none of them goes on from here."""
    from telegram import Bot
    from telegram.error import TelegramError
    from telegram.request import HTTPXRequest

    from handlers.wiring import TELEGRAM_API

    async def run() -> Result:
        address = f"{os.environ.get('TELEGRAM_API') or TELEGRAM_API}/bot"
        async with HTTPXRequest() as requests:
            return await call(Bot(token.strip(), address, request=requests, get_updates_request=requests))

    os.environ.setdefault("PTB_TIMEDELTA", "1")
    try:
        return asyncio.run(run())
    except TelegramError as error:
        raise Trouble(f"Telegram refuses ({type(error).__name__}): is the token right?") from None


def _stored(stage: str) -> EnvSecrets:
    from infra.aws.clients import open_client

    client = open_client("ssm")
    try:
        return read_parameter(parameter_name(stage), client)
    except client.exceptions.ParameterNotFound:
        raise Trouble(f"There are no secrets of {stage} yet: nightfall secrets --stage {stage}") from None


def _address(stage: str) -> str:
    from infra.aws.clients import open_client

    (stack,) = open_client("cloudformation").describe_stacks(StackName=f"nightfall-{stage}")["Stacks"]
    outputs = {output.get("OutputKey"): output.get("OutputValue") for output in stack.get("Outputs", [])}
    return f"{outputs['HttpApiUrl']}/telegram"


# The tables ------------------------------------------------------------------------------------------------


class _WallClock:
    def now(self) -> float:
        return time.time()


@contextmanager
def _store(given: argparse.Namespace) -> Iterator[WholeStore]:
    if given.stage:
        from infra.dynamodb import DynamoStore

        yield DynamoStore(f"nightfall-{given.stage}", _WallClock())
        return
    from infra.sqlite import SqliteStore

    files = [given.data / name for name in ("telegram.sqlite", "nightfall.sqlite")]
    file = next((file for file in files if file.is_file()), None)
    if file is None:
        raise Trouble(f"There is no bot's memory in {given.data}.")
    with SqliteStore(file, _WallClock()) as store:
        yield store


def _drain(given: argparse.Namespace) -> str:
    from handlers import operators

    with _store(given) as store:
        operators.drain(store, not given.off)
        count = operators.open_tables(store, 10_000)
    return f"{'New tables can be opened again' if given.off else 'No new tables'}; {count} open."


def _forget(given: argparse.Namespace) -> str:
    from handlers import operators

    with _store(given) as store:
        forgotten = operators.forget(store, given.user)
    if forgotten.still:
        tables = ", ".join(forgotten.still)
        raise Trouble(f"He has a seat at an open table ({tables}): forget him again when its game is over.")
    known = "What was known of him is deleted" if forgotten.known else "Nothing was known of him"
    return f"{known}; his name and id are taken off {len(forgotten.tables)} finished table(s)."
