"""Random tables of a book: options drawn from their types, decks with roles put in and taken out.

Everything is drawn by name – of the table, of the option – so that a new option shifts no other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any
from zlib import crc32

from engine import RULE_BOOKS, OptionRefused, Options, Problem, RuleBook, Setup
from engine.options import validator

SHAPES: Mapping[str, Any] = {name: validator(name).json_schema() for name in Options.__struct_fields__}
"""What each option takes, as JSON Schema."""

WIDEST = 9
"""An integer is drawn from so many above its least: what lies higher is more of the same."""

FILLER = "villager"
"""The card that makes room for another."""


def value_of(name: str, rules: RuleBook, rng: random.Random) -> Any:
    """Some value that the option's type has."""
    return _value(SHAPES[name], name, rules, rng)


def _value(shape: Mapping[str, Any], name: str, rules: RuleBook, rng: random.Random) -> Any:
    match shape:
        case {"const": only}:
            return only
        case {"enum": values}:
            return rng.choice(values)
        case {"anyOf": shapes}:
            return _value(rng.choice(shapes), name, rules, rng)
        case {"type": "boolean"}:
            return rng.random() < 0.5
        case {"type": "integer"} if name.endswith("_s"):
            return rng.choice((shape["minimum"], shape["minimum"] * 3, 60, 600))
        case {"type": "integer"}:
            return rng.randint(shape["minimum"], min(shape["maximum"], shape["minimum"] + WIDEST))
        case {"type": "number"}:
            low, high = shape["minimum"], shape["maximum"]
            return rng.choice((low, high, round(rng.uniform(low, high), 2)))
        case {"prefixItems": shapes}:
            return sorted(_value(one, name, rules, rng) for one in shapes)
        case {"items": {"enum": values}}:
            return rng.sample(values, rng.randint(0, len(values)))
        case {"items": {"type": "string"}}:
            return rng.sample(rules.roles, rng.randint(0, 2))
    raise TypeError(f"nothing is drawn for {name}: {shape}")


def finite(name: str) -> list[Any]:
    """All values of an option that has few: a switch, or one of some words."""
    shape = SHAPES[name]
    return [True, False] if shape.get("type") == "boolean" else shape.get("enum", [])


def drawn_options(book: str, seats: int, name: str) -> dict[str, Any]:
    """About half of the book's options, each with a value of its type.

    What the book refuses is left out, alone or with the others; so is what forbids the usual deck.
    """
    rules = RULE_BOOKS[book]
    options: dict[str, Any] = {}
    for option in rules.option_names:
        rng = random.Random(f"{book}.{seats}.{name}.{option}")
        if rng.random() < 0.5:
            changed = {**options, option: value_of(option, rules, rng)}
            if is_taken(rules, seats, changed):
                options = changed
    return options


def due_options(book: str, seats: int, turn: int, turns: int) -> dict[str, Any]:
    """The values whose turn it is: over all turns, each value of each option that has few."""
    rules = RULE_BOOKS[book]
    options: dict[str, Any] = {}
    for option in rules.option_names:
        for value in finite(option):
            changed = {**options, option: value}
            if crc32(f"{option} {value}".encode()) % turns == turn and is_taken(rules, seats, changed):
                options = changed
    return options


def is_taken(rules: RuleBook, seats: int, options: Mapping[str, Any]) -> bool:
    """Say whether the book takes these options, and deals its usual deck with them."""
    try:
        return not problems(rules, seats, rules.deck_for(seats, rules.options(options)), options)
    except OptionRefused:
        return False


def problems(rules: RuleBook, seats: int, deck: dict[str, int], options: Mapping[str, Any]) -> list[Problem]:
    """Why the book does not deal this deck."""
    return rules.problems_of(seats, deck, rules.options(options))


def drawn_deck(book: str, seats: int, options: Mapping[str, Any], rng: random.Random) -> dict[str, int]:
    """A deck that the book deals: roles switched on at random, then single cards put in and taken out."""
    rules = RULE_BOOKS[book]
    taken = rules.options(options)
    deck = rules.deck_for(seats, taken)
    for _ in range(4):
        switched_on = tuple(role for role in rules.choosable if rng.random() < 0.5)
        switched = _without_nothing(rules.deck_of(seats, switched_on, taken))
        if not problems(rules, seats, switched, options):
            deck = switched
            break
    for changed in _swaps(rules, deck, rng):
        if not problems(rules, seats, changed, options):
            return changed
    return deck


def _swaps(rules: RuleBook, deck: dict[str, int], rng: random.Random) -> Iterator[dict[str, int]]:
    """The deck with one role, or a pair of them, in the place of villagers or the other way round."""
    for _ in range(4):
        role, by = rng.choice(rules.roles), rng.choice((1, 1, 2, -1))
        yield _without_nothing({**deck, role: deck.get(role, 0) + by, FILLER: deck.get(FILLER, 0) - by})


def _without_nothing(deck: Mapping[str, int]) -> dict[str, int]:
    return {role: count for role, count in deck.items() if count}


def drawn_setup(book: str, seats: int, name: str, due: Mapping[str, Any] | None = None) -> Setup:
    """A table of the book: one in three as the book has it, the others with options and a deck of their own.

    due: options that it is to have in any case.
    """
    rng = random.Random(f"{book}.{seats}.{name}")
    drawn = {} if rng.random() < 1 / 3 else drawn_options(book, seats, name)
    options = {**drawn, **(due or {})}
    if not is_taken(RULE_BOOKS[book], seats, options):
        options = dict(due or {})
    deck = drawn_deck(book, seats, options, rng) if options else None
    return Setup(book=book, seats=seats, options=options, deck=deck)
