import asyncio
from collections.abc import Callable

import pytest

from infra.local.errors import WorldError
from infra.local.house import Button, House
from infra.local.state import Change
from infra.local.store import Json
from tests.local.support import Table, breathe, key, keyboard, table

Answering = Callable[[Json], Json]


class Answers:
    """A bot that answers every press, a little later; `presses` are the ones it saw."""

    def __init__(self, at: Table, answering: Answering) -> None:
        self.presses: list[Json] = []
        self._at = at
        self._answering = answering
        self._open: list[Json] = []
        at.world.subscribe(self._listen)

    def _listen(self, change: Change) -> None:
        if change.kind == "press":
            self._open.append(change.body)

    def answer(self) -> None:
        while self._open:
            press = self._open.pop(0)
            self.presses.append(press)
            answer = {"callback_query_id": press["id"], **self._answering(press)}
            self._at.world.call("answerCallbackQuery", answer)

    def data(self) -> list[str]:
        return [press["data"] for press in self.presses]


def house_of(at: Table, seed: int = 1) -> House:
    return House(
        at.world,
        at.clock,
        worth_pressing=lambda button: button.data.startswith("v"),
        joins=lambda button: button.data == "join",
        seed=seed,
    )


def send(at: Table, chat: int, *rows: list[dict[str, str]]) -> int:
    message = at.world.call("sendMessage", {"chat_id": chat, "text": "?", "reply_markup": keyboard(*rows)})
    return int(message["message_id"])


def play(at: Table, house: House, bot: Answers, seconds: int = 200) -> None:
    for _ in range(seconds):
        at.clock.move(1)
        house.act_due()
        bot.answer()


def test_he_presses_once_between_2_and_15_seconds_and_only_what_is_for_him() -> None:
    at = table()
    house, bot = house_of(at), Answers(at, lambda press: {"text": "ok"})
    house.turn(at.people[1], on=True)
    send(at, at.group, [key("1", "v1"), key("2", "v2")], [key("我的牌", "card")])
    due = house.next_due()
    assert due is not None
    assert 2 <= due - at.clock.now() <= 15
    play(at, house, bot)
    assert [(p["user_id"], p["data"][0]) for p in bot.presses] == [(at.people[1], "v")]


def test_a_new_text_is_no_reason_to_press_again_a_new_keyboard_is() -> None:
    at = table()
    house, bot = house_of(at), Answers(at, lambda press: {})
    house.turn(at.people[1], on=True)
    rows = [key("1", "v1"), key("2", "v2")]
    message = send(at, at.group, rows)
    play(at, house, bot)
    where = {"chat_id": at.group, "message_id": message}
    at.world.call("editMessageText", {**where, "text": "1/3", "reply_markup": keyboard(rows)})
    play(at, house, bot)
    assert len(bot.presses) == 1
    at.world.call("editMessageText", {**where, "text": "again", "reply_markup": keyboard([key("3", "v3")])})
    play(at, house, bot)
    assert bot.data()[1:] == ["v3"]


def test_refused_he_tries_another_but_not_for_ever() -> None:
    at = table()
    house, bot = house_of(at), Answers(at, lambda press: {"text": "no", "show_alert": True})
    house.turn(at.people[1], on=True)
    send(at, at.group, [key(str(n), f"v{n}") for n in range(8)])
    play(at, house, bot)
    tried = bot.data()
    assert len(tried) == len(set(tried)) == 4


def test_several_steps_are_followed_to_the_end() -> None:
    at = table()
    person = at.people[1]
    at.world.start_bot(person)
    house = house_of(at)
    house.turn(person, on=True)
    chosen: set[str] = set()

    def rows() -> list[list[dict[str, str]]]:
        names = [key(f"{n} ✔" if f"v{n}" in chosen else str(n), f"v{n}") for n in range(1, 5)]
        return [names, [key(f"确定 {len(chosen)}/2", "vdone")]]

    def answer(press: Json) -> Json:
        where = {"chat_id": person, "message_id": press["message_id"]}
        if press["data"] == "vdone":
            if len(chosen) != 2:
                return {"text": "两位", "show_alert": True}
            at.world.call("editMessageText", {**where, "text": "好"})
        elif len(chosen) == 2:
            return {"text": "够了", "show_alert": True}
        else:
            chosen.add(press["data"])
            at.world.call("editMessageReplyMarkup", {**where, "reply_markup": keyboard(*rows())})
        return {}

    bot = Answers(at, answer)
    message_id = send(at, person, *rows())
    play(at, house, bot, 400)
    message = at.world.message(person, message_id)
    assert message is not None
    assert message["text"] == "好", bot.data()
    assert len(bot.presses) <= 12


