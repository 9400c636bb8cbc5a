"""The two messages of a lobby: its own, and its settings. Edits are the group's to pay, so they are few.

An edit that waits is taken back by a later one of the same message, which goes in its time. Where the group's
minute is spent, edits wait for the next, as counters do; what a change of the settings does to the lobby's message
waits a few seconds anyway.
"""

from __future__ import annotations

from handlers import counters
from handlers.post import Post
from handlers.record import LobbyCard, SettingsCard, Table

BOOKS = -3
CLOSED = -2
DECK = -1
"""Pages of the settings that are none of the options'."""


def lobby(post: Post, *, new: bool = False, after: float = 0.0) -> None:
    """Show the lobby, at the bottom (`new`) or where it is. after: not before then, if it can wait at all."""
    at = _take_back(post, LobbyCard) or after
    if new or post.table.phase != "lobby":
        post.add(LobbyCard, new=new)
    else:
        post.add(LobbyCard, new=False, after=max(at, counters.room_at(post.table.budget)))


def settings(post: Post, page: int) -> None:
    """Show a page of the settings: in their message, or in a new one if there is none."""
    is_there = is_open(post.table)
    at = _take_back(post, SettingsCard)
    if is_there:
        post.add(SettingsCard, new=False, page=page, after=max(at, counters.room_at(post.table.budget)))
    else:
        post.add(SettingsCard, new=True, page=page)


def close_settings(post: Post) -> None:
    """Take the keyboard off the settings, if they are open. This never waits."""
    if is_open(post.table):
        _take_back(post, SettingsCard)
        post.add(SettingsCard, new=False, page=CLOSED)


def is_open(table: Table) -> bool:
    """Say whether there is a message with settings, sent or about to be."""
    cards = [effect for effect in table.outbox if isinstance(effect, SettingsCard)]
    return cards[-1].page != CLOSED if cards else "settings" in table.messages


def _take_back(post: Post, kind: type[LobbyCard | SettingsCard]) -> float:
    """Take edits of a message that wait out of the outbox; the instant at which they would have gone, or 0."""
    waiting = [ef for ef in post.table.outbox if isinstance(ef, kind) and not ef.new and ef.after]
    post.change(outbox=tuple(effect for effect in post.table.outbox if effect not in waiting))
    return max((effect.after for effect in waiting), default=0.0)
