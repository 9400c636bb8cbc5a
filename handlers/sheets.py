"""What one seat reads in private: news, and the sheets of its questions, each kept by what it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engine import Event, Game, Prompt, choices, hears, stands_beside, view_for
from engine import events as e
from handlers.buttons import PUBLIC_ACTIONS
from handlers.post import Post
from handlers.record import PACK_ACTION, News, Sheet, Strip, sheet_key

NO_TEXT = (e.Voted, e.Ready, e.RoundOpened, e.Skipped, e.NightFell, e.WaveOpened, e.Answered)
"""What the group reads nothing of by itself."""

_ON_SHEETS = (*NO_TEXT, e.Prompted, e.Expired, e.Voided)
"""What a seat reads nothing of but on the sheet it belongs to: of a vote, its pop-up has said enough."""


def to_seat(post: Post, seat: int, before: Game | None, after: Game, events: Sequence[Event], serial: int) -> None:
    """Say to a seat what only it, or a few, have heard."""
    heard = [ev for ev in events if ev.audience != "everybody" and hears(ev.audience, seat)]
    resumed = any(isinstance(ev, e.Resumed) and ev.audience == "everybody" for ev in events)
    if not heard and not resumed:
        return
    asked = {**_asked(seat, after), **_prompted(heard), **_asked(seat, before)}
    news: list[Event] = []
    step = Place(serial)
    sheets: dict[Place, list[Event]] = {step: []} if resumed and step in asked.values() else {}
    for event in heard:
        if isinstance(event, e.Prompted):
            asked.update(_prompted([event]))
        places = _sheets_of(event, asked)
        for of in places:
            sheets.setdefault(of, []).append(event)
        if not places and not isinstance(event, _ON_SHEETS):
            news.append(event)
    if news:
        post.add(News, seat=seat, events=tuple(news))
    for of, on_it in sheets.items():
        _sheet(post, seat, before, after, on_it, resumed and of == step, of)


class Place(NamedTuple):
    """On which of a seat's sheets a question is: that of its step, or one for itself if it stands beside them."""

    serial: int
    standing: str = ""


def _place(action: str, serial: int) -> Place:
    return Place(serial, action if stands_beside(action) else "")


def _asked(seat: int, game: Game | None) -> dict[str, Place]:
    """What a seat is asked in private, each with the sheet it is on."""
    mine = view_for(game, seat).mine if game else None
    prompts = mine.prompts if mine else ()
    return {p.action: _place(p.action, p.serial) for p in prompts if p.action not in PUBLIC_ACTIONS}


def _prompted(events: Iterable[Event]) -> dict[str, Place]:
    """What these events ask a seat in private."""
    prompted = (event for event in events if isinstance(event, e.Prompted))
    return {
        action: _place(action, event.serial)
        for event in prompted
        for action in event.actions
        if action not in PUBLIC_ACTIONS
    }


def _sheets_of(event: Event, asked: Mapping[str, Place]) -> tuple[Place, ...]:
    """The sheets the event belongs on; none for what gets a message of its own."""
    of: Place | None = None
    match event:
        case e.Told():
            topics = {_topic(action): place for action, place in asked.items()}
            of = asked.get(event.occasion) or topics.get(_topic(event.occasion))
        case e.Prompted():
            return tuple(dict.fromkeys(_prompted([event]).values()))
        case e.Voided() if event.action not in PUBLIC_ACTIONS:
            of = _place(event.action, event.serial)
        case e.Answered() | e.Expired():
            of = asked.get(event.action)
    return (of,) if of else ()


def _topic(name: str) -> str:
    """The role an action or occasion is about: `witch` of `witch.heal` and of `witch.attack`."""
    return name.partition(".")[0]


def _sheet(
    post: Post,
    seat: int,
    before: Game | None,
    after: Game,
    events: Sequence[Event],
    resumed: bool,
    of: Place,
) -> None:
    """What the seat is asked on a sheet and has answered: as it was before, and what these events changed."""
    old = view_for(before, seat) if before else None
    asks: dict[str, tuple[int | str, ...] | None] = {}
    pack: dict[int, tuple[int | str, ...]] = {}
    for view in (old, view_for(after, seat)):
        if view and view.mine:
            prompts = _on(of, view.mine.prompts)
            asks.update((p.action, p.answer) for p in prompts)
            if any(p.action == PACK_ACTION for p in prompts):
                pack.update(view.mine.pack)
    for event in events:
        if isinstance(event, e.Answered):
            if event.seat == seat:
                asks[event.action] = event.answer
            elif event.action == PACK_ACTION:
                pack[event.seat] = event.answer
    if not asks:
        return
    told = _told_before(post, seat, asks, after.day)
    new = resumed or any(isinstance(ev, e.Prompted | e.Voided) for ev in events)
    name = {"seat": seat, "serial": of.serial, "standing": of.standing}
    if new and sheet_key(seat, *of) in post.table.messages:
        shown = {p.action: p.answer for p in _on(of, old.mine.prompts if old and old.mine else ())}
        post.add(Sheet, **name, new=False, over=True, asks=shown or asks)
    rest = (ev for ev in events if not isinstance(ev, e.Told))
    post.add(Sheet, **name, new=new, asks=asks, pack=pack, events=(*told, *rest))


def _on(of: Place, prompts: Iterable[Prompt]) -> list[Prompt]:
    """Those questions that are on a sheet."""
    return [p for p in prompts if p.action not in PUBLIC_ACTIONS and _place(p.action, p.serial) == of]


def _told_before(post: Post, seat: int, asks: Iterable[str], day: int) -> tuple[e.Told, ...]:
    """All the seat was told tonight about what it is asked, so that an edited sheet says it again."""
    topics = {_topic(action) for action in asks}
    return tuple(
        event
        for kept in post.table.today
        if kept.day == day
        for event in kept.events
        if isinstance(event, e.Told) and event.seat == seat and _topic(event.occasion) in topics
    )


def close_old(post: Post, before: Game | None, after: Game, serial: int, first: int) -> None:
    """Questions that are over lose their clocks and keyboards; those that outlive a step stay.

    first: the first effect of this decision. What an earlier one has put into the outbox may be on its way at
    this moment.
    """
    stripped = {effect.key for effect in post.table.outbox if isinstance(effect, Strip)}
    under_way = {ef.key: None for ef in post.table.outbox if isinstance(ef, Sheet) and ef.seq < first}
    standing = {
        sheet_key(prompt.seat, *_place(prompt.action, prompt.serial))
        for prompt in choices(after)
        if prompt.serial != serial or stands_beside(prompt.action)
    }
    for key in {**dict.fromkeys(post.table.messages), **under_way}:
        seat, _, place = key.partition(".")
        if not seat.isdigit() or place == str(serial) or key in standing:
            continue
        if key in stripped or key in _sheets_since(post, first):
            continue
        if before is not None:
            of, _, action = place.partition(".")
            _sheet(post, int(seat), before, after, (), False, Place(int(of), action))
        if key not in _sheets_since(post, first):
            post.add(Strip, key=key)


def _sheets_since(post: Post, first: int) -> set[str]:
    return {ef.key for ef in post.table.outbox if isinstance(ef, Sheet) and ef.seq >= first}
