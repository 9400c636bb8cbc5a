"""Keyboards. In the group they are the same for everybody: never one person's legal answers."""

from __future__ import annotations

from collections.abc import Sequence

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, MaybeInaccessibleMessage, Message

from engine import RULE_BOOKS, Prompt, StepView
from handlers import buttons, cards
from handlers import settings as choices
from handlers.languages import NAMES
from handlers.record import Table
from handlers.wording.scribe import Scribe

Button = InlineKeyboardButton

SIDES = ("left", "right")
"""Where the round of speeches may begin."""

SURE = frozenset({"wolf.explode"})
"""What cannot be taken back, and is done by a second press."""

SIGNS = {"mayor.peek": "👁", "mayor.inspect": "🔍", "mayor.broom": "🧹"}
"""What is put before an option where several questions in one message have the same."""

NO_TABLE = "0" * 8
"""Stands in buttons that belong to no table."""


def markup(rows: Sequence[Sequence[Button]]) -> InlineKeyboardMarkup | None:
    """Rows as Telegram wants them; None for none."""
    return InlineKeyboardMarkup([list(row) for row in rows if row]) if any(rows) else None


def lobby(scribe: Scribe, table: str) -> InlineKeyboardMarkup | None:
    """Join, leave; book, deck, settings; start."""
    first = [_button(scribe, "join", table, 0, buttons.JOIN), _button(scribe, "leave", table, 0, buttons.LEAVE)]
    second = [
        _button(scribe, "book", table, 0, buttons.BOOK),
        _button(scribe, "deck", table, 0, buttons.DECK),
        _button(scribe, "settings", table, 0, buttons.SETTINGS),
    ]
    return markup([first, second, [_button(scribe, "start", table, 0, buttons.START)]])


def settings(scribe: Scribe, table: Table, page: int) -> InlineKeyboardMarkup | None:
    """Under a lobby's options, its deck, or the books: each button turns one; pages; deck, close."""
    if page == cards.CLOSED:
        return None
    close = _button(scribe, "close", table.id, 0, buttons.CLOSE)
    book = RULE_BOOKS[table.book]
    if page == cards.BOOKS:
        titles = [
            Button(
                _mark(scribe.say(f"book.{name}"), name == table.book),
                callback_data=_data(table.id, 0, buttons.BOOK, str(index)),
            )
            for index, name in enumerate(RULE_BOOKS)
        ]
        deck = _button(scribe, "deck", table.id, 0, buttons.DECK)
        return markup([*grid(titles), [deck, close]])
    if page == cards.DECK:
        chosen = choices.chosen(table)
        roles = [
            Button(
                _mark(scribe.role(role), role in chosen),
                callback_data=_data(table.id, 0, buttons.ROLE, str(index)),
            )
            for index, role in enumerate(book.choosable)
        ]
        recommended = [_button(scribe, "recommended", table.id, 0, buttons.RECOMMENDED)] if roles else []
        back = _button(scribe, "settings", table.id, 0, buttons.SETTINGS, "0")
        return markup([*grid(roles), recommended, [back, close]])
    every = choices.every(table)
    turns = [
        Button(
            scribe.say(f"option.{name}"),
            callback_data=_data(table.id, 0, buttons.OPTION, str(every.index(name))),
        )
        for name in choices.on_page(table, page)
    ]
    pages = choices.pages(table)
    leaf = [
        Button(label, callback_data=_data(table.id, 0, buttons.SETTINGS, str(target % pages)))
        for label, target in (("«", page - 1), (f"{page + 1}/{pages}", page), ("»", page + 1))
    ]
    return markup([*grid(turns), leaf, [_button(scribe, "deck", table.id, 0, buttons.DECK), close]])


def card(scribe: Scribe, table: str) -> list[Button]:
    """The row with one's own card."""
    return [_button(scribe, "card", table, 0, buttons.CARD)]


