"""Presses: from a button to a judgement, and from its reply to the pop-up. Every press is answered."""

from __future__ import annotations

from msgspec.structs import replace
from telegram import CallbackQuery, Message
from telegram.constants import ChatType

from engine import view_for
from handlers import buttons, cards, hosting, languages, lobby, moves, names
from handlers.post import Post
from handlers.record import Reply, Table
from handlers.table import Judge
from handlers.telegram import ends, keyboards, menus, reading
from handlers.telegram.client import Said
from handlers.telegram.desk import OK, Answer, Desk, come_back, in_the_response

FOR_ADMINS = (buttons.START, buttons.NEXT, buttons.EXPEL, *buttons.OF_THE_SETTINGS)
"""What an admin may press beside the host: only for these Telegram is asked about rights."""


async def press(desk: Desk, query: CallbackQuery) -> Answer:
    """Deal with a press."""
    data = buttons.parse(query.data or "")
    if data is None:
        return in_the_response(query, desk.text(Reply("gone"), None, _language(desk, query, None)), Reply("gone"))
    if data.code == buttons.LANGUAGE:
        return await _choose_language(desk, query, data)
    if data.code in buttons.OF_THE_RULES:
        return await reading.press(desk, query, data)
    made = await _press(desk, query, data)
    answered = False

    async def answer(reply: Reply, table: Table) -> None:
        nonlocal answered
        text = desk.text(reply, table, _language(desk, query, table))
        called = await desk.client.answer(query.id, text, reply.alert, reply.url)
        # Whoever was not reached by the call is answered in the response, when all is sent.
        answered = called.said is Said.OK

    table_id, judge = data.table, _judge(desk, made)
    if data.code in buttons.OPENING:
        language = _language(desk, query, None)
        following = ends.next_table(desk, query, data, language)
        if isinstance(following, Reply):
            return in_the_response(query, desk.text(following, None, language), following)
        table_id, judge = following.id if following else "", ends.opened
    outcome = await desk.tables.run(table_id, f"c{query.id}", judge, answer)
    if outcome.come_back is not None and outcome.table is None:
        return come_back(outcome.come_back)
    reply, language = outcome.reply or Reply("gone", strip=True), _language(desk, query, outcome.table)
    if reply.code == "started" and outcome.table is not None:
        desk.chats.keep_choices(outcome.table)
    await _tidy(desk, query, reply, outcome.table, language)
    if answered:
        return come_back(outcome.come_back) if outcome.come_back else OK
    if outcome.come_back:
        await desk.client.answer(query.id, desk.text(reply, outcome.table, language), reply.alert, reply.url)
        return come_back(outcome.come_back)
    return in_the_response(query, desk.text(reply, outcome.table, language), reply)


def _language(desk: Desk, query: CallbackQuery, table: Table | None) -> str:
    """The language of the presser, which a table at which he sits knows: nothing is read for it."""
    seat = table.seat_of(query.from_user.id) if table is not None else 0
    return table.person(seat).language if table is not None and seat else desk.language_of(query.from_user)


async def _press(desk: Desk, query: CallbackQuery, data: buttons.Data) -> moves.Press:
    user, message = query.from_user, query.message
    language = desk.language_of(user) if data.code == buttons.JOIN else ""
    private = message is None or message.chat.type == ChatType.PRIVATE
    asked = message is not None and not private and data.code in FOR_ADMINS
    admin = asked and message is not None and await desk.is_admin(message.chat.id, user.id)
    chat = message.chat.id if message else 0
    return moves.Press(user.id, names.clean(user.full_name), language, data, private, admin, chat)


def _judge(desk: Desk, press: moves.Press) -> Judge:
    if press.data.code == buttons.EXPEL:
        return _expel(press)
    if press.data.code == buttons.CHECK:
        return lambda table, _now: (table, Reply("check", alert=True))
    if press.data.code == buttons.NEXT:
        return lambda table, now: lobby.next_game(table, press.may_host(table), now, desk.seed)
    if press.data.code not in buttons.OF_THE_LOBBY:
        return lambda table, now: moves.press(table, press, now)
    if press.data.code == buttons.JOIN:
        return _join(desk, press)
    return lambda table, now: lobby.press(table, press, now, desk.seed)


