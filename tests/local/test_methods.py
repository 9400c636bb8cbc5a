import json

import pytest

from infra.local.errors import ConnectionDropped
from infra.local.state import DAY
from infra.local.weather import Limits
from tests.local.support import Table, key, keyboard, refusal, table


def send(at: Table, text: str = "x", **more: object) -> dict:
    message = at.world.call("sendMessage", {"chat_id": at.group, "text": text, **more})
    assert isinstance(message, dict)
    return message


def test_a_message_has_telegrams_shape() -> None:
    at = table()
    markup = keyboard([key("加入", "j")], [key("a", "1"), key("b", "2")])
    message = send(
        at,
        " <b>狼</b> ",
        parse_mode="HTML",
        reply_markup=json.dumps(markup),
        protect_content="true",
        disable_notification="true",
        link_preview_options='{"is_disabled": true}',
    )
    assert message.pop("message_id") > 0
    assert message == {
        "from": at.world.bot.shape(),
        "chat": {"id": at.group, "title": "狼人杀", "type": "supergroup"},
        "date": 1796000000,
        "text": "狼",
        "entities": [{"offset": 0, "length": 1, "type": "bold"}],
        "link_preview_options": {"is_disabled": True},
        "has_protected_content": True,
        "reply_markup": markup,
    }


