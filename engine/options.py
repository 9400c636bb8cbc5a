"""The options of the rule books: one name per option, for all books; each book has its defaults (RULINGS).

Options come from outside. They are validated here, once, and frozen into the game as text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

Cause = Literal["wolves", "poison", "heartbreak", "shot", "lynch", "guard_and_heal", "tie"]
Seconds = Annotated[int, Field(ge=5, le=172_800)]
NightSeconds = Annotated[int, Field(ge=20, le=172_800)]
"""Long enough for the little girl's question, which ends 15 seconds before its wave."""

CallSeconds = Annotated[float, Field(ge=3, le=60)]


def _off(value: object) -> object:
    """`false` may be written for `off`."""
    return "off" if value is False else value


def _within(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


class Options(BaseModel):
    """Every option the engine knows. What a book does not name keeps the value given here."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    # The table
    shuffle_seats: bool = False
    warnings: Annotated[int, Field(ge=1, le=9)] = 2
    warnings_by_kind: bool = False
    leavers_win: bool = False
    max_days: Annotated[int, Field(ge=0, le=99)] = 0
    all_dead: Literal["draw", "village", "wolves"] = "draw"
    wolves_win: Literal["all", "parity", "sides"] = "all"
    white_wolf_must_fall: bool = True
    cupid_goal: Literal["own", "own_or_lovers", "third_party"] = "own"
    elder_instead_of_cupid: bool = False

    # The night
    absent_call_s: Annotated[tuple[CallSeconds, CallSeconds], BeforeValidator(_within)] = (4, 25)
    seer_sees: Literal["role", "camp"] = "role"
    seen_as_wolf: Annotated[tuple[str, ...], BeforeValidator(_within)] = ()
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
    guard_min_seats: Annotated[int, Field(ge=0, le=24)] = 0
    guard_and_heal_kills: bool = False
    girl_noticed: Annotated[float, Field(ge=0, le=1)] = 0.25
    lovers_know: Literal["seat", "role"] = "seat"
    thief_must_take: Literal["two_wolves", "always"] = "two_wolves"
    thief_extra: Literal["two_villagers", "one_villager"] = "two_villagers"
    hunter_shoots_at: Literal["night", "dawn"] = "dawn"
    piper_targets: Annotated[int, Field(ge=1, le=3)] = 2
    white_wolf_nights: Literal["even", "odd", "all"] = "even"
    death_above: Annotated[int, Field(ge=8, le=24)] = 20
    owl_may_pass: bool = True
    owl_announced: Literal["after", "before"] = "after"
    sage: bool = False
    wolf_must_kill: bool = True
    trap: bool = False

    # Deaths
    reveal_on_death: bool = True
    reveal_on_lynch: bool = True
    hunter_shoots_when: Annotated[tuple[Cause, ...] | Literal["any"], BeforeValidator(_within)] = (
        "wolves",
        "lynch",
    )
    hunter_may_hide: bool = False
    last_words: Annotated[tuple[Cause, ...], BeforeValidator(_within)] = ()
    elder_lives: Annotated[int, Field(ge=1, le=3)] = 2
    elder_curse: Annotated[tuple[Cause, ...], BeforeValidator(_within)] = ("poison", "shot", "lynch")
    idiot: Literal["stays", "returns"] = "stays"
    idiot_votable: bool = True

    # The day
    speech: Literal["free", "turns"] = "free"
    sheriff: Annotated[Literal["off", "after_talk", "before_dawn"], BeforeValidator(_off)] = "after_talk"
    sheriff_candidates: bool = False
    sheriff_weight: Annotated[float, Field(ge=1, le=3)] = 2
    sheriff_weight_at_three: Annotated[float, Field(ge=1, le=3)] = 2
    sheriff_speaks_last: bool = False
    explode: bool = False
    explode_destroys_badge_after: Annotated[int, Field(ge=1, le=9)] = 2
    badge: Literal["may", "must"] = "may"
    ballots: Literal["simultaneous", "open"] = "simultaneous"
    abstain: bool = True
    lovers_may_vote_each_other: bool = False
    tie: Literal["none", "runoff"] = "none"
    tie_rounds: Annotated[int, Field(ge=1, le=9)] = 3
    tie_voters: Literal["all", "untied"] = "all"
    nomination: Literal["turns", "open"] = "turns"
    first_welcome: Literal["random", "host"] = "random"
    sage_first: Literal["random", "seat"] = "random"
    sage_passes_to: Literal["living", "any"] = "living"

    # The houses
    mayor: Literal["random", "chosen", "rotate"] = "random"
    broom_seats: Annotated[int, Field(ge=4, le=8)] = 6
    broom_needs_all: bool = True
    bet_self: bool = False
    one_each_score: Literal[3, 6] = 3
    dead_worth: Annotated[int, Field(ge=0, le=9)] = 2
    match_games: Annotated[int, Field(ge=1, le=9)] = 1

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


def freeze(defaults: Mapping[str, Any], names: frozenset[str], changes: Mapping[str, Any]) -> str:
    """Validate a table's changes to a book's options and write all of them down as one text.

    Raises OptionRefused for a name the book does not have and for a value that does not fit.
    """
    for name in changes:
        if name not in names:
            raise OptionRefused(name, "unknown")
    try:
        options = Options(**{**defaults, **_usual_ways(defaults, changes)})
    except ValidationError as error:
        raise OptionRefused(str(error.errors()[0]["loc"][0]), "value") from None
    if options.absent_call_s[0] > options.absent_call_s[1]:
        raise OptionRefused("absent_call_s", "value")
    return json.dumps(options.model_dump(mode="json", include=set(names)), separators=(",", ":"), sort_keys=True)


def _usual_ways(defaults: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes, with `true` for a sheriff read as the book's usual way of having one."""
    read = dict(changes)
    if read.get("sheriff") is True:
        usual = defaults.get("sheriff", "after_talk")
        read["sheriff"] = "after_talk" if usual == "off" else usual
    return read


def differing(frozen: str, defaults: str) -> str:
    """Of two frozen texts, the options of the first that are not as in the second, in the same form."""
    usual = json.loads(defaults)
    return json.dumps(
        {name: value for name, value in json.loads(frozen).items() if usual[name] != value},
        separators=(",", ":"),
        sort_keys=True,
    )


@lru_cache(maxsize=256)
def thaw(frozen: str) -> Options:
    """The options that were frozen into a game."""
    return Options.model_validate_json(frozen)
