"""What a lobby can change by buttons: the options of its book, its deck, and the rules of the house.

A book's options go into the game; the house's – what becomes of idle players and of who speaks out of turn – stay
with the table. Every change is judged by the book itself, so that nothing can be chosen that could not be dealt.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine import RULE_BOOKS, DeckRefused, OptionRefused, Setup, check_setup
from handlers.record import Reply, Table

PAGE = 8
"""Options on one page."""

_YES_NO = (True, False)

CHOICES: dict[str, tuple[Any, ...]] = {
    "sheriff": ("after_talk", "off"),
    "speech": ("free", "turns"),
    "ballots": ("simultaneous", "open"),
    "tie": ("none", "runoff"),
    "wolves_win": ("all", "parity"),
    "reveal_on_death": _YES_NO,
    "guard_and_heal_kills": _YES_NO,
    "witch_told": ("always", "with_antidote"),
    "witch_self_heal": ("always", "no_guard", "never"),
    "witch_potions_per_night": (2, 1),
    "hunter_shoots_when": (("wolves", "lynch"), "any", ("lynch",)),
    "girl_noticed": (0.25, 0.5, 1, 0),
    "badge": ("may", "must"),
    "tie_rounds": (3, 1, 2),
    "tie_voters": ("all", "untied"),
    "sheriff_weight": (2, 1.5, 3),
    "abstain": _YES_NO,
    "lovers_may_vote_each_other": _YES_NO,
    "lovers_know": ("seat", "role"),
    "seer_sees": ("role", "camp"),
    "seen_as_wolf": ((), ("hunter",), ("villager",)),
    "wolves_agree": ("plurality", "unanimous"),
    "wolves_may_pass": _YES_NO,
    "wolves_may_attack_wolves": _YES_NO,
    "witch_told_when_protected": _YES_NO,
    "guard_self": _YES_NO,
    "guard_repeat": _YES_NO,
    "guard_covers_girl": _YES_NO,
    "guard_min_seats": (0, 10, 12, 14),
    "reveal_on_lynch": _YES_NO,
    "last_words": ((), ("lynch",), ("wolves", "shot", "lynch", "guard_and_heal")),
    "thief_must_take": ("two_wolves", "always"),
    "all_dead": ("draw", "village", "wolves"),
    "max_days": (0, 5, 10, 20),
    "leavers_win": _YES_NO,
    "warnings": (2, 1, 3),
    "warnings_by_kind": _YES_NO,
    "shuffle_seats": _YES_NO,
    "absent_call_s": ((4.0, 25.0), (3.0, 12.0), (8.0, 40.0)),
    "night_s": (60, 90, 120, 300, 3600, 43_200, 30, 45),
    "witch_s": (40, 60, 120, 3600, 43_200, 20),
    "talk_s": (180, 300, 600, 3600, 86_400, 60, 120),
    "speech_s": (100, 120, 180, 60),
    "vote_s": (60, 90, 120, 3600, 43_200, 30),
    "last_words_s": (60, 100, 30),
    "shot_s": (40, 60, 120, 20),
    "badge_s": (40, 60, 120, 20),
}
"""The values a press goes through, one after the other; any other value that is set is followed by the first."""

HOUSE: dict[str, tuple[str, ...]] = {"idle": ("remind", "expel"), "discipline": ("off", "delete")}
"""The rules of the house."""


def value(table: Table, name: str) -> Any:
    """What an option is set to."""
    if name in HOUSE:
        return getattr(table, name)
    found = getattr(RULE_BOOKS[table.book].options(table.options), name)
    return tuple(found) if isinstance(found, list) else found


def is_changed(table: Table, name: str) -> bool:
    """Say whether an option differs from the book, or the house's from its usual."""
    if name in HOUSE:
        return bool(value(table, name) != HOUSE[name][0])
    return bool(value(table, name) != getattr(RULE_BOOKS[table.book].options({}), name))


def names(table: Table) -> list[str]:
    """All options in the order they are shown in: what differs first, then the book's order, then the house's."""
    every = [*RULE_BOOKS[table.book].option_names, *HOUSE]
    return sorted(every, key=lambda name: not is_changed(table, name))


def pages(table: Table) -> int:
    """How many pages the options take."""
    return -(-len(names(table)) // PAGE)


def turn(table: Table, name: str) -> tuple[Table, Reply]:
    """Set an option to its next value."""
    choices = HOUSE.get(name) or CHOICES.get(name)
    if choices is None:
        return table, Reply("not_listed")
    now = value(table, name)
    following = choices[(choices.index(now) + 1) % len(choices)] if now in choices else choices[0]
    if name in HOUSE:
        return replace(table, **{name: following}), Reply("option", word=name)
    options = {key: kept for key, kept in table.options.items() if key != name}
    changed = replace(table, options={**options, name: following})
    if not is_changed(changed, name):
        changed = replace(table, options=options)
    return _checked(table, changed, Reply("option", word=name))


def deck(table: Table) -> dict[str, int]:
    """The deck that would be dealt to those who are here, or to the fewest the book plays with."""
    book = RULE_BOOKS[table.book]
    seats = seats_of(table)
    if table.specials is None:
        return book.deck_for(seats)
    return book.deck_with(seats, table.specials)


def seats_of(table: Table) -> int:
    """The number of seats the deck is shown for."""
    book = RULE_BOOKS[table.book]
    return min(max(len(table.people), book.fewest), book.most)


def toggle(table: Table, role: str) -> tuple[Table, Reply]:
    """Take a role into the deck, or out of it."""
    book = RULE_BOOKS[table.book]
    if role not in book.choosable:
        return table, Reply("not_listed")
    now = table.specials if table.specials is not None else book.recommended(seats_of(table))
    chosen = tuple(r for r in book.choosable if (r in now) != (r == role))
    return _checked(table, replace(table, specials=chosen), Reply("deck_changed", word=role))


def recommended(table: Table) -> tuple[Table, Reply]:
    """Let the book choose the deck again."""
    return replace(table, specials=None), Reply("deck_recommended")


def _checked(before: Table, after: Table, reply: Reply) -> tuple[Table, Reply]:
    """The change, if the book deals it; else what speaks against it, and no change."""
    setup = Setup(book=after.book, seats=seats_of(after), options=after.options, deck=deck(after))
    try:
        check_setup(setup)
    except OptionRefused as refused:
        return before, Reply("option_refused", word=refused.name, alert=True)
    except DeckRefused as refused:
        problem = refused.problems[0]
        return before, Reply(f"deck.{problem.code}", word=problem.role, number=problem.number, alert=True)
    return after, reply
