"""From effects to messages: texts and keyboards are made here, when they are sent."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from engine import View, stands_beside, view_for
from engine import events as e
from handlers import cards, notices, settings, upkeep
from handlers import lobby as to_lobby
from handlers.outbox import Delivery
from handlers.record import (
    AnyEffect,
    Archive,
    Counter,
    LobbyCard,
    News,
    Night,
    Notice,
    Remind,
    Retire,
    SettingsCard,
    Sheet,
    Strip,
    Table,
    Whisper,
)
from handlers.telegram import keyboards
from handlers.telegram.client import Called, Client, Said
from handlers.telegram.paper import Html
from handlers.wording import aside, ending, houses, lobby, notice, options, private, public, votes
from handlers.wording.scribe import Scribe

LOST_AGAIN_S = 2.0
"""Seconds until what may have been lost on the way is sent again."""


class Screen:
    """A `Messenger` for Telegram."""

    def __init__(self, client: Client, now: Callable[[], float]) -> None:
        self._client = client
        self._now = now

    async def deliver(self, effect: AnyEffect, table: Table) -> Delivery:
        """Send an effect."""
        match effect:
            case News(seat=0):
                return await self._group_news(effect, table)
            case News():
                return await self._private_news(effect, table)
            case Sheet():
                return await self._sheet(effect, table)
            case Night():
                return await self._night(effect, table)
            case Retire():
                return await self._retire(effect, table)
            case Counter():
                return await self._counter(effect, table)
            case LobbyCard():
                return await self._lobby(effect, table)
            case SettingsCard():
                return await self._settings(effect, table)
            case Strip():
                return await self._strip(effect, table)
            case Notice():
                return await self._notice(effect, table)
            case Remind():
                return await self._remind(effect, table)
            case Whisper():
                return await self._whisper(effect, table)
            case Archive():
                return Delivery(sent=True)

    def scribe(self, table: Table, language: str) -> Scribe:
        """A scribe for the table, writing in a language."""
        death, points = settings.is_death(table), settings.one_each(table)
        return Scribe(language, table.people, Html(), self._now(), death, points)

    # The group -------------------------------------------------------------------------------------------

    async def _group_news(self, effect: News, table: Table) -> Delivery:
        scribe = self.scribe(table, table.language)
        key = notices.name_of_news(effect.events, effect.seq)
        ended = next((event for event in effect.events if isinstance(event, e.Ended)), None)
        if ended:
            games = town.games if (view := self._view(table)) and (town := view.town) else 1
            text = ending.ending(scribe, table, ended, games)
            keyboard = keyboards.end(scribe, table.id, to_lobby.goes_on(table))
        elif key == table.newest and table.phase == "playing":
            view = view_for(table.play(), None)
            step = view.step
            board = houses.board(scribe, view.town) if view.town else ""
            text = public.news(scribe, effect.events, step=step, board=board)
            keyboard = keyboards.group(scribe, table.id, step)
        else:
            text, keyboard = public.news(scribe, effect.events), None
        if not text:
            return Delivery(sent=True)
        called = await self._client.send(table.chat, text, keyboard, table.topic)
        return _sent(called, key, group=True)

    async def _night(self, effect: Night, table: Table) -> Delivery:
        scribe = self.scribe(table, table.language)
        key = effect.key
        text = public.night(scribe, effect.day, effect.waves, effect.deadline, counted=effect.counted)
        keyboard = keyboards.markup([keyboards.card(scribe, table.id)]) if key == table.newest else None
        if effect.new:
            return _sent(await self._client.send(table.chat, text, keyboard, table.topic), key, group=True)
        message = table.messages.get(key)
        if message is None or _is_replaced(effect, table):
            return Delivery(sent=True)
        return _edited(await self._client.edit(table.chat, message, text, keyboard), group=True)

    async def _counter(self, effect: Counter, table: Table) -> Delivery:
        message = table.messages.get(table.newest)
        step = view.step if (view := self._view(table)) else None
        if message is None or step is None or step.serial != effect.serial:
            return Delivery(sent=True)
        scribe = self.scribe(table, table.language)
        count = votes.counter(scribe, step) if votes.is_counted(step) else ""
        board = houses.board(scribe, view.town) if view and view.town else ""
        text = public.news(scribe, table.said, count, step=step, board=board)
        keyboard = keyboards.group(scribe, table.id, step)
        return _edited(await self._client.edit(table.chat, message, text, keyboard), group=True)

    async def _lobby(self, effect: LobbyCard, table: Table) -> Delivery:
        scribe = self.scribe(table, table.language)
        text = lobby.lobby(scribe, table)
        keyboard = keyboards.lobby(scribe, table.id) if table.phase == "lobby" else None
        message = table.messages.get("lobby")
        if effect.new or message is None:
            if message is not None:
                await self._client.keyboard(table.chat, message, None)
            return _sent(await self._client.send(table.chat, text, keyboard, table.topic), "lobby", group=True)
        if any(isinstance(later, LobbyCard) and later.seq > effect.seq for later in table.outbox):
            return Delivery(sent=True)
        return _edited(await self._client.edit(table.chat, message, text, keyboard), group=True)

    async def _settings(self, effect: SettingsCard, table: Table) -> Delivery:
        scribe = self.scribe(table, table.language)
        text = options.card(scribe, table, effect.page)
        keyboard = keyboards.settings(scribe, table, effect.page)
        message = table.messages.get("settings")
        if not effect.new:
            if message is None or any(
                isinstance(later, SettingsCard) and later.seq > effect.seq for later in table.outbox
            ):
                return Delivery(sent=True)
            called = await self._client.edit(table.chat, message, text, keyboard)
            if effect.page == cards.CLOSED:
                return _gone(_edited(called, group=True), "settings")
            if called.said is not Said.BAD:
                return _edited(called, group=True)
            # Somebody has deleted the message: another one takes its place.
        elif message is not None:
            await self._client.keyboard(table.chat, message, None)
        return _sent(await self._client.send(table.chat, text, keyboard, table.topic), "settings", group=True)

    async def _retire(self, effect: Retire, table: Table) -> Delivery:
        message = table.messages.get(effect.key)
        if message is None:
            return Delivery(sent=True)
        scribe = self.scribe(table, table.language)
        if effect.day:
            text = public.night(scribe, effect.day, effect.waves, None, going_on=effect.open)
        else:
            view = self._view(table)
            board = houses.board(scribe, view.town) if view and view.town else ""
            text = public.news(scribe, effect.events, over=True, board=board)
        return _gone(_edited(await self._client.edit(table.chat, message, text), group=True), effect.key)

    async def _strip(self, effect: Strip, table: Table) -> Delivery:
        message = table.messages.get(effect.key)
        if message is None:
            return Delivery(sent=True)
        prefix = effect.key.partition(".")[0]
        chat = table.person(int(prefix)).user if prefix.isdigit() else table.chat
        called = await self._client.keyboard(chat, message, None)
        return _gone(_edited(called, group=not prefix.isdigit()), effect.key)

    async def _notice(self, effect: Notice, table: Table) -> Delivery:
        person = table.person(effect.seat) if effect.seat else None
        scribe = self.scribe(table, person.language if person else table.language)
        text = notice.notice(scribe, effect)
        if person:
            return _sent(await self._client.send(person.user, text, protect=True), "", seat=effect.seat)
        return _sent(await self._client.send(table.chat, text, topic=table.topic), "", group=True)

    async def _remind(self, effect: Remind, table: Table) -> Delivery:
        """A reminder that comes too late is none."""
        if table.phase != "playing":
            return Delivery(sent=True)
        game = table.play()
        if effect.seat:
            person = table.person(effect.seat)
            scribe = self.scribe(table, person.language)
            text = aside.private_reminder(scribe, upkeep.owed(game, effect), effect.deadline)
            if not text:
                return Delivery(sent=True)
            return _sent(await self._client.send(person.user, text, protect=True), "", seat=effect.seat)
        kind = step.kind if (step := view_for(game, None).step) else ""
        scribe = self.scribe(table, table.language)
        text = aside.public_reminder(scribe, kind, upkeep.owing(game, effect), effect.deadline)
        if not text:
            return Delivery(sent=True)
        return _sent(await self._client.send(table.chat, text, topic=table.topic), "", group=True)

    # One seat --------------------------------------------------------------------------------------------

    async def _whisper(self, effect: Whisper, table: Table) -> Delivery:
        person = table.person(effect.seat)
        text = aside.whisper(self.scribe(table, person.language), effect)
        return _sent(await self._client.send(person.user, text, protect=True), "", seat=effect.seat)

    async def _private_news(self, effect: News, table: Table) -> Delivery:
        person = table.person(effect.seat)
        scribe = self.scribe(table, person.language)
        text = private.news(scribe, effect.events, len(table.people))
        if not text:
            return Delivery(sent=True)
        called = await self._client.send(person.user, text, protect=True)
        return _sent(called, "", seat=effect.seat)

    async def _sheet(self, effect: Sheet, table: Table) -> Delivery:
        person = table.person(effect.seat)
        scribe = self.scribe(table, person.language)
        view = self._view(table, effect.seat)
        prompts = [
            prompt
            for prompt in (view.mine.prompts if view and view.mine else ())
            if prompt.serial == effect.serial and prompt.action in effect.asks and not effect.over
        ]
        # What stands beside the steps has no clock of its own.
        of_the_step = [prompt for prompt in prompts if not stands_beside(prompt.action)]
        deadline = min((prompt.deadline for prompt in of_the_step), default=None)
        text = private.sheet(scribe, effect, deadline)
        keyboard = keyboards.private(scribe, table.id, prompts)
        key = effect.key
        message = table.messages.get(key)
        if effect.new:
            called = await self._client.send(person.user, text, keyboard, protect=True)
            return _sent(called, key, seat=effect.seat)
        if message is None or _is_replaced_sheet(effect, table):
            return Delivery(sent=True)
        delivery = _edited(await self._client.edit(person.user, message, text, keyboard))
        return delivery if prompts else _gone(delivery, key)

    def _view(self, table: Table, seat: int | None = None) -> View | None:
        return view_for(table.play(), seat) if table.game else None


def _is_replaced(effect: Night, table: Table) -> bool:
    """A later edit of the same message says it all."""
    return any(
        isinstance(later, Night) and later.seq > effect.seq and later.key == effect.key for later in table.outbox
    )


def _is_replaced_sheet(effect: Sheet, table: Table) -> bool:
    """A later edit of the same message says it all."""
    return not effect.over and any(
        isinstance(later, Sheet) and later.seq > effect.seq and later.key == effect.key for later in table.outbox
    )


def _sent(called: Called, key: str, group: bool = False, seat: int = 0) -> Delivery:
    """What became of a new message. Where nobody can be written to, it is done with all the same."""
    match called.said:
        case Said.OK:
            return Delivery(sent=True, message=called.message if key else None, key=key, sends=int(group))
        case Said.FORBIDDEN:
            return Delivery(sent=True, unreachable=seat)
        case _:
            return _other(called)


def _edited(called: Called, group: bool = False) -> Delivery:
    if called.said in (Said.OK, Said.SAME):
        return Delivery(sent=True, edits=int(group))
    return _other(called)


def _gone(delivery: Delivery, key: str) -> Delivery:
    """The same, and the message is not touched any more."""
    return replace(delivery, gone=key) if delivery.sent else delivery


def _other(called: Called) -> Delivery:
    match called.said:
        case Said.LATER:
            return Delivery(sent=False, retry_after=called.wait)
        case Said.MOVED:
            return Delivery(sent=False, moved_to=called.moved_to)
        case Said.LOST:
            return Delivery(sent=False, retry_after=LOST_AGAIN_S)
        case _:
            return Delivery(sent=True)
