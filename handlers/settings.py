"""What a lobby can change by buttons: its book, the book's options, its deck, and the rules of the house.

A book's options go into the game; the house's – what becomes of idle players and of who speaks out of turn – stay
with the table. Every change is judged by the book itself, so that nothing can be chosen that could not be dealt.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine import RULE_BOOKS, DeckRefused, OptionRefused, Setup, check_setup
from handlers import buttons, cards, counters
from handlers.post import Post
from handlers.record import Reply, Table

PAGE = 8
"""Options on one page."""

_YES_NO = (True, False)

CHOICES: dict[str, tuple[Any, ...]] = {
    "sheriff": ("after_talk", "off", "before_dawn"),
    "speech": ("free", "turns"),
    "ballots": ("simultaneous", "open"),
    "tie": ("none", "runoff"),
    "wolves_win": ("all", "parity", "sides"),
    "reveal_on_death": _YES_NO,
    "guard_and_heal_kills": _YES_NO,
    "witch_told": ("always", "with_antidote"),
    "witch_self_heal": ("always", "no_guard", "never"),
    "witch_potions_per_night": (2, 1),
    "hunter_shoots_when": (("wolves", "lynch"), "any", ("lynch",), ("wolves", "lynch", "guard_and_heal")),
    "girl_noticed": (0.25, 0.5, 1, 0),
    "badge": ("may", "must"),
    "tie_rounds": (3, 1, 2),
    "tie_voters": ("all", "untied"),
    "sheriff_weight": (2, 1.5, 3),
    "abstain": _YES_NO,
    "lovers_may_vote_each_other": _YES_NO,
    "lovers_know": ("seat", "role"),
    "seer_sees": ("role", "camp"),
    "seen_as_wolf": ((), ("hunter",), ("villager",), ("idiot",)),
    "wolves_agree": ("plurality", "unanimous"),
    "wolves_may_pass": _YES_NO,
    "wolves_may_attack_wolves": _YES_NO,
    "witch_told_when_protected": _YES_NO,
    "guard_self": _YES_NO,
    "guard_repeat": _YES_NO,
    "guard_covers_girl": _YES_NO,
    "guard_min_seats": (0, 10, 12, 14),
    "reveal_on_lynch": _YES_NO,
    "last_words": (
        (),
        ("lynch",),
        ("wolves", "shot", "lynch", "guard_and_heal"),
        ("wolves", "lynch", "tie", "shot"),
    ),
    "thief_must_take": ("two_wolves", "always"),
    "thief_extra": ("two_villagers", "one_villager"),
    "cupid_goal": ("own", "own_or_lovers", "third_party"),
    "hunter_shoots_at": ("dawn", "night"),
    "hunter_may_hide": _YES_NO,
    "sheriff_candidates": _YES_NO,
    "sheriff_weight_at_three": (2, 1.5),
    "sheriff_speaks_last": _YES_NO,
    "explode": _YES_NO,
    "explode_destroys_badge_after": (2, 1, 3),
    "elder_instead_of_cupid": _YES_NO,
    "elder_lives": (2, 1, 3),
    "elder_curse": (("poison", "shot", "lynch"), ("lynch",), ()),
    "idiot": ("stays", "returns"),
    "idiot_votable": _YES_NO,
    "piper_targets": (2, 1, 3),
    "white_wolf_nights": ("even", "odd", "all"),
    "white_wolf_must_fall": _YES_NO,
    "nomination": ("turns", "open"),
    "owl_may_pass": _YES_NO,
    "owl_announced": ("after", "before"),
    "death_above": (20, 14, 17),
    "first_welcome": ("random", "host"),
    "sage": _YES_NO,
    "sage_first": ("random", "seat"),
    "sage_passes_to": ("living", "any"),
    "mayor": ("random", "chosen", "rotate"),
    "broom_seats": (6, 5, 7),
    "broom_needs_all": _YES_NO,
    "trap": _YES_NO,
    "wolf_must_kill": _YES_NO,
    "bet_self": _YES_NO,
    "one_each_score": (3, 6),
    "dead_worth": (2, 1, 3),
    "match_games": (1, 2, 3, 5),
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
    "turn_s": (20, 40, 60, 3600, 10),
    "count_s": (20, 30, 10),
    "place_s": (60, 120, 3600, 30),
    "swap_s": (20, 40, 3600, 10),
    "privilege_s": (60, 120, 3600, 30),
    "bet_s": (30, 60, 3600, 20),
}
"""For the options of all books the values a press goes through, one after the other.

