"""python-telegram-bot talks to the playground as it talks to Telegram."""

import asyncio
import json
from datetime import timedelta

import pytest
from aiohttp import ClientSession
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, Message, MessageEntity, ReplyParameters
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, NetworkError, RetryAfter

from tests.local.support import TOKEN, bot_of, served, table, until

MENU = InlineKeyboardMarkup([[InlineKeyboardButton("加入", callback_data="j")]])


def test_a_conversation() -> None:
    at = table()

    async def scenario() -> None:
        async with bot_of(at.world) as bot:
            assert bot.username == "NightfallBot"
            source = f'<b>狼</b> <a href="tg://user?id={at.people[0]}">甲</a> '
            source += '<tg-time unix="1796000042" format="r">42</tg-time>'
            sent = await bot.send_message(
                at.group,
                source,
                parse_mode="HTML",
                reply_markup=MENU,
                protect_content=True,
                disable_notification=True,
            )
            kinds = [entity.type for entity in sent.entities]
            assert kinds == [MessageEntity.BOLD, MessageEntity.TEXT_MENTION, MessageEntity.DATE_TIME]
            assert sent.entities[1].user is not None
            assert sent.entities[1].user.id == at.people[0]
            assert sent.entities[2].date_time_format == "r"
            assert sent.has_protected_content
            assert sent.reply_markup == MENU
            edited = await bot.edit_message_text("b", at.group, sent.message_id)
            assert isinstance(edited, Message)
            assert (edited.text, edited.reply_markup) == ("b", None)
            answer = await bot.send_message(at.group, "c", reply_parameters=ReplyParameters(sent.message_id))
            assert answer.reply_to_message is not None
            at.world.press(at.people[0], at.group, sent.message_id, "j")
            (update,) = await bot.get_updates()
            assert update.callback_query is not None
            assert update.callback_query.from_user.first_name == "甲"
            assert await bot.answer_callback_query(update.callback_query.id, "好", show_alert=True)
            assert await bot.set_my_commands([("newgame", "开一局")])
            assert (await bot.get_my_commands())[0].command == "newgame"
            assert (await bot.get_chat(at.group)).title == "狼人杀"
            assert await bot.get_chat_member_count(at.group) == 4
            assert (await bot.get_chat_member(at.group, at.people[0])).status == "creator"
            assert len(await bot.get_chat_administrators(at.group)) == 1
            assert await bot.set_webhook("https://a.example/hook", max_connections=5)
            assert (await bot.get_webhook_info()).url == "https://a.example/hook"
            assert await bot.delete_webhook()
            assert await bot.send_chat_action(at.group, "typing")
            assert await bot.set_message_reaction(at.group, sent.message_id, "👍")
            assert await bot.delete_message(at.group, sent.message_id)
            assert await bot.leave_chat(at.group)

    asyncio.run(scenario())


def test_refusals_become_its_exceptions(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without it PTB warns of what it will return some day.
    monkeypatch.setenv("PTB_TIMEDELTA", "1")
    at = table(kind="group")

    async def scenario() -> None:
        async with bot_of(at.world) as bot:
            with pytest.raises(BadRequest, match="Message text is empty"):
                await bot.send_message(at.group, " ")
            with pytest.raises(BadRequest, match="Can't parse entities"):
                await bot.send_message(at.group, "<x>", parse_mode="HTML")
            with pytest.raises(Forbidden, match="can't initiate"):
                await bot.send_message(at.people[0], "x")
            at.world.faults.too_many("sendMessage", 7)
            with pytest.raises(RetryAfter) as late:
                await bot.send_message(at.group, "x")
            assert late.value.retry_after == timedelta(seconds=7)
            at.world.faults.broken("sendMessage")
            with pytest.raises(NetworkError):
                await bot.send_message(at.group, "x")
            at.world.faults.drop("sendMessage")
            with pytest.raises(NetworkError):
                await bot.send_message(at.group, "carried out")
            assert at.world.messages(at.group)[-1]["text"] == "carried out"
            new = at.world.migrate(at.group)
            with pytest.raises(ChatMigrated) as moved:
                await bot.send_message(at.group, "x")
            assert moved.value.new_chat_id == new

    asyncio.run(scenario())


def test_a_wrong_token() -> None:
    async def scenario() -> None:
        async with served(table().world) as server:
            bot = Bot("1:WRONG", base_url=f"http://127.0.0.1:{server.port}/bot")
            with pytest.raises(InvalidToken):
                await bot.initialize()
            await bot.shutdown()

    asyncio.run(scenario())


def test_every_way_to_send_parameters() -> None:
    at = table()

    async def scenario() -> None:
        async with served(at.world) as server, ClientSession() as session:
            url = server.make_url(f"/bot{TOKEN}/sendmessage")
            given = {"chat_id": str(at.group), "text": "狼"}
            answers = [
                await session.get(url, params=given),
                await session.post(url, data=given),
                await session.post(url, json={"chat_id": at.group, "text": "狼"}),
            ]
            for answer in answers:
                assert (await answer.json())["result"]["text"] == "狼"
            bad = await session.post(url, data="{", headers={"Content-Type": "application/json"})
            assert bad.status == 400
            unknown = await session.post(server.make_url(f"/bot{TOKEN}/sendPoll"))
            assert await unknown.json() == {"ok": False, "error_code": 404, "description": "Not Found"}
            stranger = await session.post(server.make_url("/bot1:X/getMe"))
            assert await stranger.json() == {"ok": False, "error_code": 401, "description": "Unauthorized"}

    asyncio.run(scenario())


def test_a_long_poll_ends_when_something_comes() -> None:
    at = table()

    async def scenario() -> None:
        async with served(at.world) as server, ClientSession() as session:
            url = server.make_url(f"/bot{TOKEN}/getUpdates")
            asking = asyncio.create_task(session.post(url, data={"timeout": "40"}))
            await until(lambda: bool(at.world.calls))
            at.world.say(at.people[0], at.group, "/newgame")
            answer = await asking
            assert json.loads(await answer.text())["result"][0]["message"]["text"] == "/newgame"

    asyncio.run(scenario())
