import pytest
from telegram import Update

from infra.local.errors import WorldError
from infra.local.state import FIRST_UPDATE, PRESS_LIFETIME
from tests.local.support import Table, key, keyboard, table, updates


def menu(at: Table, chat: int | None = None) -> dict:
    markup = keyboard([key("加入", "j")])
    message = at.world.call("sendMessage", {"chat_id": chat or at.group, "text": "x", "reply_markup": markup})
    assert isinstance(message, dict)
    return message


def test_a_command_in_the_group() -> None:
    at = table()
    at.world.say(at.people[0], at.group, "/newgame@NightfallBot")
    (update,) = updates(at.world)
    assert update["update_id"] > FIRST_UPDATE
    message = update["message"]
    assert message.pop("message_id") > 0
    assert message == {
        "from": {"id": at.people[0], "is_bot": False, "first_name": "甲", "language_code": "zh-hans"},
        "chat": {"id": at.group, "title": "狼人杀", "type": "supergroup"},
        "date": 1796000000,
        "text": "/newgame@NightfallBot",
        "entities": [{"offset": 0, "length": 21, "type": "bot_command"}],
    }


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("/newgame", True),
        ("/newgame@nightfallbot now", True),
        ("/newgame@SomeOtherBot", False),
        ("chatter", False),
        ("look: /newgame", False),
        ("hello @NightfallBot", True),
    ],
)
def test_privacy_mode(text: str, heard: bool) -> None:
    at = table()
    at.world.say(at.people[0], at.group, text)
    assert bool(updates(at.world)) is heard
    open_ears = table(privacy=False)
    open_ears.world.say(open_ears.people[0], open_ears.group, text)
    assert updates(open_ears.world)


def test_answers_to_the_bot_and_admin_bots_hear() -> None:
    at = table()
    message = menu(at)
    at.world.say(at.people[0], at.group, "yes", reply_to=message["message_id"])
    (update,) = updates(at.world)
    assert update["message"]["reply_to_message"]["message_id"] == message["message_id"]
    at.world.promote_bot(at.group, at.people[0])
    (status,) = updates(at.world)
    assert status["my_chat_member"]["new_chat_member"]["status"] == "administrator"
    at.world.say(at.people[0], at.group, "chatter")
    assert updates(at.world)


def test_a_press() -> None:
    at = table()
    message = menu(at)
    query_id = at.world.press(at.people[2], at.group, message["message_id"], "j")
    (waiting,) = at.world.waiting()
    assert waiting.queue == f"press {at.people[2]}"
    assert waiting.expires == at.clock.now() + PRESS_LIFETIME
    query = waiting.update["callback_query"]
    assert query.pop("chat_instance")
    assert query == {
        "id": query_id,
        "from": {"id": at.people[2], "is_bot": False, "first_name": "丙", "language_code": "zh-hans"},
        "message": message,
        "data": "j",
    }
    parsed = Update.de_json({**waiting.update, "callback_query": {**query, "chat_instance": "1"}}, None)
    assert parsed.callback_query is not None
    assert parsed.callback_query.data == "j"


def test_pressing_where_one_may_not() -> None:
    at = table()
    message = menu(at)
    stranger = at.world.new_member("丁")
    with pytest.raises(WorldError):
        at.world.press(stranger, at.group, message["message_id"], "j")
    with pytest.raises(WorldError):
        at.world.press(at.people[0], at.group, 999, "j")
    at.world.start_bot(at.people[0])
    private = menu(at, at.people[0])
    with pytest.raises(WorldError):
        at.world.press(at.people[1], at.people[0], private["message_id"], "j")