def group(scribe: Scribe, table: str, step: StepView | None) -> InlineKeyboardMarkup | None:
    """Under the newest message of the group: the buttons of the open step, and the card."""
    rows: list[list[Button]] = []
    if step and step.kind in ("ballot", "naming", "verdict"):
        rows += _ballot(scribe, table, step)
    elif step and step.name in buttons.IN_TURN:
        rows += _turn(scribe, table, step)
    elif step and step.kind == "candidacy":
        stand = _button(scribe, "stand", table, step.serial, buttons.VOTE)
        rows.append([stand, _button(scribe, "not_stand", table, step.serial, buttons.VOTE, buttons.PASS)])
    elif step and step.kind == "order":
        rows.append(
            [
                Button(
                    scribe.on_a_button(side),
                    callback_data=_data(table, step.serial, buttons.VOTE, buttons.chosen(SIDES, side)),
                )
                for side in SIDES
            ]
        )
    elif step and step.kind == "speech":
        rows.append([_button(scribe, "end_speech", table, step.serial, buttons.FLOOR)])
    elif step and step.kind == "talk":
        rows.append([_button(scribe, "ready", table, step.serial, buttons.READY)])
    return markup([*rows, card(scribe, table)])


def _turn(scribe: Scribe, table: str, step: StepView) -> list[list[Button]]:
    """What the seat whose turn it is can do, and leave undone."""
    rows = grid(
        [
            Button(
                scribe.say(f"yes.{step.name}") if option == "yes" else scribe.on_a_button(option),
                callback_data=_data(table, step.serial, buttons.VOTE, buttons.chosen(step.candidates, option)),
            )
            for option in step.candidates
        ]
    )
    label = scribe.say(f"pass.{step.name}")
    return [*rows, [Button(label, callback_data=_data(table, step.serial, buttons.VOTE, buttons.PASS))]]


def _ballot(scribe: Scribe, table: str, step: StepView) -> list[list[Button]]:
    """Who can be voted for; who has two ballots can share them; abstaining, where the book allows it."""
    rows = grid(
        [
            Button(
                scribe.on_a_button(option),
                callback_data=_data(table, step.serial, buttons.VOTE, buttons.chosen(step.candidates, option)),
            )
            for option in step.candidates
        ]
    )
    if step.name == "vote.verdict" and any(weight > 1 for weight in step.weights.values()):
        every = buttons.done((1 << len(step.candidates)) - 1)
        rows.append([_button(scribe, "one_each", table, step.serial, buttons.VOTE, every)])
    if step.abstain:
        key = "not_nominate" if step.kind == "naming" else "abstain"
        rows.append([_button(scribe, key, table, step.serial, buttons.VOTE, buttons.PASS)])
    return rows


def private(scribe: Scribe, table: str, prompts: Sequence[Prompt], mask: int = 0) -> InlineKeyboardMarkup | None:
    """The buttons of one seat's questions. mask: what is selected so far where several are wanted."""
    rows: list[list[Button]] = []
    for prompt in prompts:
        code = buttons.code_of(prompt.action)
        if prompt.action in SURE:
            rows += _twice(scribe, table, prompt, mask)
        elif prompt.most > 1:
            rows += _selection(scribe, table, prompt, mask)
        else:
            rows += _single(scribe, table, prompt)
        if prompt.optional:
            label = scribe.say(f"pass.{prompt.action}")
            rows.append([Button(label, callback_data=_data(table, prompt.serial, code, buttons.PASS))])
    return markup(rows)


def _single(scribe: Scribe, table: str, prompt: Prompt) -> list[list[Button]]:
    code = buttons.code_of(prompt.action)
    return grid(
        [
            Button(
                _mark(_label(scribe, prompt, option), prompt.answer == (option,)),
                callback_data=_data(table, prompt.serial, code, buttons.chosen(prompt.options, option)),
            )
            for option in prompt.options
        ]
    )


def _twice(scribe: Scribe, table: str, prompt: Prompt, mask: int) -> list[list[Button]]:
    """What is done by a second press: the first one only asks whether he is sure."""
    code = buttons.code_of(prompt.action)
    first = Button(
        scribe.say("button.not_sure" if mask else f"yes.{prompt.action}"),
        callback_data=_data(table, prompt.serial, code, buttons.toggled(mask, 0)),
    )
    if not mask:
        return [[first]]
    second = Button(
        scribe.say(f"sure.{prompt.action}"),
        callback_data=_data(table, prompt.serial, code, buttons.done(mask)),
    )
    return [[second], [first]]


