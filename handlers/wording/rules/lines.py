"""The pages of the rule books: lines, each under its conditions. A line stands once, whatever books it is in.

A page is true for the copy it is written for: what an option or the deck changes is a line, never a footnote.
"""

from __future__ import annotations

from collections.abc import Callable

from handlers.wording.rules.shelf import Copy

Condition = Callable[[Copy], bool]
Line = tuple[str, tuple[Condition, ...]]
"""A key of the catalogue and what must hold for it to be said. `{book}` in a key is the book's name."""

Page = tuple[str, tuple[Line, ...]]
"""The key of a title, and the lines."""

ORDER, DECK = "night.order", "table.deck"
"""Lines that are put together from the book itself."""


def line(key: str, *conditions: Condition) -> Line:
    """A line that is said where all conditions hold."""
    return key, conditions


def by(option: str, **keys: str) -> tuple[Line, ...]:
    """One line by the value of an option; `yes` and `no` for a switch."""
    words: dict[str, object] = {"yes": True, "no": False}
    return tuple(line(key, is_(option, words.get(value, value))) for value, key in keys.items())


def is_(option: str, *values: object) -> Condition:
    """The option has one of these values."""
    return lambda copy: copy.options.get(option) in values


def differs(option: str, other: str) -> Condition:
    """Two options do not have the same value, and both are there."""
    return lambda copy: copy.options.get(option) != copy.options.get(other, copy.options.get(option))


def lists(option: str) -> Condition:
    """The option is a list that is not empty."""
    return lambda copy: isinstance(copy.options.get(option), (tuple, list)) and bool(copy.options[option])


def counts(option: str) -> Condition:
    """The option is a number above nothing."""
    return lambda copy: bool(copy.options.get(option))


def has(*roles: str) -> Condition:
    """One of these roles is, or can be, in the deck."""
    return lambda copy: any(copy.deals(role) for role in roles)