def test_start_block_and_start_again() -> None:
    at = table()
    person = at.people[0]
    at.world.start_bot(person, "join_ab-1")
    (start,) = updates(at.world)
    assert start["message"]["text"] == "/start join_ab-1"
    assert start["message"]["entities"] == [{"offset": 0, "length": 6, "type": "bot_command"}]
    assert start["message"]["chat"] == {"id": person, "first_name": "甲", "type": "private"}
    at.world.block_bot(person)
    (block,) = updates(at.world)
    status = block["my_chat_member"]
    assert status["old_chat_member"] == {"user": at.world.bot.shape(), "status": "member"}
    assert status["new_chat_member"] == {"user": at.world.bot.shape(), "status": "kicked", "until_date": 0}
    with pytest.raises(WorldError):
        at.world.say(person, person, "hello?")
    at.world.start_bot(person)
    assert [list(update)[1] for update in updates(at.world)] == ["my_chat_member", "message"]
    with pytest.raises(WorldError):
        at.world.start_bot(person, "no spaces")


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://t.me/NightfallBot?start=abc", "/start abc"),
        ("https://t.me/nightfallbot", "/start"),
        ("tg://resolve?domain=NightfallBot&start=abc", "/start abc"),
        ("https://t.me/OtherBot?start=abc", None),
        ("https://a.example/NightfallBot?start=abc", None),
    ],
)
def test_links(url: str, text: str | None) -> None:
    at = table()
    assert at.world.open_link(at.people[0], url) is (text is not None)
    assert [update["message"]["text"] for update in updates(at.world)] == ([text] if text else [])


def test_coming_and_going() -> None:
    at = table()
    new = at.world.new_member("丁", "en", last_name="D", username="ding")
    at.world.join_group(new, at.group)
    at.world.join_group(new, at.group)
    at.world.leave_group(new, at.group)
    joined, left = (update["message"] for update in updates(at.world))
    user = {"id": new, "is_bot": False, "first_name": "丁", "last_name": "D", "username": "ding"}
    assert (joined["from"], joined["new_chat_members"], joined["new_chat_member"]) == (user, [user], user)
    assert left["left_chat_member"] == user
    with pytest.raises(WorldError):
        at.world.say(new, at.group, "/hello")


def test_the_bot_is_thrown_out_and_invited() -> None:
    at = table()
    at.world.remove_bot(at.group, at.people[0])
    (kicked,) = updates(at.world)
    assert kicked["my_chat_member"]["new_chat_member"]["status"] == "kicked"
    at.world.say(at.people[0], at.group, "/newgame")
    assert updates(at.world) == []
    at.world.add_bot(at.group, at.people[0])
    status, message = updates(at.world)
    assert status["my_chat_member"]["new_chat_member"]["status"] == "member"
    assert message["message"]["new_chat_members"] == [at.world.bot.shape()]


def test_members_are_told_of_to_an_admin_who_asked() -> None:
    at = table()
    at.world.promote_bot(at.group, at.people[0])
    at.world.call("setWebhook", {"url": "https://a.example", "allowed_updates": ["chat_member"]})
    updates(at.world)
    at.world.leave_group(at.people[1], at.group)
    (update,) = updates(at.world)
    assert update["chat_member"]["new_chat_member"]["status"] == "left"
    assert update["chat_member"]["chat"] == {"id": at.group, "title": "狼人杀", "type": "supergroup"}


def test_migration() -> None:
    at = table(kind="group")
    new = at.world.migrate(at.group)
    to, came = (update["message"] for update in updates(at.world))
    assert (to["chat"]["id"], to["migrate_to_chat_id"]) == (at.group, new)
    assert to["chat"]["all_members_are_administrators"] is False
    assert (came["chat"], came["migrate_from_chat_id"], came["message_id"]) == (
        {"id": new, "title": "狼人杀", "type": "supergroup"},
        at.group,
        1,
    )
    assert came["sender_chat"]["id"] == new
    assert at.world.is_member(new, at.people[2])
    with pytest.raises(WorldError):
        at.world.say(at.people[0], at.group, "/newgame")
    with pytest.raises(WorldError):
        at.world.migrate(new)
    at.world.say(at.people[0], new, "/newgame")
    assert updates(at.world)


def test_a_topic_of_a_forum() -> None:
    at = table(is_forum=True)
    at.world.say(at.people[0], at.group, "/newgame", thread_id=42)
    (update,) = updates(at.world)
    assert update["message"]["message_thread_id"] == 42
    assert update["message"]["chat"]["is_forum"] is True
    sent = at.world.call("sendMessage", {"chat_id": at.group, "text": "x", "message_thread_id": 42})
    assert (sent["message_thread_id"], sent["is_topic_message"]) == (42, True)


def test_kinds_nobody_knows_can_be_queued() -> None:
    at = table()
    at.world.queue_update("something_new", {"id": 1}, "news")
    assert [sorted(update) for update in updates(at.world)] == [["something_new", "update_id"]]
