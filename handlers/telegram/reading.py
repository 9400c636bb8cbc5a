"""What anybody may read: the rules of a book, its roles, the players' words. One message, turned by its buttons.

A button carries the page as its serial and the place as its answer: the table's copy of its book, a book as it is
printed, or none. Anybody turns the pages of a group's message; nothing is written but the message itself.
"""

from __future__ import annotations

from msgspec import Struct
from telegram import CallbackQuery, InlineKeyboardMarkup, MaybeInaccessibleMessage, Message, User
from telegram.constants import ChatType

from handlers import buttons
from handlers.record import Reply, Table
from handlers.telegram import keyboards
from handlers.telegram import said as typed
from handlers.telegram.client import Said as Outcome
from handlers.telegram.desk import OK, Answer, Desk, in_the_response
from handlers.telegram.keyboards import Button
from handlers.wording.rules import shelf
from handlers.wording.rules.pages import Guide, in_order
from handlers.wording.rules.shelf import Copy
from handlers.wording.scribe import BOOKS

AT_TABLE, NO_BOOK = "t", "n"
"""Places: the book as the table plays it; none."""


class Leaf(Struct, frozen=True):
    """A page that is shown: which kind, where, and the table it belongs to."""

    code: str
    page: int
    place: str
    table: str = keyboards.NO_TABLE

    def to(self, code: str, page: int = 0, place: str = "") -> str:
        """What a button says that leads elsewhere from here."""
        return str(buttons.Data(self.table, page, code, place or self.place))


# Commands ------------------------------------------------------------------------------------------------


async def rules(desk: Desk, said: typed.Said) -> Answer:
    """`/rules`: the book of the table; where there is none, the books to choose from."""
    return await _open(desk, said, buttons.RULES)


async def roles(desk: Desk, said: typed.Said) -> Answer:
    """`/roles`: those of the table's book; where there is none, the books to choose from."""
    return await _open(desk, said, buttons.WHO)


async def glossary(desk: Desk, said: typed.Said) -> Answer:
    """`/glossary`: the players' words."""
    return await _open(desk, said, buttons.GLOSSARY)


async def _open(desk: Desk, said: typed.Said, code: str) -> Answer:
    table = _seat_of(desk, said.sender) if typed.is_private(said) else typed.open_table(desk, said)
    if table is not None:
        leaf = Leaf(code, 0, AT_TABLE, table.id)
    elif code == buttons.GLOSSARY:
        leaf = Leaf(code, 0, NO_BOOK)
    else:
        leaf = Leaf(buttons.BOOKS, int(code == buttons.WHO), NO_BOOK)
    usual = "" if typed.is_private(said) or table else desk.chats.chat(said.chat, said.topic).book
    shown = _show(Guide(typed.scribe(desk, said)), leaf, table, usual)
    if shown is not None:
        text, keyboard = shown
        await desk.client.send(said.chat, text, keyboard, said.topic)
    return OK


def _seat_of(desk: Desk, user: User | None) -> Table | None:
    """The open table at which a person has his seat."""
    table = desk.tables.load(desk.chats.player(user.id).claim) if user else None
    if table is None or user is None or table.phase == "over" or not table.seat_of(user.id):
        return None
    return table


# Presses -------------------------------------------------------------------------------------------------


async def press(desk: Desk, query: CallbackQuery, data: buttons.Data) -> Answer:
    """Turn the page. What is no button of the message, or leads nowhere any more, is refused with a word."""
    message = query.message
    reply = Reply("page_gone", alert=True)
    if message is not None and keyboards.bears(message, query.data):
        reply = await _turn(desk, query, message, data) or reply
    return in_the_response(query, desk.text(reply, None, desk.language_of(query.from_user)), reply)


async def _turn(
    desk: Desk, query: CallbackQuery, message: MaybeInaccessibleMessage, data: buttons.Data
) -> Reply | None:
    private = message.chat.type == ChatType.PRIVATE
    table = None
    if data.table != keyboards.NO_TABLE:
        table = desk.tables.load(data.table)
        if table is None or not (table.seat_of(query.from_user.id) if private else table.chat == message.chat.id):
            return None
    topic = message.message_thread_id if isinstance(message, Message) and message.is_topic_message else None
    row = desk.chats.chat(message.chat.id, topic)
    language = "" if private else row.language or (table.language if table else "")
    guide = Guide(desk.scribe(None, language or desk.language_of(query.from_user)))
    leaf = Leaf(data.code, data.serial, data.answer, data.table)
    shown = _show(guide, leaf, table, "" if private or table else row.book)
    if shown is None:
        return None
    wait = 0.0 if private else desk.wait_to_turn(message.chat.id)
    if wait:
        return Reply("page_later", number=max(1, round(wait)))
    called = await desk.client.edit(message.chat.id, message.message_id, *shown)
    if called.said is Outcome.LATER:
        return Reply("page_later", number=max(1, round(called.wait)))
    return Reply("page") if called.said in (Outcome.OK, Outcome.SAME) else None


