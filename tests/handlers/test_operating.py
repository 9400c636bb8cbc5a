"""What an operator types to put a bot into operation, against a small Telegram and a small cloud."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from unittest import mock

import pytest
from aiohttp.test_utils import TestServer
from moto import mock_aws

from handlers.cli import main
from handlers.operating import ALLOWED_UPDATES
from infra.aws.clients import open_client
from infra.local.botapi import BotApi
from infra.local.store import Store
from infra.local.world import World
from infra.secrets import read_parameter
from tests.fakes import FakeClock
from tests.handlers.process import TOKEN

DOOR = "https://door.example/telegram"


@asynccontextmanager
async def operated() -> AsyncIterator[World]:
    """A Telegram, and an empty account."""
    world = World(Store(":memory:"), FakeClock().now)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    async with TestServer(BotApi(world, TOKEN).app()) as server:
        environment |= {
            "AWS_DEFAULT_REGION": "eu-central-1",
            "AWS_CONFIG_FILE": os.devnull,
            "TELEGRAM_API": str(server.make_url("")).rstrip("/"),
            "TELEGRAM_BOT_TOKEN": TOKEN,
        }
        with mock.patch.dict(os.environ, environment, clear=True), mock_aws():
            yield world
    world.close()


async def nightfall(*arguments: str) -> int:
    return await asyncio.to_thread(main, [*arguments, "--stage", "prod"])


def test_secrets_webhook_and_menus(capsys: pytest.CaptureFixture[str]) -> None:
    async def operate() -> None:
        async with operated() as world:
            assert await nightfall("secrets") == 0
            secrets = read_parameter("/nightfall/prod", open_client("ssm"))
            assert secrets.telegram_token() == TOKEN
            assert secrets.username() == world.bot.username
            assert len(secrets.webhook_secret()) >= 40

            assert await nightfall("webhook", "set", "--url", DOOR, "--connections", "7") == 0
            assert world.webhook() == {
                "url": DOOR,
                "secret_token": secrets.webhook_secret(),
                "max_connections": 7,
                "allowed_updates": list(ALLOWED_UPDATES),
            }
            assert await nightfall("webhook", "info") == 0
            assert await nightfall("webhook", "delete") == 0
            assert world.webhook()["url"] == ""

            member = world.new_member("甲", "zh-hans")
            assert await nightfall("commands") == 0
            names = [command["command"] for command in world.commands_for(member, member)]
            assert "privacy" in names

    asyncio.run(operate())
    said = capsys.readouterr()
    assert f"url          {DOOR}" in said.out
    assert TOKEN not in said.out + said.err


def test_new_secrets_take_the_place_of_the_old() -> None:
    async def operate() -> None:
        async with operated():
            found = set()
            for _ in range(2):
                assert await nightfall("secrets") == 0
                found.add(read_parameter("/nightfall/prod", open_client("ssm")).webhook_secret())
            assert len(found) == 2

    asyncio.run(operate())


def test_what_is_wrong_is_said_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    async def operate() -> None:
        async with operated():
            assert await nightfall("webhook", "set") == 1
            assert "nightfall secrets --stage prod" in capsys.readouterr().err
            wrong = f"7000000001:{'x' * 35}"
            with mock.patch.dict(os.environ, {"TELEGRAM_BOT_TOKEN": wrong}):
                assert await nightfall("secrets") == 1
            said = capsys.readouterr()
            assert said.err.count("\n") == 1
            assert wrong not in said.out + said.err
            with pytest.raises(open_client("ssm").exceptions.ParameterNotFound):
                read_parameter("/nightfall/prod", open_client("ssm"))

    asyncio.run(operate())
