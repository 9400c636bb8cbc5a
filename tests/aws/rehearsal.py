"""`make rehearse`: deploy to a cloud on this machine, play a game of twelve there, and take everything away again.

What is deployed is serverless.yml as it stands, with an artifact for this processor; the roles are enforced. The
small Telegram of the playground calls the deployed webhook over HTTP, where people are four times as quick as
usual. One of them never presses anything: his turns end by the timers. In the middle of the game a changed version
is deployed, and later all wake-ups in the queue are lost. Everything is asserted, and figures are printed.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import statistics
import sys
import time
import zipfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

from handlers import buttons
from handlers.chats import ChatRow
from handlers.record import Options
from infra.dynamodb import DynamoStore
from infra.local.courier import Courier, HttpDoor, Reply
from infra.local.on_playground import joins, plays
from infra.local.playground import Playground
from infra.local.world import World
from infra.ports import Item
from tests.aws.local_cloud import LocalCloud, free_port, local_cloud
from tests.aws.template import BY_THE_PLATFORM, PACKAGED, allowed, resources
from tests.handlers.town import NAMES, data_under

FOLDER = Path("build/rehearsal").absolute()
STAGE = "rehearsal"
NAME = f"nightfall-{STAGE}"
GROUP = f"/nightfall/{STAGE}"
FUNCTIONS = ("door", "timer", "sweep")
TOKEN = "7000000001:AArehearsalrehearsalrehearsalrehears"
MEMBERS = 12
RATE = 4.0
CONNECTIONS = 4
"""Updates under way at once: each needs a process of this machine, which starts in seconds."""
GAME_WITHIN_S = 1200.0

TOO_SLOW = (
    "botocore.exceptions.ReadTimeoutError",
    "botocore.exceptions.ConnectTimeoutError",
    "botocore.exceptions.EndpointConnectionError",
)
"""What a function may fail of here: a busy machine is a cloud that answers late, which nothing may be lost by."""

SHORT: Options = {
    "night_s": 20, "witch_s": 10, "talk_s": 10, "vote_s": 10, "shot_s": 8, "badge_s": 8,
    "absent_call_s": (3.0, 4.0), "abstain": False, "wolves_win": "parity", "max_days": 8,
}  # fmt: skip
"""A short game, times in seconds, as if the group had played with these options before."""


def machine() -> str:
    """The architecture of this machine, as the cloud names it."""
    return "arm64" if os.uname().machine == "aarch64" else "x86_64"


def say(text: str) -> None:
    """Tell whoever watches."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class Rehearsal:
    """One deployment, one group, one game."""

    def __init__(self, cloud: LocalCloud, playground: Playground, door: Door) -> None:
        self.cloud = cloud
        self.door = door
        self.world = playground.world
        self.house = playground.house
        self.environment = cloud.environment | {
            "NIGHTFALL_ARCH": machine(),
            "TELEGRAM_API": playground.base_url.removesuffix("/bot"),
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "MAX_TABLES": "20",
        }
        self.members = [self.world.new_member(NAMES[index], "zh-hans") for index in range(MEMBERS)]
        self.silent = self.members[-1]
        self.group = self.world.new_group("狼人杀 · 彩排", self.members[0])
        for member in self.members[1:]:
            self.world.join_group(member, self.group)
        self.store = DynamoStore(NAME, _WallClock(), cloud.client("dynamodb"))

    # Commands --------------------------------------------------------------------------------------------

    async def run(self, *command: str, **environment: str) -> str:
        """Run a command as an operator does; what it says."""
        process = await asyncio.create_subprocess_exec(
            *command,
            env=self.environment | environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
        if process.returncode:
            raise AssertionError(f"{' '.join(command)}\n{out.decode()}")
        return out.decode()

    async def nightfall(self, *arguments: str) -> str:
        """Run the console script on the stage."""
        return await self.run(sys.executable, "-m", "handlers.cli", *arguments, "--stage", STAGE)

    async def serverless(self, verb: str, **environment: str) -> float:
        """Run the deployment's tool; the seconds it took."""
        began = time.monotonic()
        await self.run("npx", "--no-install", "serverless", verb, "--stage", STAGE, **environment)
        return time.monotonic() - began

    # The game --------------------------------------------------------------------------------------------

    async def until(self, condition: Callable[[], bool], within: float = 60.0) -> None:
        """Wait until something has happened."""
        async with asyncio.timeout(within):
            while not condition():  # noqa: ASYNC110 - there is nobody who would tell
                await asyncio.sleep(0.2)

    def texts(self, chat: int) -> list[str]:
        """What stands in a chat."""
        return [message["text"] for message in self.world.messages(chat) if "text" in message]

    def says(self, pattern: str) -> bool:
        """Say whether the group has read something."""
        return any(re.search(pattern, text, re.MULTILINE) for text in self.texts(self.group))

    def button(self, code: str) -> tuple[int, str] | None:
        """The newest button of a kind in the group: its message and what it says to the bot."""
        for message in reversed(self.world.messages(self.group)):
            for data in data_under(message):
                read = buttons.parse(data)
                if read is not None and read.code == code:
                    return message["message_id"], data
        return None

    async def press(self, user: int, code: str) -> None:
        """Press a button in the group, and wait for the answer."""
        await self.until(lambda: self.button(code) is not None)
        found = self.button(code)
        assert found is not None
        query = self.world.press(user, self.group, *found)
        await self.until(lambda: "answer" in (self.world.store.get("query", query) or {}))

    async def begin(self) -> None:
        """Everybody takes a seat, and the host starts the game; one will never press anything again."""
        self.world.add_bot(self.group, self.members[0])
        row = msgspec.json.encode(ChatRow(options=SHORT))
        self.store.put_same(Item(f"CHAT#telegram:{self.group}", "CHAT", 1, row))
        for member in self.members:
            self.world.start_bot(member)
        await self.until(lambda: all(self.texts(member) for member in self.members))
        self.world.say(self.members[0], self.group, f"/newgame@{self.world.bot.username}")
        for member in self.members:
            await self.press(member, buttons.JOIN)
        await self.press(self.members[0], buttons.START)
        self.everybody_plays(on=True)

    def everybody_plays(self, on: bool) -> None:
        """Let the house play for all but the silent one, or for nobody."""
        for member in self.members:
            self.house.turn(member, on=on and member != self.silent)

    def is_over(self) -> bool:
        """Say whether the group has read the end."""
        return self.says("^种子 ")

    async def lose_timers(self) -> None:
        """Lose every wake-up that is in the queue while nobody presses anything, until the sweep has noticed."""
        self.everybody_plays(on=False)
        queue = self.cloud.client("sqs")
        url = queue.get_queue_url(QueueName=f"{NAME}-timers")["QueueUrl"]

        def noticed() -> bool:
            # Again and again: a wake-up that is being dealt with meanwhile arms the next one.
            queue.purge_queue(QueueUrl=url)
            return "sqs:SendMessage" in self.cloud.calls_of(f"{NAME}-sweep")

        await self.until(noticed, 180)
        self.everybody_plays(on=True)


class Door:
    """The webhook by HTTP, and which presses it has taken: the others Telegram gives up after a while."""

    def __init__(self, post: World, session: aiohttp.ClientSession) -> None:
        self._knock = HttpDoor(post, session)
        self.taken: set[str] = set()

    async def __call__(self, headers: Mapping[str, str], body: bytes) -> Reply:
        """Hand on an update."""
        reply = await self._knock(headers, body)
        if reply.status == 200:
            self.taken.add(json.loads(body).get("callback_query", {}).get("id", ""))
        return reply


class _WallClock:
    def now(self) -> float:
        return time.time()


def changed_artifact() -> Path:
    """Pack the artifact again with one file changed, as any new version has some."""
    before, after = Path(f"build/nightfall-{machine()}.zip"), FOLDER / "changed.zip"
    with zipfile.ZipFile(before) as old, zipfile.ZipFile(after, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            addition = b"\n# changed\n" if entry.filename == "handlers/aws.py" else b""
            new.writestr(entry, old.read(entry) + addition)
    return after


async def story(there: Rehearsal) -> dict[str, str]:
    """Play it; the figures."""
    figures: dict[str, str] = {}
    say("secrets, deployment, webhook, menus")
    await there.nightfall("secrets")
    figures["first deployment"] = f"{await there.serverless('deploy', RELEASE='first'):.0f} s"
    # W3005: the tool names dependencies that follow from others anyway.
    await there.run("build/local-cloud/bin/cfn-lint", "-i", "W3005", "--", str(PACKAGED))
    apis = there.cloud.client("apigatewayv2").get_apis()["Items"]
    (api,) = (api["ApiId"] for api in apis if api["Name"] == NAME)
    url = f"{there.cloud.address}/_aws/execute-api/{api}/$default/telegram"
    await there.nightfall("webhook", "set")
    assert there.world.webhook()["url"].endswith("/telegram"), "as the stack says"
    await there.nightfall("webhook", "set", "--url", url, "--connections", str(CONNECTIONS))
    assert url in await there.nightfall("webhook", "info")
    await there.nightfall("commands")
    assert there.world.commands_for(there.group, there.members[0])

    say("a game of twelve")
    began = time.monotonic()
    await there.begin()
    await there.until(lambda: there.says("☀️"), 240)
    say("it is day: a changed version is deployed")
    artifact = str(changed_artifact())
    figures["second deployment"] = (
        f"{await there.serverless('deploy', RELEASE='second', NIGHTFALL_ARTIFACT=artifact):.0f} s"
    )
    say("no new tables; all wake-ups are lost")
    assert "1 open" in await there.nightfall("drain")
    await there.lose_timers()
    await there.until(there.is_over, GAME_WITHIN_S)
    figures["game"] = f"{time.monotonic() - began:.0f} s"

    say("it is over")
    await asyncio.sleep(5)
    there.world.say(there.members[0], there.group, f"/newgame@{there.world.bot.username}")
    await there.until(lambda: there.says("暂时不开新桌"), 120)
    await there.nightfall("drain", "--off")
    (line,) = {found for text in there.texts(there.group) for found in re.findall(r"nightfall/1\|.*", text)}
    verdict = await there.run(sys.executable, "-m", "handlers.cli", "verify", line)
    assert "these very cards" in verdict, verdict
    forgotten = await there.nightfall("forget", str(there.silent))
    assert "1 finished table" in forgotten, forgotten
    unanswered = {query["id"] for query in there.world.store.all("query") if "answer" not in query}
    # Telegram refuses an answer that comes late, and gives a press up after a while: that is up to the machine.
    late = {call.params.get("callback_query_id") for call in there.world.calls if call.error is not None}
    assert not (unanswered & there.door.taken) - late, "a press that the door has taken is answered"
    figures["presses"] = f"{len(there.world.store.all('query'))}, too late for an answer: {len(unanswered)}"
    figures |= seen(there)
    return figures


def seen(there: Rehearsal) -> dict[str, str]:
    """What logs, queues and the record of calls say."""
    lines = there.cloud.log_lines(GROUP)
    errors = [line for line in lines if line["level"] in ("error", "critical") or line["event"] == "failed"]
    faults = [line for line in errors if line["errors"][0]["type"] not in TOO_SLOW]
    assert not faults, faults[:3]
    assert {line["release"] for line in lines if line["event"] == "answered"} == {"first", "second"}
    events = Counter(line["event"] for line in lines)
    late = sorted(line["seconds"] for line in lines if line["event"] == "woken")
    took = sorted(line["seconds"] for line in lines if line["event"] == "answered")
    swept = sum(line["count"] for line in lines if line["event"] == "swept")
    assert swept > 0, "the sweep has found the table whose wake-ups were lost"
    queue = there.cloud.client("sqs")
    dead = queue.get_queue_url(QueueName=f"{NAME}-dead-timers")["QueueUrl"]
    attributes = queue.get_queue_attributes(QueueUrl=dead, AttributeNames=["All"])["Attributes"]
    assert attributes["ApproximateNumberOfMessages"] == "0"
    compare(there.cloud)
    reports = [line for line in there.cloud.platform_lines(GROUP) if line.startswith("REPORT")]
    return {
        "invocations": str(len(reports)),
        "updates": f"{events['answered']}, median {statistics.median(took):.3f} s, slowest {took[-1]:.1f} s",
        "wake-ups": f"{events['woken']}, median {statistics.median(late):.1f} s late, at most {late[-1]:.1f} s",
        "swept": str(swept),
        "too slow": f"{len(errors)} invocations, which were repeated",
        "decisions": str(sum(li["event"] == "judged" and li["outcome"] == "changed" for li in lines)),
        "refusals": str(sum(li["event"] == "judged" and li["outcome"] == "unchanged" for li in lines)),
        "conflicts": str(sum(li["attempt"] for li in lines if li["event"] == "judged")),
        "calls of Telegram": f"{events['call']}, of them 429: {sum(li.get('status') == 429 for li in lines)}",
    }


def compare(cloud: LocalCloud) -> None:
    """What each function called is what its role allows, and the other way round."""
    roles = allowed(resources())
    assert set(roles) == {f"{NAME}-{function}" for function in FUNCTIONS}
    for function, actions in roles.items():
        called = cloud.calls_of(function)
        assert called == actions - BY_THE_PLATFORM, f"{function}: {called} but {actions}"


async def leave(there: Rehearsal) -> None:
    """Take everything away; what is kept on purpose is the table and the secrets."""
    await there.nightfall("webhook", "delete")
    await there.serverless("remove")
    assert not there.cloud.client("lambda").list_functions()["Functions"]
    assert there.cloud.client("dynamodb").list_tables()["TableNames"] == [NAME]
    there.cloud.client("dynamodb").delete_table(TableName=NAME)
    there.cloud.client("ssm").delete_parameter(Name=f"/nightfall/{STAGE}")


@asynccontextmanager
async def playground() -> AsyncIterator[tuple[Playground, Door]]:
    """A small Telegram, in which everything takes a quarter of the time."""
    there = Playground(":memory:", token=TOKEN, secret="", worth_pressing=plays, joins=joins, seed=1)
    there.clock.set_rate(RATE)
    await there.start(free_port())
    async with aiohttp.ClientSession() as session:
        door = Door(there.world, session)
        courier = asyncio.create_task(Courier(there.world, there.clock, door, connections=CONNECTIONS).run())
        try:
            yield there, door
        finally:
            courier.cancel()
            await asyncio.gather(courier, return_exceptions=True)
            await there.stop()


async def main() -> None:
    """Rehearse."""
    async with local_cloud(FOLDER) as cloud, playground() as (telegram, door):
        there = Rehearsal(cloud, telegram, door)
        try:
            figures = await story(there)
        except BaseException:
            lines: list[Any] = cloud.log_lines(GROUP)[-30:]
            say("\n".join(map(str, lines)))
            say("\n".join(there.texts(there.group)[-5:]))
            raise
        await leave(there)
    for name, figure in figures.items():
        say(f"  {name:18} {figure}")


if __name__ == "__main__":
    os.environ.setdefault("PTB_TIMEDELTA", "1")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    asyncio.run(main())