@pytest.mark.parametrize(
    ("params", "reason"),
    [
        ({"text": " \n "}, "message text is empty"),
        ({"text": "<b></b>", "parse_mode": "HTML"}, "message text is empty"),
        ({"text": "🐺" * 2049}, "message is too long"),
        (
            {"text": "<x>", "parse_mode": "html"},
            'can\'t parse entities: Unsupported start tag "x" at byte offset 0',
        ),
        ({"text": "x", "parse_mode": "Word"}, "unsupported parse_mode"),
        ({"text": "x", "reply_markup": keyboard([key("a", "x" * 65)])}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": keyboard([key("a", "狼" * 22)])}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": keyboard([key("a", "")])}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": "{"}, "can't parse reply_markup JSON object"),
        ({"text": "x", "reply_markup": keyboard([key("a", "b")] * 101)}, "reply markup is too long"),
        (
            {"text": "x", "reply_markup": keyboard([{"text": "a"}])},
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        ({"text": "x", "message_thread_id": 4}, "message thread not found"),
        ({"text": "x", "reply_parameters": {"message_id": 999}}, "message to be replied not found"),
    ],
)
def test_refused_messages(params: dict, reason: str) -> None:
    at = table()
    error = refusal(at.world, "sendMessage", chat_id=at.group, **params)
    assert (error.code, error.description) == (400, f"Bad Request: {reason}")


def test_the_longest_message_is_counted_after_parsing() -> None:
    at = table()
    assert len(send(at, "<b>" + "狼" * 4096 + "</b>", parse_mode="HTML")["text"]) == 4096


@pytest.mark.parametrize(
    ("chat_id", "reason"), [("", "chat_id is empty"), ("5", "chat not found"), ("@x", "chat not found")]
)
def test_no_such_chat(chat_id: str, reason: str) -> None:
    error = refusal(table().world, "sendMessage", chat_id=chat_id, text="x")
    assert error.body() == {"ok": False, "error_code": 400, "description": f"Bad Request: {reason}"}


def test_private_chats_open_with_start_and_close_with_a_block() -> None:
    at = table()
    person = at.people[0]
    error = refusal(at.world, "sendMessage", chat_id=person, text="x")
    assert (error.code, error.description) == (403, "Forbidden: bot can't initiate conversation with a user")
    at.world.start_bot(person)
    assert at.world.call("sendMessage", {"chat_id": person, "text": "x"})["chat"]["type"] == "private"
    at.world.block_bot(person)
    error = refusal(at.world, "sendMessage", chat_id=person, text="x")
    assert (error.code, error.description) == (403, "Forbidden: bot was blocked by the user")


@pytest.mark.parametrize("kind", ["group", "supergroup"])
def test_out_of_a_group(kind: str) -> None:
    at = table(kind=kind)
    at.world.call("leaveChat", {"chat_id": at.group})
    error = refusal(at.world, "sendMessage", chat_id=at.group, text="x")
    assert (error.code, error.description) == (403, f"Forbidden: bot is not a member of the {kind} chat")
    at.world.add_bot(at.group, at.people[0])
    at.world.remove_bot(at.group, at.people[0])
    error = refusal(at.world, "sendMessage", chat_id=at.group, text="x")
    assert (error.code, error.description) == (403, f"Forbidden: bot was kicked from the {kind} chat")


def test_an_upgraded_group_tells_where_it_went() -> None:
    at = table(kind="group")
    new = at.world.migrate(at.group)
    assert refusal(at.world, "sendMessage", chat_id=at.group, text="x").body() == {
        "ok": False,
        "error_code": 400,
        "description": "Bad Request: group chat was upgraded to a supergroup chat",
        "parameters": {"migrate_to_chat_id": new},
    }
    assert at.world.call("sendMessage", {"chat_id": new, "text": "x"})["chat"]["id"] == new


def test_edits() -> None:
    at = table()
    message = send(at, "a", reply_markup=keyboard([key("a", "b")]))
    where = {"chat_id": at.group, "message_id": message["message_id"]}
    same = "Bad Request: message is not modified: specified new message content and reply markup are exactly "
    same += "the same as a current content and reply markup of the message"
    again = refusal(at.world, "editMessageText", **where, text="a", reply_markup=message["reply_markup"])
    assert again.description == same
    at.clock.move(5)
    edited = at.world.call("editMessageText", {**where, "text": "b"})
    assert (edited["text"], edited["edit_date"]) == ("b", 1796000005)
    assert "reply_markup" not in edited
    assert refusal(at.world, "editMessageReplyMarkup", **where).description == same
    back = at.world.call("editMessageReplyMarkup", {**where, "reply_markup": keyboard([key("c", "d")])})
    assert back["reply_markup"]["inline_keyboard"][0][0]["text"] == "c"
    assert at.world.message(at.group, message["message_id"]) == back


@pytest.mark.parametrize("method", ["editMessageText", "editMessageReplyMarkup"])
def test_edits_of_nothing_and_of_others(method: str) -> None:
    at = table()
    gone = refusal(at.world, method, chat_id=at.group, message_id=999, text="x")
    assert gone.description == "Bad Request: message to edit not found"
    theirs = at.world.say(at.people[0], at.group, "x")["message_id"]
    error = refusal(at.world, method, chat_id=at.group, message_id=theirs, text="x")
    assert error.description == "Bad Request: message can't be edited"


def test_deleting() -> None:
    at = table()
    where = {"chat_id": at.group, "message_id": send(at)["message_id"]}
    assert at.world.call("deleteMessage", where) is True
    assert refusal(at.world, "deleteMessage", **where).description == "Bad Request: message to delete not found"
    theirs = {"chat_id": at.group, "message_id": at.world.say(at.people[1], at.group, "x")["message_id"]}
    assert refusal(at.world, "deleteMessage", **theirs).description == "Bad Request: message can't be deleted"
    at.world.promote_bot(at.group, at.people[0], "can_delete_messages")
    assert at.world.call("deleteMessage", theirs) is True
    old = {"chat_id": at.group, "message_id": send(at)["message_id"]}
    at.clock.move(2 * DAY + 1)
    assert refusal(at.world, "deleteMessage", **old).description == "Bad Request: message can't be deleted"


def test_answers_to_presses() -> None:
    at = table()
    message = send(at, reply_markup=keyboard([key("a", "b")]))
    press = at.world.press(at.people[1], at.group, message["message_id"], "b")
    late = "Bad Request: query is too old and response timeout expired or query ID is invalid"
    assert refusal(at.world, "answerCallbackQuery", callback_query_id="1").description == late
    long = refusal(at.world, "answerCallbackQuery", callback_query_id=press, text="x" * 201)
    assert long.description == "Bad Request: MESSAGE_TOO_LONG"
    elsewhere = refusal(at.world, "answerCallbackQuery", callback_query_id=press, url="https://a.example")
    assert elsewhere.description == "Bad Request: URL_INVALID"
    heard: list[dict] = []
    at.world.subscribe(lambda change: heard.append(change.body) if change.kind == "answer" else None)
    assert at.world.call("answerCallbackQuery", {"callback_query_id": press, "text": "好", "show_alert": "true"})
    assert heard[0]["answer"] == {"text": "好", "show_alert": True, "url": ""}
    assert refusal(at.world, "answerCallbackQuery", callback_query_id=press).description == late
    press = at.world.press(at.people[1], at.group, message["message_id"], "b")
    at.clock.move(16)
    assert refusal(at.world, "answerCallbackQuery", callback_query_id=press).description == late


def test_a_group_takes_so_many_messages_a_minute() -> None:
    at = table(limits=Limits(sends=3, edits=2, burst=1))
    message = send(at)
    for _ in range(3):
        at.clock.move(10)
        send(at)
    assert refusal(at.world, "sendMessage", chat_id=at.group, text="x").body() == {
        "ok": False,
        "error_code": 429,
        "description": "Too Many Requests: retry after 30",
        "parameters": {"retry_after": 30},
    }
    where = {"chat_id": at.group, "message_id": message["message_id"]}
    for text in "abc":
        at.world.call("editMessageText", {**where, "text": text})
    assert refusal(at.world, "editMessageText", **where, text="d").code == 429
    at.world.start_bot(at.people[0])
    for _ in range(10):
        at.world.call("sendMessage", {"chat_id": at.people[0], "text": "x"})
    at.clock.move(30)
    send(at)


def test_faults_come_once_and_where_they_were_ordered() -> None:
    at = table()
    at.world.start_bot(at.people[0])
    at.world.faults.too_many("sendMessage", 7, at.group)
    at.world.faults.forbidden("sendMessage", at.group)
    at.world.faults.broken("sendMessage", at.group)
    assert at.world.call("sendMessage", {"chat_id": at.people[0], "text": "x"})
    codes = [refusal(at.world, "sendMessage", chat_id=at.group, text="x").code for _ in range(3)]
    assert codes == [429, 403, 500]
    assert len(at.world.messages(at.group)) == 3
    at.world.faults.drop("sendMessage")
    with pytest.raises(ConnectionDropped):
        send(at, "sent all the same")
    assert at.world.messages(at.group)[-1]["text"] == "sent all the same"
    assert [call.error.code if call.error else 0 for call in at.world.calls] == [0, 429, 403, 500, 0]


def test_a_refusal_changes_nothing() -> None:
    at = table()
    before = at.world.messages(at.group)
    heard: list[str] = []
    at.world.subscribe(lambda change: heard.append(change.kind))
    refusal(at.world, "sendMessage", chat_id=at.group, text="x", reply_markup=keyboard([key("a", "")]))
    assert (at.world.messages(at.group), heard) == (before, [])


def test_members_and_chats() -> None:
    at = table()
    call = at.world.call
    assert call("getChatMemberCount", {"chat_id": at.group}) == 4
    assert [m["status"] for m in call("getChatAdministrators", {"chat_id": at.group})] == ["creator"]
    assert call("getChatMember", {"chat_id": at.group, "user_id": at.people[1]})["status"] == "member"
    at.world.leave_group(at.people[1], at.group)
    assert call("getChatMember", {"chat_id": at.group, "user_id": at.people[1]})["status"] == "left"
    unknown = refusal(at.world, "getChatMember", chat_id=at.group, user_id=5)
    assert unknown.description == "Bad Request: PARTICIPANT_ID_INVALID"
    message = send(at)
    where = {"chat_id": at.group, "message_id": message["message_id"]}
    not_allowed = "Bad Request: not enough rights to manage pinned messages in the chat"
    assert refusal(at.world, "pinChatMessage", **where).description == not_allowed
    at.world.promote_bot(at.group, at.people[0], "can_pin_messages")
    assert call("pinChatMessage", where)
    assert call("getChat", {"chat_id": at.group})["pinned_message"]["message_id"] == message["message_id"]
    assert call("setMessageReaction", {**where, "reaction": [{"type": "emoji", "emoji": "👍"}]})
    assert at.world.store.all("reaction")[0]["reaction"][0]["emoji"] == "👍"
    assert call("sendChatAction", {"chat_id": at.group, "action": "typing"})


def test_commands_by_scope_and_language() -> None:
    at = table()
    person = at.people[1]

    def set_commands(name: str, **params: object) -> None:
        at.world.call("setMyCommands", {"commands": [{"command": name, "description": "x"}], **params})

    def shown(chat: int) -> list[str]:
        return [command["command"] for command in at.world.commands_for(chat, person)]

    assert shown(at.group) == []
    set_commands("plain")
    set_commands("groups", scope=json.dumps({"type": "all_group_chats"}))
    assert (shown(at.group), shown(person)) == (["groups"], ["plain"])
    set_commands("zh", scope={"type": "all_group_chats"}, language_code="zh")
    assert shown(at.group) == ["zh"]
    assert at.world.call("getMyCommands", {}) == [{"command": "plain", "description": "x"}]
    at.world.call("deleteMyCommands", {})
    assert shown(person) == []
    bad = refusal(at.world, "setMyCommands", commands=[{"command": "No", "description": "x"}])
    assert bad.description == "Bad Request: BOT_COMMAND_INVALID"


def test_webhook_and_get_updates() -> None:
    at = table()
    call = at.world.call
    at.world.say(at.people[0], at.group, "/a")
    at.world.say(at.people[0], at.group, "/b")
    first, second = call("getUpdates", {"timeout": 0})
    assert (first["message"]["text"], second["update_id"]) == ("/a", first["update_id"] + 1)
    assert call("getUpdates", {"offset": second["update_id"]}) == [second]
    call("setWebhook", {"url": "https://a.example/hook", "secret_token": "s-1", "max_connections": 5})
    info = call("getWebhookInfo", {})
    assert (info["url"], info["pending_update_count"], info["max_connections"]) == ("https://a.example/hook", 1, 5)
    assert refusal(at.world, "getUpdates").code == 409
    bad_secret = {"secret_token": "a b"}
    assert refusal(at.world, "setWebhook", url="https://a.example", **bad_secret).code == 400
    assert refusal(at.world, "setWebhook", url="ftp://a.example").code == 400
    call("deleteWebhook", {"drop_pending_updates": True})
    assert call("getWebhookInfo", {})["pending_update_count"] == 0
    call("setWebhook", {"url": "https://a.example", "allowed_updates": '["callback_query"]'})
    at.world.say(at.people[0], at.group, "/c")
    assert at.world.waiting() == []


def test_unknown_methods() -> None:
    assert refusal(table().world, "sendPoll").body() == {
        "ok": False,
        "error_code": 404,
        "description": "Not Found",
    }
