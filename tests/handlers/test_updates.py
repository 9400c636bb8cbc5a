"""Updates as Telegram sends them, whole and mutilated: never an exception, never an error that comes back."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handlers.telegram.desk import Answer
from infra.local.state import BotAccount
from tests.handlers.process import SENDS
from tests.handlers.town import NAMES, SECRET, Town, say, town

FOLDER = Path(__file__).parent / "updates"
RECORDED = sorted(path.stem for path in FOLDER.glob("*.json"))
GROUP, FORUM, SMALL, SUPER = -1002000000017, -1002000000018, -4000000001, -1002000000099
USERNAME = "NightfallModBot"


def recorded(name: str) -> dict[str, Any]:
    update = json.loads((FOLDER / f"{name}.json").read_text())
    assert isinstance(update, dict)
    return update


@asynccontextmanager
async def recorded_town() -> AsyncIterator[Town]:
    """The chats and people of the recorded updates, with the bot in them."""
    async with town(1, direct=True, account=BotAccount(username=USERNAME)) as here:
        world = here.world
        users = [here.members[0]]
        users += [world.new_member(NAMES[number], user_id=439000000 + number) for number in range(2, 8)]
        for chat, kind in ((GROUP, "supergroup"), (FORUM, "supergroup"), (SMALL, "group"), (SUPER, "supergroup")):
            world.new_group("狼人杀 · 周五", users[0], kind=kind, chat_id=chat, is_forum=chat == FORUM)
            for user in users[1:]:
                world.join_group(user, chat)
            world.add_bot(chat, users[0])
        await here.deliver()
        world.calls.clear()
        yield here


async def bring(here: Town, body: object, secret: str = SECRET) -> Answer:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await here.moderator.door.handle({"X-Telegram-Bot-Api-Secret-Token": secret}, raw)


def said(here: Town) -> list[tuple[int, str]]:
    """Chats and texts of all that was sent."""
    return [(int(c.params["chat_id"]), c.params["text"]) for c in here.world.calls if c.method == "sendMessage"]


def rows(here: Town) -> int:
    """How many tables there are that anybody must look after."""
    return len(here.store.due(float("inf"), 100))


@pytest.mark.parametrize("name", RECORDED)
def test_every_recorded_update_is_taken(name: str) -> None:
    async def play() -> None:
        async with recorded_town() as here:
            for _ in range(2):
                assert (await bring(here, recorded(name))).status == 200

    asyncio.run(play())


@pytest.mark.parametrize(
    "name",
    [
        "group_command_for_another_bot",
        "linked_channel_forward",
        "unknown_kind",
        "migrate_from",
        "migrate_to",
        "bot_kicked",
        "bot_demoted",
        "member_left",
        "bot_blocked_by_user",
    ],
)
def test_what_is_not_for_us_is_met_with_silence(name: str) -> None:
    async def play() -> None:
        async with recorded_town() as here:
            answer = await bring(here, recorded(name))
            assert (answer.status, answer.body) == (200, b"")
            assert said(here) == []
            assert rows(here) == 0

    asyncio.run(play())


def test_a_command_opens_a_lobby_and_the_same_again_does_not() -> None:
    async def play() -> None:
        async with recorded_town() as here:
            await bring(here, recorded("group_command"))
            await bring(here, recorded("group_command"))
            ((chat, text),) = said(here)
            assert chat == GROUP
            assert "狼人杀" in text

    asyncio.run(play())


def test_in_a_forum_the_game_is_in_the_topic() -> None:
    async def play() -> None:
        async with recorded_town() as here:
            await bring(here, recorded("forum_topic_command"))
            (call,) = [call for call in here.world.calls if call.method == "sendMessage"]
            assert (int(call.params["chat_id"]), int(call.params["message_thread_id"])) == (FORUM, 42)
            assert call.error is None
            other = recorded("forum_topic_command")
            other["message"] |= {"message_id": 321, "message_thread_id": 43}
            await bring(here, other)
            assert [int(c.params["message_thread_id"]) for c in here.world.calls if c.method in SENDS] == [42, 43]

    asyncio.run(play())


def test_a_reply_in_a_plain_supergroup_is_not_answered_into_a_topic() -> None:
    async def play() -> None:
        async with recorded_town() as here:
            update = recorded("reply_in_plain_supergroup_has_thread_id")
            update["message"] |= {"text": "/newgame"}
            await bring(here, update)
            (call,) = [call for call in here.world.calls if call.method == "sendMessage"]
            assert "message_thread_id" not in call.params
            assert call.error is None
            assert int(call.params["chat_id"]) == GROUP

    asyncio.run(play())


@pytest.mark.parametrize("name", ["anonymous_admin_command", "channel_identity_command"])
def test_who_hides_behind_a_chat_gets_no_table(name: str) -> None:
    async def play() -> None:
        async with recorded_town() as here:
            update = recorded(name)
            await bring(here, update)
            update["message"] |= {"text": "/newgame"}
            await bring(here, update)
            assert [text for _, text in said(here)] in (
                [say("reply.anonymous", "en")],
                [say("reply.anonymous", "en")] * 2,
            )
            assert rows(here) == 0

    asyncio.run(play())


def test_a_link_joins_under_a_harmless_name() -> None:
    async def play() -> None:
        async with recorded_town() as here:
            await bring(here, recorded("group_command"))
            here.group = GROUP
            table = here.table()
            update = recorded("start_deep_link")
            update["message"]["text"] = f"/start join_{table.id}_{table.token}"
            here.world.start_bot(439000004)
            await bring(here, update)
            (person,) = here.table().people
            assert (person.user, person.name) == (439000004, "evil<b>&amp;")
            assert here.world.messages(439000004)[-1]["text"] == say("start.joined", "en", seat=1)
            lobby = here.newest(GROUP)
            assert "1 evil<b>&amp;" in lobby["text"], "as text, not as a tag"
            update["message"] |= {"text": f"/start join_{table.id}_wrong", "message_id": 6}
            update["message"]["from"] = {"id": 439000005, "is_bot": False, "first_name": "戊"}
            await bring(here, update)
            assert len(here.table().people) == 1

    asyncio.run(play())


def test_who_has_blocked_the_bot_must_open_the_chat_again_to_join() -> None:
    async def play() -> None:
        async with recorded_town() as here:
            here.group = GROUP
            here.world.start_bot(439000003)
            await here.deliver()
            await bring(here, recorded("group_command"))
            await bring(here, recorded("bot_blocked_by_user"))
            query = here.press(439000003, GROUP, here.newest(GROUP), "j")
            await here.deliver()
            assert here.answer(query)["url"].startswith(f"https://t.me/{USERNAME}?start=join_")
            assert here.table().people == ()
            assert here.world.open_link(439000003, here.answer(query)["url"])
            await here.deliver()
            assert [person.user for person in here.table().people] == [439000003]

    asyncio.run(play())


def test_a_wrong_secret_changes_nothing() -> None:
    async def play() -> None:
        async with recorded_town() as here:
            for secret in ("", "wrong", SECRET + " ", SECRET.upper(), "é" * 300):
                assert (await bring(here, recorded("group_command"), secret)).status == 401
            assert (
                await here.moderator.door.handle({}, json.dumps(recorded("group_command")).encode())
            ).status == 401
            assert said(here) == []
            assert rows(here) == 0

    asyncio.run(play())


HUGE = 10**30
BROKEN: list[bytes] = [
    b"",
    b"{",
    b"null",
    b"[]",
    b"1",
    b'"text"',
    b"{}",
    b"\xff\xfe",
    b"[" * 5000,
    b'{"update_id":1,"message":null}',
    b'{"update_id":1,"message":{}}',
    b'{"update_id":1,"message":[]}',
    b'{"update_id":1,"callback_query":{}}',
    b'{"update_id":1,"callback_query":{"id":"1","from":{"id":1,"is_bot":false,"first_name":"x"},"chat_instance":"1"}}',
    b'{"update_id":1,"callback_query":{"id":"1","from":{"id":1,"is_bot":false,"first_name":"x"},"data":7}}',
    b'{"update_id":"one","message":{"message_id":"x","date":"y","chat":"z"}}',
    b'{"update_id":1,"my_chat_member":{}}',
    b'{"update_id":1,"message":{"message_id":1,"date":99999999999999999999,"chat":{"id":1,"type":"private"}}}',
    b'{"update_id":%d,"message":{"message_id":%d,"date":1,"chat":{"id":%d,"type":"group"}}}' % (HUGE, HUGE, HUGE),
]


@pytest.mark.parametrize("body", BROKEN, ids=range(len(BROKEN)))
def test_what_cannot_be_read_is_done_with(body: bytes) -> None:
    async def play() -> None:
        async with recorded_town() as here:
            assert (await bring(here, body)).status == 200

    asyncio.run(play())


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
    st.just([]),
    st.just({}),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)


@st.composite
def mutilated(draw: st.DrawFn) -> bytes:
    """A recorded update of which some places hold something else, or nothing."""
    update: Any = recorded(draw(st.sampled_from(RECORDED)))
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(update))
        if not places:
            break
        holder, key = draw(st.sampled_from(places))
        if draw(st.booleans()):
            holder[key] = draw(JUNK)
        else:
            del holder[key]
    return json.dumps(update).encode()


def _places(value: Any) -> Any:
    """Every place in a JSON value, as its holder and the key in it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield value, key
        yield from _places(below)


def test_no_mutilated_update_is_ever_refused_or_raises() -> None:
    logging.getLogger("nightfall").setLevel(logging.ERROR)
    failed: list[tuple[bytes, str]] = []

    async def play(bodies: list[bytes]) -> None:
        async with recorded_town() as here:
            for body in bodies:
                try:
                    answer = await bring(here, body)
                except Exception as error:
                    failed.append((body, repr(error)))
                    continue
                if answer.status != 200:
                    failed.append((body, str(answer.status)))

    @settings(max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(mutilated(), min_size=20, max_size=20))
    def some(bodies: list[bytes]) -> None:
        asyncio.run(play(bodies))

    some()
    assert failed == []