# Pages ---------------------------------------------------------------------------------------------------


def _show(
    guide: Guide, leaf: Leaf, table: Table | None, usual: str
) -> tuple[str, InlineKeyboardMarkup | None] | None:
    """A page and what is under it; None where there is no such page. usual: the group's book."""
    if leaf.code == buttons.BOOKS:
        return (guide.books(shelf.offered()), _under_books(guide, leaf, table, usual)) if leaf.page < 2 else None
    if leaf.code == buttons.GLOSSARY:
        return _page(guide, leaf, guide.glossary(), _switches(guide, leaf))
    copy = _copy(leaf, table)
    if copy is None:
        return None
    if leaf.code == buttons.RULES:
        return _page(guide, leaf, guide.rules(copy), _switches(guide, leaf))
    written, switches = guide.roles(copy), _switches(guide, leaf)
    if leaf.page:
        overview = Button(guide.say("button.overview"), callback_data=leaf.to(buttons.WHO))
        return _page(guide, leaf, written, [overview, *switches])
    names = [
        Button(guide.scribe.role(copy.title_of(role)), callback_data=leaf.to(buttons.WHO, number))
        for number, role in enumerate(in_order(copy), 1)
    ]
    return written[0], keyboards.markup([*keyboards.grid(names), switches])


def _copy(leaf: Leaf, table: Table | None) -> Copy | None:
    """The book a page is from: the table's, or one of those that can be played, by its number."""
    if leaf.place == AT_TABLE:
        return shelf.played(table) if table is not None else None
    names = {_place(name): name for name in shelf.offered()}
    return shelf.printed(names[leaf.place]) if leaf.place in names else None


def _place(book: str) -> str:
    return f"b{BOOKS.index(book)}"


def _page(
    guide: Guide, leaf: Leaf, written: list[str], below: list[Button]
) -> tuple[str, InlineKeyboardMarkup | None] | None:
    """One of several pages, with the buttons that turn them, round and round."""
    count = len(written)
    if leaf.page >= count:
        return None
    turns = (("◀", leaf.page - 1), (f"{leaf.page + 1}/{count}", leaf.page), ("▶", leaf.page + 1))
    row = [Button(label, callback_data=leaf.to(leaf.code, page % count)) for label, page in turns]
    return written[leaf.page], keyboards.markup([row, below])


def _switches(guide: Guide, leaf: Leaf) -> list[Button]:
    """From one kind of pages to the others."""
    kinds = {"rules": buttons.RULES, "roles": buttons.WHO, "glossary": buttons.GLOSSARY}
    if leaf.place == NO_BOOK:
        del kinds["rules"], kinds["roles"]
    found = [
        Button(guide.say(f"button.{name}"), callback_data=leaf.to(code))
        for name, code in kinds.items()
        if code != leaf.code
    ]
    return [*found, Button(guide.say("button.books"), callback_data=leaf.to(buttons.BOOKS, 0))]


def _under_books(guide: Guide, leaf: Leaf, table: Table | None, usual: str) -> InlineKeyboardMarkup | None:
    """The books; the table's, or what the group played last, is ticked and the former is read as it is played.

    The page says whether they are opened at the rules or at the roles.
    """
    own = table.book if table else ""
    code = buttons.WHO if leaf.page else buttons.RULES
    books = [
        Button(
            guide.scribe.say(f"book.{name}") + (" ✔" if name in (own, usual) else ""),
            callback_data=leaf.to(code, place=AT_TABLE if name == own else _place(name)),
        )
        for name in shelf.offered()
    ]
    glossary = Button(guide.say("button.glossary"), callback_data=leaf.to(buttons.GLOSSARY, place=NO_BOOK))
    return keyboards.markup([*keyboards.grid(books), [glossary]])
