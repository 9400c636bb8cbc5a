"""Opening a table, taking a seat, giving it back – by command, and by the link of a lobby."""

from __future__ import annotations

import hmac

from telegram import User

from handlers import hosting, languages, lobby, upkeep
from handlers.record import Reply, Table
from handlers.telegram import keyboards, serving
from handlers.telegram.desk import OK, Answer, Desk, come_back
from handlers.telegram.presses import join_link
from handlers.telegram.said import Said, is_private, open_table, run, tell


async def newgame(desk: Desk, said: Said) -> Answer:
    """`/newgame`: open a lobby, or post the open one anew."""
    sender = said.sender
    if sender is None:
        return await tell(desk, said, Reply("anonymous"))
    table = desk.chats.table_of(said.chat, said.topic)
    if table is not None and table.phase == "over" and table.receipt(said.trigger) is None:
        table = None
    if table is None:
        refused = serving.no_new_table(desk)
        if refused:
            return await tell(desk, said, Reply(refused))
        language = languages.of_code(sender.language_code)
        title = said.message.chat.title or ""
        table = desk.chats.open(said.chat, said.topic, language, desk.person(sender), title)
    return await run(desk, said, table, lambda current, _now: lobby.open_again(current))


async def join(desk: Desk, said: Said) -> Answer:
    """Take a seat by typing; who has not opened his chat with the bot gets the link."""
    sender, table = said.sender, open_table(desk, said)
    if sender is None or table is None:
        return await tell(desk, said, Reply("anonymous" if sender is None else "no_table"), table)
    person = desk.person(sender)
    would = lobby.join(table, person)[1]
    if would.code == "joined" and not desk.chats.player(sender.id).reachable:
        link = join_link(desk.username, table)
        keyboard = keyboards.link(desk.scribe(table, table.language), link)
        text = desk.text(Reply("open_private"), table, table.language)
        await desk.client.send(said.chat, text, keyboard, said.topic)
        return OK
    elsewhere = desk.chats.claim(sender.id, table.id)

    def judge(current: Table, _now: float) -> tuple[Table, Reply]:
        if elsewhere is not None and not current.seat_of(person.user):
            # In the group nobody shall read where else somebody plays.
            return current, Reply("seated_elsewhere_here")
        return lobby.join(current, person)

    return await run(desk, said, table, judge)


async def leave(desk: Desk, said: Said) -> Answer:
    """`/leave`: give the seat back, or leave the running game for good."""
    sender = said.sender
    table = desk.tables.load(desk.chats.player(sender.id).claim) if sender and is_private(said) else None
    table = table or open_table(desk, said)
    if sender is None or table is None:
        return await tell(desk, said, Reply("no_table"), table)
    user = sender.id
    return await run(desk, said, table, lambda current, now: hosting.leave(current, user, now))


async def start(desk: Desk, said: Said) -> Answer:
    """Somebody has opened his chat with the bot, perhaps by a lobby's link: then he joins."""
    user = said.sender
    if user is None:
        return OK
    desk.chats.met(user.id, reachable=True)
    language = desk.language_of(user)
    word, _, rest = said.argument.partition("_")
    table_id, _, token = rest.partition("_")
    if word != "join":
        await desk.client.send(said.chat, desk.scribe(None, language).say("start.hello"))
        return OK
    return await _join_by_link(desk, said, user, table_id, token)


async def _join_by_link(desk: Desk, said: Said, user: User, table_id: str, token: str) -> Answer:
    """The link's token proves the lobby; that he is a member of its group, only Telegram can say."""
    person = desk.person(user)
    table = desk.tables.load(table_id)
    member = table is not None and await desk.is_member(table.chat, user.id)
    elsewhere = desk.chats.claim(user.id, table_id) if member else None

    def judge(table: Table, now: float) -> tuple[Table, Reply]:
        if not hmac.compare_digest(table.token.encode(), token.encode()):
            return table, Reply("lobby_gone")
        if not member:
            return table, Reply("not_a_member")
        if elsewhere is not None and not table.seat_of(user.id):
            return table, Reply("seated_elsewhere", name=elsewhere.title)
        joined, reply = lobby.join(table, person)
        return upkeep.heard(joined, user.id, now), reply

    outcome = await desk.tables.run(table_id, f"m{user.id}.{said.message.message_id}", judge)
    if outcome.come_back is not None:
        return come_back(outcome.come_back)
    reply = outcome.reply or Reply("lobby_gone")
    if reply.code == "joined":
        text = desk.scribe(outcome.table, person.language).say("start.joined", seat=reply.seat)
    else:
        text = desk.escaped(reply, outcome.table, person.language)
    await desk.client.send(said.chat, text)
    return OK