def _selection(scribe: Scribe, table: str, prompt: Prompt, mask: int) -> list[list[Button]]:
    """Each press toggles; what is selected travels in the buttons and is stored nowhere before it is done."""
    code = buttons.code_of(prompt.action)
    rows = grid(
        [
            Button(
                _mark(_label(scribe, prompt, option), bool(mask >> index & 1)),
                callback_data=_data(table, prompt.serial, code, buttons.toggled(mask, index)),
            )
            for index, option in enumerate(prompt.options)
        ]
    )
    key = "button.done" if prompt.least == prompt.most else "button.done.some"
    label = scribe.say(key, chosen=mask.bit_count(), wanted=prompt.most)
    return [*rows, [Button(label, callback_data=_data(table, prompt.serial, code, buttons.done(mask)))]]


def _label(scribe: Scribe, prompt: Prompt, option: int | str) -> str:
    if option == "yes":
        return scribe.say(f"yes.{prompt.action}")
    sign = SIGNS.get(prompt.action)
    return f"{sign} {scribe.on_a_button(option)}" if sign else scribe.on_a_button(option)


def _mark(label: str, chosen: bool) -> str:
    return f"{label} ✔" if chosen else label


def grid(row: list[Button]) -> list[list[Button]]:
    """Two columns for a small table, more for a large one."""
    columns = 2 if len(row) <= 9 else 3 if len(row) <= 16 else 4
    return [row[index : index + columns] for index in range(0, len(row), columns)]


def _button(scribe: Scribe, key: str, table: str, serial: int, code: str, answer: str = buttons.YES) -> Button:
    return Button(scribe.say(f"button.{key}"), callback_data=_data(table, serial, code, answer))


def _data(table: str, serial: int, code: str, answer: str) -> str:
    return str(buttons.Data(table, serial, code, answer))


def link(scribe: Scribe, url: str) -> InlineKeyboardMarkup | None:
    """One button that opens the private chat."""
    return markup([[Button(scribe.say("button.open_private"), url=url)]])


def expel(scribe: Scribe, table: str, seat: int, sentence: bool) -> InlineKeyboardMarkup | None:
    """The second press that puts a seat out."""
    label = scribe.say("button.expel", seat=scribe.label(seat))
    answer = f"{seat}{buttons.SENTENCED if sentence else ''}"
    return markup([[Button(label, callback_data=_data(table, 0, buttons.EXPEL, answer))]])


def languages() -> InlineKeyboardMarkup | None:
    """The languages, each in its own name. They belong to no table."""
    row = [
        Button(name, callback_data=_data(NO_TABLE, 0, buttons.LANGUAGE, str(index)))
        for index, name in enumerate(NAMES)
    ]
    return markup([row])


def end(scribe: Scribe, table: str, goes_on: bool = False) -> InlineKeyboardMarkup | None:
    """Under a finished game: the next of its match, the same again, another one, how to check the deal."""
    first = [
        _button(scribe, "again", table, 0, buttons.AGAIN),
        _button(scribe, "another", table, 0, buttons.ANOTHER),
    ]
    following = [_button(scribe, "next", table, 0, buttons.NEXT)] if goes_on else []
    return markup([following, first, [_button(scribe, "check", table, 0, buttons.CHECK)]])


def bears(message: MaybeInaccessibleMessage, data: str | None) -> bool:
    """Say whether such a button is under the message: what else is pressed there was made up."""
    markup = message.reply_markup if isinstance(message, Message) else None
    return markup is not None and any(b.callback_data == data for row in markup.inline_keyboard for b in row)


def left_of(scribe: Scribe, pressed: str) -> InlineKeyboardMarkup | None:
    """What stays of a keyboard that is of no use any more: a deal can always be checked."""
    data = buttons.parse(pressed)
    if data is None or data.code not in buttons.OPENING:
        return None
    return markup([[_button(scribe, "check", data.table, 0, buttons.CHECK)]])