def _expel(press: moves.Press) -> Judge:
    """The second press of `/expel`: whoever makes it must have the right himself."""

    def judge(table: Table, now: float) -> tuple[Table, Reply]:
        if not press.may_host(table):
            return table, Reply("host_only", alert=True)
        number = press.data.answer.removesuffix(buttons.SENTENCED)
        seat = int(number) if number.isdigit() else 0
        kind = hosting.SENTENCE if number != press.data.answer else ""
        after, refused = hosting.expel(table, press.name, seat, now, kind)
        return after, replace(refused or Reply("done"), strip=True)

    return judge


async def _choose_language(desk: Desk, query: CallbackQuery, data: buttons.Data) -> Answer:
    """A language for a group, by its admins or the host of its table; in private, for oneself."""
    user, message = query.from_user, query.message
    index = int(data.answer) if data.answer.isdigit() else len(languages.LANGUAGES)
    if message is None or index >= len(languages.LANGUAGES):
        return in_the_response(query, desk.scribe(None, desk.language_of(user)).say("reply.gone"), Reply("gone"))
    language, chat = languages.LANGUAGES[index], message.chat.id
    private = message.chat.type == ChatType.PRIVATE
    if private:
        desk.chats.prefer(user.id, language)
        if claim := desk.chats.player(user.id).claim:
            await desk.tables.run(claim, f"c{query.id}", lambda table, _now: _tell(table, user.id, language))
    else:
        topic = message.message_thread_id if isinstance(message, Message) and message.is_topic_message else None
        table = desk.chats.table_of(chat, topic)
        host = table is not None and table.phase != "over" and table.opener == user.id
        if not host and not await desk.is_admin(chat, user.id):
            refused = Reply("host_only", alert=True)
            return in_the_response(query, desk.text(refused, None, desk.language_of(user)), refused)
        desk.chats.speak(chat, topic, language)
        if table is not None and table.phase != "over":
            await desk.tables.run(table.id, f"c{query.id}", lambda current, _now: _speak(current, language))
    await menus.of_chat(desk.client, chat, language, private)
    await desk.client.keyboard(chat, message.message_id, None)
    chosen = Reply("language_set", name=languages.NAMES[index])
    return in_the_response(query, desk.text(chosen, None, language), chosen)


def _tell(table: Table, user: int, language: str) -> tuple[Table, Reply | None]:
    """Who sits at a table is told everything there in his new language from now on."""
    people = (replace(person, language=language) if person.user == user else person for person in table.people)
    return (table if table.phase == "over" else replace(table, people=tuple(people))), None


def _speak(table: Table, language: str) -> tuple[Table, Reply | None]:
    """Everything from now on is said in the group's new language; the lobby at once."""
    post = Post(replace(table, language=language))
    if table.phase == "lobby":
        cards.lobby(post)
    return post.table, None


def _join(desk: Desk, press: moves.Press) -> Judge:
    """Who has started the bot joins by the press; for others it opens the private chat, and Start joins."""
    reachable = desk.chats.player(press.user).reachable
    elsewhere = desk.chats.claim(press.user, press.data.table) if reachable else None

    def judge(table: Table, now: float) -> tuple[Table, Reply]:
        after, reply = lobby.press(table, press, now, desk.seed)
        if reply.code == "joined" and not reachable:
            return table, Reply("open_private", url=join_link(desk.username, table))
        if reply.code == "joined" and elsewhere is not None:
            return table, Reply("seated_elsewhere", name=elsewhere.title, alert=True)
        return after, reply

    return judge


def join_link(username: str, table: Table) -> str:
    """The link that opens the private chat and, by Start, takes a seat at this lobby."""
    return f"https://t.me/{username}?start=join_{table.id}_{table.token}"


async def _tidy(desk: Desk, query: CallbackQuery, reply: Reply, table: Table | None, language: str) -> None:
    """What a press does to the very message it was made on: nothing is lost if this is."""
    message = query.message
    if message is None:
        return
    if reply.strip and keyboards.bears(message, query.data):
        left = keyboards.left_of(desk.scribe(table, language), query.data or "")
        await desk.client.keyboard(message.chat.id, message.message_id, left)
    elif reply.mask is not None and table is not None and table.game:
        view = view_for(table.play(), table.seat_of(query.from_user.id))
        data = buttons.parse(query.data or "")
        prompts = [
            prompt
            for prompt in (view.mine.prompts if view.mine else ())
            if data and prompt.serial == data.serial and prompt.action not in buttons.PUBLIC_ACTIONS
        ]
        keyboard = keyboards.private(desk.scribe(table, language), table.id, prompts, reply.mask)
        await desk.client.keyboard(message.chat.id, message.message_id, keyboard)
