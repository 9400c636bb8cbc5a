"""Presses: from a button to a judgement, and from its reply to the pop-up. Every press is answered."""

from __future__ import annotations

from telegram import CallbackQuery, MaybeInaccessibleMessage, Message
from telegram.constants import ChatType

from engine import view_for
from handlers import buttons, lobby, moves, names
from handlers.record import Reply, Table
from handlers.table import Judge
from handlers.telegram import keyboards
from handlers.telegram.desk import OK, Answer, Desk, come_back, in_the_response

OF_THE_LOBBY = (buttons.JOIN, buttons.LEAVE, buttons.START)
FOR_ADMINS = (buttons.START,)
"""What an admin may press beside the host: only for these Telegram is asked about rights."""


async def press(desk: Desk, query: CallbackQuery) -> Answer:
    """Deal with a press."""
    language = desk.language_of(query.from_user)
    data = buttons.parse(query.data or "")
    if data is None:
        return in_the_response(query, desk.scribe(None, language).say("reply.gone"), Reply("gone"))
    made = await _press(desk, query, data, language)
    answered = False

    async def answer(reply: Reply, table: Table) -> None:
        nonlocal answered
        answered = True
        await desk.client.answer(query.id, desk.text(reply, table, language), reply.alert, reply.url)

    outcome = await desk.tables.run(data.table, f"c{query.id}", _judge(desk, made), answer)
    if outcome.come_back is not None and outcome.table is None:
        return come_back(outcome.come_back)
    reply = outcome.reply or Reply("gone", strip=True)
    if reply.code == "started" and outcome.table is not None:
        desk.chats.keep_choices(outcome.table)
    await _tidy(desk, query, reply, outcome.table, language)
    if answered:
        return come_back(outcome.come_back) if outcome.come_back else OK
    if outcome.come_back:
        await desk.client.answer(query.id, desk.text(reply, outcome.table, language), reply.alert, reply.url)
        return come_back(outcome.come_back)
    return in_the_response(query, desk.text(reply, outcome.table, language), reply)


async def _press(desk: Desk, query: CallbackQuery, data: buttons.Data, language: str) -> moves.Press:
    user, message = query.from_user, query.message
    private = message is None or message.chat.type == ChatType.PRIVATE
    asked = message is not None and not private and data.code in FOR_ADMINS
    admin = asked and message is not None and await desk.is_admin(message.chat.id, user.id)
    return moves.Press(user.id, names.clean(user.full_name), language, data, private, admin)


def _judge(desk: Desk, press: moves.Press) -> Judge:
    if press.data.code not in OF_THE_LOBBY:
        return lambda table, now: moves.press(table, press, now)
    if press.data.code == buttons.JOIN:
        return _join(desk, press)
    return lambda table, now: lobby.press(table, press, now, desk.seed)


def _join(desk: Desk, press: moves.Press) -> Judge:
    """Who has started the bot joins by the press; for others it opens the private chat, and Start joins."""
    reachable = desk.chats.player(press.user).reachable
    elsewhere = desk.chats.claim(press.user, press.data.table) if reachable else None

    def judge(table: Table, now: float) -> tuple[Table, Reply]:
        if table.phase == "lobby" and not table.seat_of(press.user):
            if not reachable:
                return table, Reply("open_private", url=join_link(desk.username, table))
            if elsewhere is not None:
                return table, Reply("seated_elsewhere", name=elsewhere.title, alert=True)
        return lobby.press(table, press, now, desk.seed)

    return judge


def join_link(username: str, table: Table) -> str:
    """The link that opens the private chat and, by Start, takes a seat at this lobby."""
    return f"https://t.me/{username}?start=join_{table.id}_{table.token}"


async def _tidy(desk: Desk, query: CallbackQuery, reply: Reply, table: Table | None, language: str) -> None:
    """What a press does to the very message it was made on: nothing is lost if this is."""
    message = query.message
    if message is None:
        return
    if reply.strip and _bears(message, query.data):
        await desk.client.keyboard(message.chat.id, message.message_id, None)
    elif reply.mask is not None and table is not None and table.game:
        view = view_for(table.play(), table.seat_of(query.from_user.id))
        prompts = view.mine.prompts if view.mine else ()
        keyboard = keyboards.private(desk.scribe(table, language), table.id, prompts, reply.mask)
        await desk.client.keyboard(message.chat.id, message.message_id, keyboard)


def _bears(message: MaybeInaccessibleMessage, data: str | None) -> bool:
    """Say whether such a button is under the message: what else is pressed there was made up."""
    markup = message.reply_markup if isinstance(message, Message) else None
    return markup is not None and any(b.callback_data == data for row in markup.inline_keyboard for b in row)
