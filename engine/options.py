"""The options of the rule books: one name per option, for all books; each book has its defaults (RULINGS).

Changes come from outside. They are validated here, once, and frozen into the game as text. To read that text takes
msgspec alone: pydantic is imported when the first change is to be validated.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from pydantic import TypeAdapter


class Within(Struct, frozen=True):
    """The least and the most that a number may be."""

    least: float
    most: float

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """What pydantic asks of an annotation."""
        return {**handler(source), "ge": self.least, "le": self.most}


Cause = Literal["wolves", "poison", "heartbreak", "shot", "lynch", "guard_and_heal", "tie"]
Seconds = Annotated[int, Within(5, 172_800)]
NightSeconds = Annotated[int, Within(20, 172_800)]
"""Long enough for the little girl's question, which ends 15 seconds before its wave."""

CallSeconds = Annotated[float, Within(3, 60)]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every option the engine knows. What a book does not name keeps the value given here."""

    # The table
    shuffle_seats: bool = False
    warnings: Annotated[int, Within(1, 9)] = 2
    warnings_by_kind: bool = False
    leavers_win: bool = False
    max_days: Annotated[int, Within(0, 99)] = 0
    all_dead: Literal["draw", "village", "wolves"] = "draw"
    wolves_win: Literal["all", "parity", "sides"] = "all"
    white_wolf_must_fall: bool = True
    cupid_goal: Literal["own", "own_or_lovers", "third_party"] = "own"
    elder_instead_of_cupid: bool = False

    # The night
    absent_call_s: tuple[CallSeconds, CallSeconds] = (4.0, 25.0)
    seer_sees: Literal["role", "camp"] = "role"
    seen_as_wolf: tuple[str, ...] = ()
    wolves_agree: Literal["plurality", "unanimous"] = "plurality"
    wolves_may_pass: bool = True
    wolves_may_attack_wolves: bool = True
    witch_potions_per_night: Literal[1, 2] = 2
    witch_self_heal: Literal["always", "no_guard", "never"] = "always"
    witch_told: Literal["always", "with_antidote"] = "always"
    witch_told_when_protected: bool = True
    guard_self: bool = True
    guard_repeat: bool = False
    guard_covers_girl: bool = True
    guard_min_seats: Annotated[int, Within(0, 24)] = 0
    guard_and_heal_kills: bool = False
    girl_noticed: Annotated[float, Within(0, 1)] = 0.25
    lovers_know: Literal["seat", "role"] = "seat"
    thief_must_take: Literal["two_wolves", "always"] = "two_wolves"
    thief_extra: Literal["two_villagers", "one_villager"] = "two_villagers"
    hunter_shoots_at: Literal["night", "dawn"] = "dawn"
    piper_targets: Annotated[int, Within(1, 3)] = 2
    white_wolf_nights: Literal["even", "odd", "all"] = "even"
    death_above: Annotated[int, Within(8, 24)] = 20
    owl_may_pass: bool = True
    owl_announced: Literal["after", "before"] = "after"
    sage: bool = False
    wolf_must_kill: bool = True
    trap: bool = False

    # Deaths
    reveal_on_death: bool = True
    reveal_on_lynch: bool = True
    hunter_shoots_when: tuple[Cause, ...] | Literal["any"] = ("wolves", "lynch")
    hunter_may_hide: bool = False
    last_words: tuple[Cause, ...] = ()
    elder_lives: Annotated[int, Within(1, 3)] = 2
    elder_curse: tuple[Cause, ...] = ("poison", "shot", "lynch")
    idiot: Literal["stays", "returns"] = "stays"
    idiot_votable: bool = True

    # The day
    speech: Literal["free", "turns"] = "free"
    sheriff: Literal["off", "after_talk", "before_dawn"] = "after_talk"
    sheriff_candidates: bool = False
    sheriff_weight: Annotated[float, Within(1, 3)] = 2.0
    sheriff_weight_at_three: Annotated[float, Within(1, 3)] = 2.0
    sheriff_speaks_last: bool = False
    explode: bool = False
    explode_destroys_badge_after: Annotated[int, Within(1, 9)] = 2
    badge: Literal["may", "must"] = "may"
    ballots: Literal["simultaneous", "open"] = "simultaneous"
    abstain: bool = True
    lovers_may_vote_each_other: bool = False
    tie: Literal["none", "runoff"] = "none"
    tie_rounds: Annotated[int, Within(1, 9)] = 3
    tie_voters: Literal["all", "untied"] = "all"
    nomination: Literal["turns", "open"] = "turns"
    first_welcome: Literal["random", "host"] = "random"
    sage_first: Literal["random", "seat"] = "random"
    sage_passes_to: Literal["living", "any"] = "living"

    # The houses
    mayor: Literal["random", "chosen", "rotate"] = "random"
    broom_seats: Annotated[int, Within(4, 8)] = 6
    broom_needs_all: bool = True
    bet_self: bool = False
    one_each_score: Literal[3, 6] = 3
    dead_worth: Annotated[int, Within(0, 9)] = 2
    match_games: Annotated[int, Within(1, 9)] = 1

    # Times
    night_s: NightSeconds = 60
    witch_s: Seconds = 40
    talk_s: Seconds = 180
    speech_s: Seconds = 100
    vote_s: Seconds = 60
    last_words_s: Seconds = 60
    shot_s: Seconds = 40
    badge_s: Seconds = 40
    turn_s: Seconds = 20
    count_s: NightSeconds = 20
    place_s: Seconds = 60
    swap_s: Seconds = 20
    privilege_s: Seconds = 60
    bet_s: Seconds = 30


class OptionRefused(ValueError):
    """An option that a book does not have, or a value that it cannot take."""

    def __init__(self, name: str, code: Literal["unknown", "value"]) -> None:
        super().__init__(f"{name}: {code}")
        self.name = name
        self.code = code


@cache
def validator(name: str) -> TypeAdapter[Any]:
    """What tells the values that an option takes from others."""
    from pydantic import TypeAdapter

    return TypeAdapter(get_type_hints(Options, include_extras=True)[name])


def freeze(defaults: Mapping[str, Any], names: frozenset[str], changes: Mapping[str, Any]) -> str:
    """Validate a table's changes to a book's options and write all of them down as one text.

    Raises OptionRefused for a name the book does not have and for a value that does not fit.
    """
    for name in changes:
        if name not in names:
            raise OptionRefused(name, "unknown")
    checked = {name: _checked(name, _in_other_words(name, value, defaults)) for name, value in changes.items()}
    options = msgspec.convert({**defaults, **checked}, Options)
    if options.absent_call_s[0] > options.absent_call_s[1]:
        raise OptionRefused("absent_call_s", "value")
    written = {name: getattr(options, name) for name in sorted(names)}
    return json.dumps(written, separators=(",", ":"))


def _checked(name: str, value: Any) -> Any:
    from pydantic import ValidationError

    try:
        return validator(name).validate_python(value)
    except ValidationError:
        raise OptionRefused(name, "value") from None


def _in_other_words(name: str, value: Any, defaults: Mapping[str, Any]) -> Any:
    """The value; of a sheriff, `false` for `off`, and `true` for the book's usual way of having one."""
    if name != "sheriff" or not isinstance(value, bool):
        return value
    usual = defaults.get("sheriff", "after_talk")
    return "off" if not value else "after_talk" if usual == "off" else usual


def differing(frozen: str, defaults: str) -> str:
    """Of two frozen texts, the options of the first that are not as in the second, in the same form."""
    usual = json.loads(defaults)
    return json.dumps(
        {name: value for name, value in json.loads(frozen).items() if usual[name] != value},
        separators=(",", ":"),
        sort_keys=True,
    )


_options = msgspec.json.Decoder(Options)


@lru_cache(maxsize=256)
def thaw(frozen: str) -> Options:
    """The options that were frozen into a game."""
    return _options.decode(frozen)
