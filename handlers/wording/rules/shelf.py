"""A rule book as a reader has it before him: as it is printed, or as a table plays it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from engine import RULE_BOOKS, Options
from handlers import settings
from handlers.record import Table
from handlers.wording.scribe import BOOKS


class Copy(Struct, frozen=True):
    """A book to read.

    roles: all it has. deck: what this table deals, None where there is no table. seats: at the table.
    waves: the calls of a night, those that are open together in one tuple. changed: options not as printed.
    house: the rules of the house, empty where there is no table.
    """

    name: str
    fewest: int
    most: int
    roles: tuple[str, ...]
    waves: tuple[tuple[str, ...], ...]
    first_night: frozenset[str]
    option_names: tuple[str, ...]
    options: Mapping[str, Any]
    deck: Mapping[str, int] | None = None
    seats: int = 0
    changed: tuple[str, ...] = ()
    house: Mapping[str, str] = {}

    def deals(self, role: str) -> bool:
        """Say whether the role is in the deck; where there is no table, whether it can be."""
        return role in self.roles if self.deck is None else self.deck.get(role, 0) > 0

    def title_of(self, role: str) -> str:
        """What a role is called here: at a large table the owl-man is Death."""
        return "death" if role == "owl_man" and self.seats > self.options.get("death_above", 20) else role


def printed(name: str) -> Copy:
    """A book as it is printed. Raises KeyError for one there is not."""
    if name not in RULE_BOOKS:
        return AWAITED[name]
    book = RULE_BOOKS[name]
    return Copy(
        name=name,
        fewest=book.fewest,
        most=book.most,
        roles=book.roles,
        waves=book.waves,
        first_night=book.first_night,
        option_names=book.option_names,
        options=book.options({}).model_dump(),
    )


def played(table: Table) -> Copy:
    """The book of a table, with its options and its deck: the one that is dealt, or that would be."""
    book = printed(table.book)
    playing = table.phase != "lobby" and table.game
    return Copy(
        name=book.name,
        fewest=book.fewest,
        most=book.most,
        roles=book.roles,
        waves=book.waves,
        first_night=book.first_night,
        option_names=book.option_names,
        options=RULE_BOOKS[table.book].options(table.options).model_dump(),
        deck=table.play().deck if playing else settings.deck(table),
        seats=len(table.people),
        changed=tuple(name for name in settings.changed(table) if name not in settings.HOUSE),
        house={name: settings.value(table, name) for name in settings.HOUSE},
    )


def offered() -> list[str]:
    """The books that can be played, in the order they are offered in."""
    return [name for name in BOOKS if name in RULE_BOOKS]


def _awaited(name: str, seats: tuple[int, int], roles: str, waves: str, first: str, **options: Any) -> Copy:
    """A book that is written about before it can be played. waves: separated by `;`."""
    return Copy(
        name=name,
        fewest=seats[0],
        most=seats[1],
        roles=tuple(roles.split()),
        waves=tuple(tuple(wave.split()) for wave in waves.split(";")),
        first_night=frozenset(first.split()),
        option_names=tuple(options),
        options={**Options().model_dump(), **options},
    )


AWAITED: dict[str, Copy] = {
    copy.name: copy
    for copy in (
        _awaited(
            "new_moon",
            (8, 18),
            "werewolf seer witch hunter cupid guard thief little_girl elder idiot scapegoat piper villager",
            "thief;cupid;guard seer wolves little_girl;witch;piper",
            "thief cupid",
            hunter_shoots_when="any",
            guard_covers_girl=False,
            elder_lives=2,
            elder_curse=("poison", "shot", "lynch"),
            idiot="stays",
            idiot_votable=True,
            piper_targets=2,
        ),
        _awaited(
            "elder",
            (8, 18),
            "werewolf seer witch hunter cupid guard elder villager",
            "cupid;guard wolves seer;witch;hunter",
            "cupid",
            sheriff="before_dawn",
            sheriff_candidates=True,
            sheriff_weight=2,
            sheriff_weight_at_three=1.5,
            sheriff_speaks_last=True,
            badge="must",
            explode=True,
            explode_destroys_badge_after=2,
            speech="turns",
            tie="runoff",
            tie_rounds=1,
            tie_voters="untied",
            last_words=("wolves", "shot", "lynch", "guard_and_heal"),
            reveal_on_lynch=False,
            wolves_agree="unanimous",
            seer_sees="camp",
            witch_potions_per_night=1,
            witch_self_heal="no_guard",
            witch_told="with_antidote",
            guard_min_seats=12,
            guard_and_heal_kills=True,
            hunter_shoots_at="night",
            hunter_may_hide=True,
            hunter_shoots_when=("wolves", "lynch", "guard_and_heal"),
            cupid_goal="own_or_lovers",
            lovers_may_vote_each_other=True,
            elder_instead_of_cupid=False,
            elder_lives=2,
            elder_curse=("poison", "shot", "lynch"),
        ),
        _awaited(
            "handbook",
            (8, 18),
            "werewolf white_wolf seer witch hunter cupid guard thief idiot scapegoat villager",
            "thief;cupid;guard wolves seer;white_wolf;witch",
            "thief cupid",
            speech="turns",
            sheriff="off",
            wolves_win="sides",
            white_wolf_must_fall=True,
            white_wolf_nights="even",
            reveal_on_death=False,
            reveal_on_lynch=False,
            last_words=("wolves", "shot", "lynch", "tie"),
            seer_sees="camp",
            seen_as_wolf=("idiot",),
            witch_told="with_antidote",
            witch_told_when_protected=False,
            lovers_know="role",
            lovers_may_vote_each_other=True,
            cupid_goal="third_party",
            thief_extra="one_villager",
            thief_must_take="always",
            idiot="returns",
            idiot_votable=False,
            warnings_by_kind=True,
        ),
        _awaited(
            "lupus",
            (8, 24),
            "werewolf seer medium possessed bodyguard owl_man freemason werehamster mythomaniac villager",
            "seer bodyguard wolves owl_man;mythomaniac",
            "",
            wolves_win="parity",
            seer_sees="camp",
            guard_self=False,
            guard_repeat=True,
            reveal_on_death=False,
            reveal_on_lynch=False,
            nomination="turns",
            abstain=False,
            owl_may_pass=True,
            owl_announced="after",
            death_above=20,
            first_welcome="random",
            sage=False,
            turn_s=20,
            count_s=20,
        ),
        _awaited(
            "lupusburg",
            (4, 8),
            "werewolf thief man woman",
            "thief wolves",
            "",
            wolf_must_kill=True,
            mayor="random",
            broom_seats=6,
            broom_needs_all=True,
            trap=False,
            bet_self=False,
            one_each_score=3,
            dead_worth=2,
            match_games=1,
            place_s=60,
            swap_s=20,
            privilege_s=60,
            bet_s=30,
            turn_s=20,
        ),
    )
}
"""The books there are words for and no play yet: a book that is registered is read from the register."""
