"""What is still to be sent: which effects may go now, and what a record is once they have gone."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from engine.events import CardDealt
from handlers import counters
from handlers.record import AnyEffect, Archive, LobbyCard, News, Notice, SettingsCard, Table


class Delivery(Struct, frozen=True):
    """What became of one effect.

    sent: done with, also when the platform will never take it. message: the id of a new message, kept as `key`.
    retry_after: not now, but in so many seconds. unreachable: a seat that cannot be written to.
    moved_to: the chat has another id now.
    """

    sent: bool
    message: int | None = None
    key: str = ""
    retry_after: float = 0.0
    unreachable: int = 0
    moved_to: int | None = None
    sends: int = 0
    edits: int = 0
    gone: str = ""


def recipient(effect: AnyEffect) -> int:
    """Where an effect goes: a seat, 0 for the group, -1 for nobody."""
    if isinstance(effect, Archive):
        return -1
    seat = getattr(effect, "seat", 0)
    if seat:
        return int(seat)
    prefix = getattr(effect, "key", "").partition(".")[0]
    return int(prefix) if prefix.isdigit() else 0


def sendable(table: Table, now: float) -> list[AnyEffect]:
    """The effects that may go now: one that waits holds up those behind it to the same chat, and no others.

    Edits of a lobby's messages hold up nobody: they wait only to spare the group.
    """
    held: set[int] = set()
    ready = []
    for effect in table.outbox:
        chat = recipient(effect)
        if effect.after > now:
            if table.phase != "lobby" or not isinstance(effect, LobbyCard | SettingsCard) or effect.new:
                held.add(chat)
        elif chat not in held:
            ready.append(effect)
    return ready


def with_messages(table: Table, deliveries: dict[int, Delivery]) -> Table:
    """The record with the ids of messages as they are after what was sent a moment ago, in its order.

    A message that is done with may be followed by a new one of the same name.
    """
    messages = dict(table.messages)
    for delivery in deliveries.values():
        if delivery.gone:
            messages.pop(delivery.gone, None)
        if delivery.message is not None:
            messages[delivery.key] = delivery.message
    moved = next((d.moved_to for d in deliveries.values() if d.moved_to is not None), table.chat)
    return replace(table, messages=messages, chat=moved)


def ticked(table: Table, deliveries: dict[int, Delivery], now: float) -> Table:
    """The record without what was sent, and with what was learnt on the way."""
    outbox: list[AnyEffect] = []
    archived: set[tuple[int, int]] = set()
    for effect in table.outbox:
        delivery = deliveries.get(effect.seq)
        if delivery is None:
            outbox.append(effect)
        elif not delivery.sent:
            outbox.append(replace(effect, after=now + delivery.retry_after))
        elif isinstance(effect, Archive):
            archived.add((effect.day, effect.part))
    sends = sum(d.sends for d in deliveries.values())
    edits = sum(d.edits for d in deliveries.values())
    unreachable = {d.unreachable for d in deliveries.values() if d.unreachable}
    table = with_messages(table, deliveries)
    for seat in sorted(_undealt(table, deliveries)):
        outbox.append(Notice(seq=table.next_seq, code="unwritten", about=seat))
        table = replace(table, next_seq=table.next_seq + 1)
    return replace(
        table,
        outbox=tuple(outbox),
        today=tuple(day for day in table.today if (day.day, day.part) not in archived),
        budget=counters.spent(table.budget, now, sends, edits),
        people=tuple(
            replace(person, reachable=False) if seat in unreachable else person
            for seat, person in enumerate(table.people, start=1)
        ),
    )


def _undealt(table: Table, deliveries: dict[int, Delivery]) -> set[int]:
    """The seats whose card could not be brought to them: the only time that this may be said in public."""
    return {
        effect.seat
        for effect in table.outbox
        if isinstance(effect, News)
        and any(isinstance(event, CardDealt) for event in effect.events)
        and effect.seq in deliveries
        and deliveries[effect.seq].unreachable
    }
