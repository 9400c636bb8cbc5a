from pathlib import Path

import pytest

from infra.local.store import Store
from infra.local.world import World
from tests.local.support import key, keyboard, table


def test_everything_survives_the_process(tmp_path: Path) -> None:
    path = str(tmp_path / "world.db")
    at = table(path)
    at.world.start_bot(at.people[0])
    sent = at.world.call(
        "sendMessage", {"chat_id": at.group, "text": "x", "reply_markup": keyboard([key("a", "b")])}
    )
    query = at.world.press(at.people[1], at.group, sent["message_id"], "b")
    at.world.call("setMyCommands", {"commands": [{"command": "a", "description": "b"}]})
    waiting, messages = at.world.waiting(), at.world.messages(at.group)
    # The first world is not closed: its process is killed.
    again = World(Store(path), at.clock.now)
    assert again.waiting() == waiting
    assert again.messages(at.group) == messages
    assert again.members() == at.world.members()
    assert again.commands_for(at.people[0], at.people[0])
    assert again.call("answerCallbackQuery", {"callback_query_id": query}) is True
    next_sent = again.call("sendMessage", {"chat_id": at.group, "text": "y"})
    assert next_sent["message_id"] == sent["message_id"] + 1
    next_press = again.press(at.people[1], at.group, sent["message_id"], "b")
    assert int(next_press) == int(query) + 1
    again.close()
    at.world.close()


def test_half_a_change_is_none(tmp_path: Path) -> None:
    path = str(tmp_path / "world.db")
    at = table(path)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    at.world.deliver_message = die  # type: ignore[assignment, method-assign]
    before = at.world.messages(at.group)
    with pytest.raises(KeyboardInterrupt):
        at.world.say(at.people[0], at.group, "/newgame")
    assert at.world.messages(at.group) == before
    at.world.close()
