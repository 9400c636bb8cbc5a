"""The roles one by one: camp, when they act, what they do, and what a table's options change in it."""

from __future__ import annotations

from msgspec import Struct

from handlers.wording.rules.lines import (
    BOTH,
    NOMINEE,
    PACK,
    Line,
    by,
    has,
    is_,
    large,
    line,
    lists,
    small,
    without,
)


class Who(Struct, frozen=True):
    """What there is to say about a role. when: a key, or one by the value of an option."""

    camp: str
    when: tuple[Line, ...]
    lines: tuple[Line, ...]


def _who(camp: str, when: str, *lines: Line) -> Who:
    return Who(camp, (line(when),), lines)


_SHOT = (
    line("dawn.shot.any", is_("hunter_shoots_when", "any")),
    line("dawn.shot", lists("hunter_shoots_when")),
    line("dawn.shot.night", is_("hunter_shoots_at", "night")),
    line("vote.hide", is_("hunter_may_hide", True)),
)
_COUPLE = (
    *by("lovers_know", seat="who.cupid.seat", role="who.cupid.role"),
    line("dawn.heartbreak"),
    line("vote.lovers", is_("lovers_may_vote_each_other", False)),
    line("end.lovers", without(is_("cupid_goal", "third_party"))),
    line("end.party", is_("cupid_goal", "third_party")),
    line("end.cupid", is_("cupid_goal", "own_or_lovers")),
    line("cupid.silent", is_("cupid_goal", "own_or_lovers")),
)

WHO: dict[str, Who] = {
    "werewolf": _who(
        "camp.wolves", "when.every", line("who.werewolf"), *PACK, line("explode", is_("explode", True))
    ),
    "white_wolf": Who(
        "camp.wolves",
        by("white_wolf_nights", even="when.even", odd="when.odd", all="when.every"),
        (
            line("who.white_wolf"),
            line("who.white_wolf.secret"),
            line("end.white_wolf", is_("white_wolf_must_fall", True)),
        ),
    ),
    "villager": _who(
        "camp.village",
        "when.never",
        line("who.villager"),
        line("who.villager.plain", is_("wolves_win", "sides")),
    ),
    "seer": _who(
        "camp.village",
        "when.every",
        *by("seer_sees", role="who.seer.role", camp="who.seer.camp"),
        line("who.seer.final"),
        line("who.seer.seen", is_("seer_sees", "camp"), lists("seen_as_wolf")),
        line("who.seer.hamster", has("werehamster")),
        line("who.seer.sage", is_("sage", True)),
    ),
    "witch": _who(
        "camp.village",
        "when.every",
        line("who.witch"),
        *by("witch_told", always="who.witch.always", with_antidote="who.witch.antidote"),
        line("who.witch.protected", has("guard"), is_("witch_told_when_protected", False)),
        *by("witch_self_heal", always="who.witch.self", no_guard="who.witch.no_guard", never="who.witch.never"),
        line("who.witch.one", is_("witch_potions_per_night", 1)),
        line("who.witch.two", is_("witch_potions_per_night", 2)),
        line("who.witch.still"),
        line("who.witch.run", is_("sheriff_candidates", True)),
        *BOTH,
    ),
    "hunter": _who("camp.village", "when.falls", line("who.hunter"), *_SHOT, line("who.hunter.told")),
    "cupid": _who("camp.village", "when.first", line("who.cupid"), *_COUPLE),
    "guard": _who(
        "camp.village",
        "when.every",
        line("who.guard"),
        *by("guard_self", yes="who.guard.self", no="who.guard.not_self"),
        *by("guard_repeat", no="who.guard.once", yes="who.guard.repeat"),
        line("who.guard.girl", has("little_girl"), is_("guard_covers_girl", False)),
        *BOTH,
    ),
    "thief": _who(
        "camp.open",
        "when.first",
        line("who.thief.two", is_("thief_extra", "two_villagers", None)),
        line("who.thief.one", is_("thief_extra", "one_villager")),
        *by("thief_must_take", two_wolves="who.thief.wolves", always="who.thief.always"),
        line("who.thief.now"),
    ),
    "little_girl": _who("camp.village", "when.every", line("who.girl"), line("who.girl.noticed")),
    "elder": _who("camp.village", "when.never", line("who.elder"), line("who.elder.curse", lists("elder_curse"))),
    "idiot": _who(
        "camp.village",
        "when.lynched",
        *by("idiot", stays="who.idiot.stays", returns="who.idiot.returns"),
        line("who.idiot.votable", is_("idiot", "stays"), is_("idiot_votable", True)),
        line("who.idiot.safe", is_("idiot_votable", False)),
        line("who.idiot.dies"),
        line("talk.claim", is_("idiot", "returns")),
    ),
    "scapegoat": _who("camp.village", "when.tie", line("who.scapegoat"), line("who.scapegoat.allow")),
    "piper": _who("camp.alone", "when.every", line("who.piper"), line("who.piper.win")),
    "medium": _who("camp.village", "when.later", line("who.medium")),
    "possessed": _who("camp.wolves", "when.never", line("who.possessed")),
    "bodyguard": _who(
        "camp.village",
        "when.later",
        line("who.bodyguard"),
        line("who.bodyguard.not_self", is_("guard_self", False)),
        *by("guard_repeat", yes="who.guard.repeat", no="who.guard.once"),
    ),
    "owl_man": _who(
        "camp.village",
        "when.every",
        line("who.owl_man", small),
        line("who.owl_man.death", large),
        line("who.owl_man.pass", is_("owl_may_pass", True)),
        *NOMINEE,
    ),
    "freemason": _who("camp.village", "when.told", line("who.freemason")),
    "werehamster": _who("camp.alone", "when.never", line("who.werehamster"), line("end.hamster")),
    "mythomaniac": _who("camp.open", "when.second", line("who.mythomaniac")),
    "man": _who("camp.score", "when.never", line("who.man")),
    "woman": _who("camp.score", "when.never", line("who.woman")),
}

OTHERWISE: dict[str, dict[str, Who]] = {
    "lupusburg": {
        "werewolf": _who(
            "camp.score",
            "when.every",
            *by("wolf_must_kill", yes="burg.wolf", no="burg.wolf.may"),
            line("burg.owner"),
            line("burg.score.wolf"),
            line("burg.trap", is_("trap", True)),
        ),
        "thief": _who(
            "camp.score",
            "when.every",
            line("burg.thief"),
            line("burg.owner"),
            line("burg.trap", is_("trap", True)),
        ),
    }
}
"""By book, the roles that do something else there."""


def who(role: str, book: str) -> Who:
    """What there is to say about a role in a book."""
    return OTHERWISE.get(book, {}).get(role) or WHO[role]