What a book does not take is passed over; any other value that is set is followed by the first.
"""

HOUSE: dict[str, tuple[str, ...]] = {"idle": ("remind", "expel"), "discipline": ("off", "delete")}
"""The rules of the house."""


def value(table: Table, name: str) -> Any:
    """What an option is set to."""
    if name in HOUSE:
        return getattr(table, name)
    found = getattr(RULE_BOOKS[table.book].options(table.options), name)
    return tuple(found) if isinstance(found, list) else found


def is_changed(table: Table, name: str) -> bool:
    """Say whether an option differs from the book, or a rule of the house from the usual one."""
    if name in HOUSE:
        return bool(value(table, name) != HOUSE[name][0])
    return bool(value(table, name) != getattr(RULE_BOOKS[table.book].options({}), name))


def every(table: Table) -> list[str]:
    """All options in the book's order, then the house's: the places that buttons name."""
    return [*RULE_BOOKS[table.book].option_names, *HOUSE]


def names(table: Table) -> list[str]:
    """All options in the order they are shown in: what differed when they were opened, the book's, the house's.

    What is changed keeps its place meanwhile: the next press finds it where it was.
    """
    return sorted(every(table), key=lambda name: name not in table.differed)


def changed(table: Table) -> list[str]:
    """The options that differ from the book, and the rules of the house that are not the usual ones."""
    return [name for name in every(table) if is_changed(table, name)]


def pages(table: Table) -> int:
    """How many pages the options take."""
    return -(-len(names(table)) // PAGE)


def on_page(table: Table, page: int) -> list[str]:
    """The options on a page."""
    return names(table)[page * PAGE : (page + 1) * PAGE]


def turn(table: Table, name: str) -> tuple[Table, Reply]:
    """Set an option to its next value; one that cannot be dealt to those who are here is passed over."""
    choices = HOUSE.get(name) or CHOICES[name]
    now = value(table, name)
    at = choices.index(now) if now in choices else -1
    if name in HOUSE:
        return replace(table, **{name: choices[(at + 1) % len(choices)]}), Reply("option", word=name)
    refused = Reply("option_refused", word=name, alert=True)
    for following in (*choices[at + 1 :], *choices[: max(at, 0)]):
        after, reply = _checked(table, _with(table, name, following), Reply("option", word=name))
        if after is not table:
            return after, reply
        refused = reply if refused.code == "option_refused" else refused
    return table, refused


def _with(table: Table, name: str, value: Any) -> Table:
    """The table with an option set to a value; what is as in the book is not kept."""
    options = {key: kept for key, kept in table.options.items() if key != name}
    usual = getattr(RULE_BOOKS[table.book].options({}), name)
    return replace(table, options=options if value == usual else {**options, name: value})


def deck(table: Table) -> dict[str, int]:
    """The deck that would be dealt to those who are here, or to the fewest the book plays with."""
    book = RULE_BOOKS[table.book]
    seats = seats_of(table)
    options = book.options(table.options)
    if table.specials is None:
        return book.deck_for(seats, options)
    return book.deck_of(seats, table.specials, options)


def lottery(table: Table) -> tuple[tuple[str, ...], int]:
    """Of which roles so many are drawn at the deal; of none where the deck was chosen, or the book has it so."""
    return RULE_BOOKS[table.book].lottery(seats_of(table)) if table.specials is None else ((), 0)


def seats_of(table: Table) -> int:
    """The number of seats the deck is shown for."""
    book = RULE_BOOKS[table.book]
    return min(max(len(table.people), book.fewest), book.most)


def is_death(table: Table) -> bool:
    """Say whether the owl-man is Death: at a large table of the book that has both."""
    return "owl_man" in RULE_BOOKS[table.book].roles and seats_of(table) > int(value(table, "death_above"))


def one_each(table: Table) -> int:
    """What the goal card of one dead and one alive pays at the table."""
    return int(value(table, "one_each_score"))


def chosen(table: Table) -> tuple[str, ...]:
    """The roles that are switched on."""
    if table.specials is not None:
        return table.specials
    book = RULE_BOOKS[table.book]
    return book.recommended_with(seats_of(table), book.options(table.options))


def toggle(table: Table, role: str) -> tuple[Table, Reply]:
    """Take a role into the deck, or out of it. Out of a deck that cannot be dealt, everything may go."""
    book, now = RULE_BOOKS[table.book], chosen(table)
    after = replace(table, specials=tuple(r for r in book.choosable if (r in now) != (r == role)))
    if role in now:
        return _checked(table, after, Reply("deck_without", word=role))
    refused = problem(after)
    return (table, refused) if refused else (after, Reply("deck_with", word=role))


def recommended(table: Table) -> tuple[Table, Reply]:
    """Let the book choose the deck again."""
    return replace(table, specials=None), Reply("deck_recommended")


def problem(table: Table) -> Reply | None:
    """What speaks against dealing to those who are here, or to the fewest the book plays with."""
    try:
        check_setup(Setup(book=table.book, seats=seats_of(table), options=table.options, deck=deck(table)))
    except OptionRefused as refused:
        return Reply("option_refused", word=refused.name, alert=True)
    except DeckRefused as refused:
        first = refused.problems[0]
        return Reply(f"deck.{first.code}", word=first.role, number=first.number, alert=True)
    return None


def _checked(before: Table, after: Table, reply: Reply) -> tuple[Table, Reply]:
    """The change, or what speaks against it; where nothing could be dealt before, only the option itself."""
    refused = problem(after)
    if refused and (refused.code == "option_refused" or not problem(before)):
        return before, refused
    return after, reply


def choose(table: Table, name: str) -> tuple[Table, Reply]:
    """Play by another book.

    What was changed stays changed where both books mean the same by it; the deck is the new book's.
    """
    if name == table.book:
        return table, Reply("book", word=name)
    old, new = RULE_BOOKS[table.book], RULE_BOOKS[name]
    if len(table.people) > new.most:
        return table, Reply("book_full", number=new.most, alert=True)
    before, usual = old.options({}), new.options({})
    options = {
        option: value
        for option, value in table.options.items()
        if option in new.option_names and getattr(before, option) == getattr(usual, option)
    }
    after = replace(table, book=name, options=options, specials=None, differed=())
    refused = problem(after)
    if refused is not None and refused.code == "option_refused":
        after = replace(after, options={})
    return after, Reply("book", word=name)


# Presses -------------------------------------------------------------------------------------------------


_FIRST_PAGES = {buttons.SETTINGS: 0, buttons.DECK: cards.DECK, buttons.BOOK: cards.BOOKS}
"""Where the settings open, by the button that opens them."""


def press(table: Table, data: buttons.Data, now: float) -> tuple[Table, Reply]:
    """Judge a press on the settings. Who presses may change them; the game has not begun."""
    if data.answer == buttons.YES and data.code in _FIRST_PAGES:
        return open_at(table, _FIRST_PAGES[data.code])
    if not cards.is_open(table):
        return table, Reply("settings_closed", strip=True)
    post = Post(table)
    if data.code == buttons.CLOSE:
        cards.close_settings(post)
        return post.table, Reply("settings_closed")
    if data.code == buttons.RECOMMENDED:
        return _show(table, recommended(table), cards.DECK, now)
    number = int(data.answer) if data.answer.isdigit() else -1
    if data.code == buttons.SETTINGS and 0 <= number < pages(table):
        cards.settings(post, number)
        return post.table, Reply("settings_page", number=number + 1)
    options, roles, books = every(table), RULE_BOOKS[table.book].choosable, tuple(RULE_BOOKS)
    if data.code == buttons.BOOK and 0 <= number < len(books):
        return _show(table, choose(table, books[number]), cards.BOOKS, now)
    if data.code == buttons.OPTION and 0 <= number < len(options):
        name = options[number]
        return _show(table, turn(table, name), names(table).index(name) // PAGE, now)
    if data.code == buttons.ROLE and 0 <= number < len(roles):
        return _show(table, toggle(table, roles[number]), cards.DECK, now)
    return table, Reply("not_listed")


def open_at(table: Table, page: int) -> tuple[Table, Reply]:
    """Show a page of the settings; what differs now stands first."""
    post = Post(replace(table, differed=tuple(changed(table))))
    cards.settings(post, page)
    return post.table, Reply("settings")


def _show(before: Table, outcome: tuple[Table, Reply], page: int, now: float) -> tuple[Table, Reply]:
    """What a press has changed, with both messages that show it."""
    after, reply = outcome
    if after == before:
        return before, reply
    post = Post(after)
    cards.settings(post, page)
    cards.lobby(post, after=now + counters.COUNTER_EVERY)
    return post.table, reply