def also(condition: Condition, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines, under one more condition."""
    return tuple((key, (condition, *conditions)) for key, conditions in lines)


def without(condition: Condition) -> Condition:
    """The opposite."""
    return lambda copy: not condition(copy)


_DIES = without(is_("hunter_shoots_at", "night"))


def turned_over(copy: Copy) -> bool:
    """The card of who is voted out, or executed, is turned over: cards are, and his too."""
    return bool(copy.options["reveal_on_death"] and copy.options["reveal_on_lynch"])


def large(copy: Copy) -> bool:
    """Death plays instead of the owl-man, or might where the number of seats is open."""
    return copy.deck is None or copy.title_of("owl_man") == "death"


def small(copy: Copy) -> bool:
    """The owl-man plays, or might."""
    return copy.title_of("owl_man") == "owl_man"


PACK = (
    *by("wolves_agree", plurality="night.plurality", unanimous="night.unanimous"),
    *by("wolves_may_pass", yes="night.empty", no="night.full"),
    *by("wolves_may_attack_wolves", yes="night.own", no="night.not_own"),
)
BOTH = also(
    has("guard"),
    also(has("witch"), by("guard_and_heal_kills", yes="night.both_die", no="night.both_live")),
)
SILENCE = (line("night.together"), line("night.absent"), line("night.silent"))
NOMINEE = also(small, by("owl_announced", after="nom.owl.after", before="nom.owl.before"))
ALL_DEAD = by("all_dead", draw="end.draw", village="end.dead_village", wolves="end.dead_wolves")
PERSONS = (*by("leavers_win", no="end.persons", yes="end.leavers"), line("end.days", counts("max_days")))
LAST_WORDS = (line("words.some", lists("last_words")), line("words.none", without(lists("last_words"))))
FAIR = (line("fair", is_("warnings_by_kind", True)),)
TABLE: Page = ("title.table", ())

VILLAGE: tuple[Page, ...] = (
    (
        "title.aim",
        (
            line("aim.village"),
            line("seats"),
            line(DECK),
            line("deck.base"),
            line("deck.{book}", lambda copy: copy.name != "classic"),
            line("moderator"),
        ),
    ),
    ("title.night", (line(ORDER), *SILENCE, *PACK, *BOTH)),
    (
        "title.day",
        (
            line("day.election_first", is_("sheriff", "before_dawn")),
            *by("reveal_on_death", yes="dawn.shown", no="dawn.hidden"),
            *also(
                has("hunter"),
                (
                    line("dawn.shot.any", is_("hunter_shoots_when", "any")),
                    line("dawn.shot", lists("hunter_shoots_when")),
                    line("dawn.shot.night", is_("hunter_shoots_at", "night")),
                    line("dawn.pause", is_("reveal_on_death", False), _DIES),
                ),
            ),
            line("dawn.heartbreak", has("cupid")),
            *LAST_WORDS,
            *by("speech", free="talk.free", turns="talk.turns"),
            line("talk.start", is_("speech", "turns"), without(is_("sheriff_speaks_last", True))),
            line("talk.claim", has("idiot"), is_("idiot", "returns")),
            line("sheriff.off", is_("sheriff", "off")),
            line("sheriff.after_talk", is_("sheriff", "after_talk")),
            line("sheriff.candidates", is_("sheriff_candidates", True)),
            *also(
                without(is_("sheriff", "off")),
                (
                    line("sheriff.weight"),
                    line("sheriff.three", differs("sheriff_weight", "sheriff_weight_at_three")),
                    line("sheriff.last", is_("sheriff_speaks_last", True)),
                    *by("badge", may="badge.may", must="badge.must"),
                ),
            ),
            line("explode", is_("explode", True)),
            line("explode.badge", is_("explode", True), counts("explode_destroys_badge_after")),
            line("cupid.silent", has("cupid"), is_("cupid_goal", "own_or_lovers")),
            line("dead.silent"),
            *FAIR,
        ),
    ),
    (
        "title.vote",
        (
            line("vote.lynch"),
            *by("ballots", simultaneous="vote.hidden", open="vote.open"),
            *by("abstain", yes="vote.abstain", no="vote.no_abstain"),
            line("vote.lovers", has("cupid"), is_("lovers_may_vote_each_other", False)),
            line("vote.shown", turned_over),
            line("vote.dark", without(turned_over)),
            line(
                "vote.hunter",
                has("hunter"),
                without(turned_over),
                is_("reveal_on_death", True),
                is_("hunter_may_hide", False),
            ),
            line("vote.hide", has("hunter"), is_("hunter_may_hide", True)),
            line("tie.none", is_("tie", "none")),
            *also(is_("tie", "runoff"), by("tie_voters", all="tie.all", untied="tie.untied")),
            line("tie.scapegoat", has("scapegoat")),
            line("vote.none"),
            *also(has("idiot"), by("idiot", stays="idiot.stays", returns="idiot.returns")),
        ),
    ),
    (
        "title.end",
        (
            line("end.village"),
            *by("wolves_win", all="end.all", parity="end.parity", sides="end.sides"),
            line("end.white_wolf", has("white_wolf"), is_("white_wolf_must_fall", True)),
            *also(
                has("cupid"),
                (
                    line("end.lovers", without(is_("cupid_goal", "third_party"))),
                    line("end.party", is_("cupid_goal", "third_party")),
                    line("end.same"),
                    line("end.cupid", is_("cupid_goal", "own_or_lovers")),
                ),
            ),
            line("end.piper", has("piper")),
            line("end.first", has("piper")),
            line("end.shots", has("hunter", "cupid")),
            *ALL_DEAD,
            *PERSONS,
        ),
    ),
    TABLE,
)

LUPUS: tuple[Page, ...] = (
    ("title.aim", (line("aim.lupus"), line("seats"), line(DECK), line("deck.lupus"), line("moderator"))),
    (
        "title.night",
        (
            line("night.lupus"),
            line("night.dusk", has("medium", "freemason")),
            line("night.wave"),
            *SILENCE[1:],
            *PACK,
            line("night.ghosts"),
            line("night.sage", is_("sage", True)),
        ),
    ),
    (
        "title.day",
        (
            *by("reveal_on_death", yes="dawn.shown", no="dawn.hidden"),
            line("lupus.ghosts"),
            line("lupus.death", has("owl_man"), large),
            line("lupus.welcome"),
            *by("first_welcome", random="lupus.first_random", host="lupus.first_host"),
            *by("speech", free="talk.free", turns="talk.turns"),
            *LAST_WORDS,
            *FAIR,
        ),
    ),
    (
        "title.vote",
        (
            *by("nomination", turns="nom.turns", open="nom.open"),
            line("nom.suspects"),
            *also(has("owl_man"), NOMINEE),
            line("nom.defence"),
            line("nom.verdict"),
            *by("ballots", simultaneous="vote.hidden", open="vote.open"),
            *by("abstain", no="nom.no_abstain", yes="nom.may_abstain"),
            line("nom.tie"),
            line("nom.shown", turned_over),
            line("nom.dark", without(turned_over)),
        ),
    ),
    (
        "title.end",
        (
            line("end.village"),
            *by("wolves_win", all="end.all", parity="end.parity"),
            line("end.hamster", has("werehamster")),
            line("end.possessed", has("possessed")),
            line("end.copied", has("mythomaniac")),
            *PERSONS,
        ),
    ),
    TABLE,
)

LUPUSBURG: tuple[Page, ...] = (
    ("title.aim", (line("aim.lupusburg"), line("seats.lupusburg"), line("burg.deal"), line("moderator"))),
    (
        "title.setup",
        (
            line("burg.houses"),
            line("burg.goal"),
            *by("mayor", random="burg.mayor.random", chosen="burg.mayor.chosen", rotate="burg.mayor.rotate"),
            line("burg.goals"),
        ),
    ),
    (
        "title.night",
        (
            line("burg.owner"),
            line("burg.thief"),
            *by("wolf_must_kill", yes="burg.wolf", no="burg.wolf.may"),
            *by("reveal_on_death", no="burg.gone", yes="burg.gone.shown"),
            line("burg.trap", is_("trap", True)),
        ),
    ),
    (
        "title.day",
        (
            line("burg.swap"),
            line("burg.privilege"),
            line("burg.broom"),
            line("burg.broom.all", is_("broom_needs_all", True)),
            line("burg.bet"),
            line("burg.bet.self", is_("bet_self", True)),
            *by("speech", turns="burg.talk", free="talk.free"),
            *FAIR,
        ),
    ),
    (
        "title.vote",
        (
            line("burg.votes", without(is_("nomination", "open"))),
            line("burg.open", is_("nomination", "open")),
            line("burg.suspects"),
            line("burg.verdict"),
            *by("ballots", simultaneous="vote.hidden", open="vote.open"),
            line("nom.dark", is_("reveal_on_death", True), without(turned_over)),
            *by("abstain", yes="burg.abstain", no="burg.no_abstain"),
        ),
    ),
    (
        "title.end",
        (
            line("burg.end"),
            line("burg.score"),
            line("burg.score.wolf"),
            line("burg.first"),
            line("burg.match", without(is_("match_games", 1, None))),
            *by("leavers_win", no="burg.left", yes="burg.left.ranked"),
            line("end.days", counts("max_days")),
        ),
    ),
    TABLE,
)

SCRIPTS: dict[str, tuple[Page, ...]] = {
    "classic": VILLAGE,
    "new_moon": VILLAGE,
    "elder": VILLAGE,
    "handbook": VILLAGE,
    "lupus": LUPUS,
    "lupusburg": LUPUSBURG,
}