def test_old_messages_are_history() -> None:
    at = table()
    house, bot = house_of(at), Answers(at, lambda press: {})
    for n in range(5):
        send(at, at.group, [key("a", f"v{n}")])
    house.turn(at.people[1], on=True)
    play(at, house, bot)
    assert sorted(bot.data()) == ["v2", "v3", "v4"]


def test_he_sees_his_own_chats_only_and_stops_when_switched_off() -> None:
    at = table()
    house, bot = house_of(at), Answers(at, lambda press: {})
    for person in at.people[:2]:
        at.world.start_bot(person)
    house.turn(at.people[1], on=True)
    send(at, at.people[0], [key("a", "v")])
    assert house.next_due() is None
    send(at, at.people[1], [key("a", "v")])
    assert house.next_due() is not None
    house.turn(at.people[1], on=False)
    play(at, house, bot)
    assert (bot.presses, house.players()) == ([], [])
    house.close()


def test_filling_a_lobby_by_the_join_button_and_by_the_link() -> None:
    at = table()
    house = house_of(at)
    with pytest.raises(WorldError):
        house.fill(at.group, 3)
    lobby = send(at, at.group, [key("加入", "join"), key("离开", "leave")])
    seats: set[int] = set()

    def answer(press: Json) -> Json:
        if not seats:
            seats.add(0)
            return {"url": "https://t.me/NightfallBot?start=seat"}
        seats.add(press["user_id"])
        edit = {"chat_id": at.group, "message_id": lobby, "text": f"{len(seats)}"}
        at.world.call(
            "editMessageText", {**edit, "reply_markup": keyboard([key("加入", "join"), key("开始", "go")])}
        )
        return {"text": "ok"}

    bot = Answers(at, answer)
    players = house.fill(at.group, 4)
    assert len(set(players)) == 4
    assert all(at.world.is_member(at.group, player) for player in players)
    play(at, house, bot, 30)
    assert sorted(p["user_id"] for p in bot.presses) == sorted(players)
    starts = [m["text"] for player in players for m in at.world.messages(player)]
    assert sorted(starts) == ["/start"] * 4 + ["/start seat"]
    more = house.fill(at.group, 2)
    assert not set(more) & set(players)
    assert [at.world.user(player)["first_name"] for player in (*players, *more)][:2] == ["阿哲", "小雨"]


def test_a_lobby_is_filled_though_others_have_opened_pages_with_buttons_below_it() -> None:
    at = table()
    house, bot = house_of(at), Answers(at, lambda press: {"text": "ok"})
    lobby = send(at, at.group, [key("加入", "join")])
    for page in ("rules", "roles", "glossary", "settings"):
        send(at, at.group, [key("▶", page)])
    players = house.fill(at.group, 2)
    play(at, house, bot, 30)
    assert sorted(p["user_id"] for p in bot.presses) == sorted(players)
    assert {p["message_id"] for p in bot.presses} == {lobby}


def test_the_same_seed_plays_the_same() -> None:
    def once() -> list[tuple[float, str]]:
        at = table()
        house = house_of(at, seed=5)
        for person in at.people:
            house.turn(person, on=True)
        seen: list[tuple[float, str]] = []
        at.world.subscribe(lambda c: seen.append((at.clock.now(), c.body["data"])) if c.kind == "press" else None)
        send(at, at.group, [key(str(n), f"v{n}") for n in range(8)])
        play(at, house, Answers(at, lambda press: {}))
        return seen

    assert once() == once()


def test_running_and_starting_again_with_the_same_players() -> None:
    at = table()
    house, bot = house_of(at), Answers(at, lambda press: {})
    house.turn(at.people[1], on=True)
    house.close()

    async def scenario() -> None:
        again = house_of(at)
        assert again.players() == [at.people[1]]
        running = asyncio.create_task(again.run())
        await breathe()
        send(at, at.group, [key("a", "v")])
        await at.clock.pass_time(16)
        bot.answer()
        assert len(bot.presses) == 1
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(scenario())


def test_labels_without_ticks() -> None:
    message: Json = {"chat": {"type": "private"}}
    assert Button("2 乙 ✔", "x", message).label == Button("2 乙", "y", message).label == "2乙"
    assert Button("👍", "x", message).label == "👍"
    assert Button("👍", "x", message).private
