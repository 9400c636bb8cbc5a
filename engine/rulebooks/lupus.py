"""`lupus` – Lupus in Tabula: ghosts name suspects, the living judge them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Game, Option, Step
from engine.options import Options, thaw
from engine.roles import owl_man
from engine.rulebooks.book import Deck, Problem, RuleBook, Trial, waves

BASE = ("werewolf", "seer", "villager")
"""Always in, in the numbers of the table."""

SINCE = {
    "medium": 9,
    "possessed": 10,
    "bodyguard": 11,
    "owl_man": 12,
    "freemason": 13,
    "werehamster": 15,
    "mythomaniac": 16,
}
"""The special roles, and from how many seats on the table has them."""

THREE_WOLVES_FROM = 17
PAIR = 2
"""Freemasons come as two."""

THIRTEEN = 13
ONE_OF_FOUR_IS_OUT = ("medium", "possessed", "bodyguard", "owl_man")
"""With thirteen seats three of these are in."""

SEATS_WITH_SAGE = 8


def wolves(seats: int) -> int:
    """How many wolves there are; their number is fixed."""
    return 3 if seats >= THREE_WOLVES_FROM else 2


def recommended(seats: int) -> tuple[str, ...]:
    """The special roles of the table; with thirteen seats without the last of the four."""
    out = ONE_OF_FOUR_IS_OUT[-1] if seats == THIRTEEN else ""
    return tuple(role for role, since in SINCE.items() if seats >= since and role != out)


def lottery(seats: int) -> tuple[tuple[str, ...], int]:
    """Which three of the four, the lot says unless the host does."""
    return (ONE_OF_FOUR_IS_OUT, len(ONE_OF_FOUR_IS_OUT) - 1) if seats == THIRTEEN else ((), 0)


def deck_with(seats: int, specials: Sequence[str]) -> Deck:
    """The book's table; each special card stands for a villager (L27)."""
    cards = {role: PAIR if role == "freemason" else 1 for role in specials}
    plain = seats - wolves(seats) - 1 - sum(cards.values())
    return {"werewolf": wolves(seats), "seer": 1, **cards, "villager": plain}


def problems_of(seats: int, deck: Deck, options: Options) -> list[Problem]:
    """Why the book would not deal this deck; nothing if it would."""
    if not BOOK.fewest <= seats <= BOOK.most:
        return [Problem("seats", number=BOOK.fewest if seats < BOOK.fewest else BOOK.most)]
    if options.sage and seats != SEATS_WITH_SAGE:
        return [Problem("seats", number=SEATS_WITH_SAGE)]
    problems = [Problem("role", role) for role in deck if role not in BOOK.roles]
    wanted = {"werewolf": wolves(seats), "seer": 1}
    if options.sage:
        wanted["villager"] = SEATS_WITH_SAGE - wolves(seats) - 1
    problems += [Problem("fixed", r, n) for r, n in wanted.items() if deck.get(r, 0) != n]
    if deck.get("freemason", 0) not in (0, PAIR):
        problems.append(Problem("fixed", "freemason", PAIR))
    singles = (role for role in BOOK.roles if role not in (*BASE, "freemason"))
    problems += [Problem("one", role, 1) for role in singles if deck.get(role, 0) not in (0, 1)]
    if deck.get("villager", 0) < 1:
        problems.append(Problem("at_least", "villager", 1))
    if sum(deck.values()) != seats:
        problems.append(Problem("sum", number=seats))
    return problems


def extra_cards(_deck: Deck) -> Deck:
    """No card stays in the centre."""
    return {}


NIGHT = waves(("seer", "bodyguard", "wolves", "owl_man"), ("mythomaniac",))
COUNTED_NIGHT = waves(("seer",), ("bodyguard",), ("wolves",), ("owl_man",), ("mythomaniac",))
"""With the sage each call has a count of its own (L26)."""


def script(game: Game) -> tuple[Step, ...]:
    """The night; dawn, when the Welcome card and the Sage's go on; talk; nomination, and what follows from it."""
    return (
        *(COUNTED_NIGHT if thaw(game.options).sage else NIGHT),
        Step("dawn"),
        Step("welcome"),
        Step("sage"),
        Step("round", phase="talk"),
        Step("nomination", phase="vote"),
    )


def nearest(game: Game) -> tuple[Option, ...]:
    """The living, clockwise from who has the Welcome card, himself first if he lives (L3)."""
    return tuple(seat for seat in game.clockwise(game.offices["welcome"]) if game.is_living(seat))


def order(game: Game) -> tuple[int, ...]:
    """Everybody, ghosts included, clockwise from who has the Welcome card."""
    return game.clockwise(game.offices["welcome"])


def ballots(game: Game, seat: int) -> int:
    """Who is no suspect has one."""
    return 0 if seat in game.suspects else 1


BOOK = RuleBook(
    name="lupus",
    fewest=8,
    most=24,
    roles=("werewolf", "seer", *SINCE, "villager"),
    defaults={
        "reveal_on_death": False,
        "reveal_on_lynch": False,
        "wolves_win": "parity",
        "seer_sees": "camp",
        "guard_self": False,
        "guard_repeat": True,
        "abstain": False,
    },
    option_names=(
        # What groups argue about first: the lobby shows them in this order.
        "nomination",
        "sage",
        "speech",
        "reveal_on_death",
        "ballots",
        "abstain",
        "seer_sees",
        "wolves_win",
        "owl_may_pass",
        "owl_announced",
        "death_above",
        "guard_self",
        "guard_repeat",
        "first_welcome",
        "sage_first",
        "sage_passes_to",
        "seen_as_wolf",
        "wolves_agree",
        "wolves_may_pass",
        "wolves_may_attack_wolves",
        "reveal_on_lynch",
        "last_words",
        "max_days",
        "leavers_win",
        "warnings",
        "warnings_by_kind",
        "shuffle_seats",
        "absent_call_s",
        "night_s",
        "count_s",
        "talk_s",
        "turn_s",
        "speech_s",
        "vote_s",
        "last_words_s",
    ),
    choosable=tuple(SINCE),
    recommended=recommended,
    deck_with=deck_with,
    problems_of=problems_of,
    extra_cards=extra_cards,
    script=script,
    prelude=(Step("sage"),),
    trial=Trial(nearest=nearest, order=order, ballots=ballots, nominee=owl_man.nominee),
    lottery=lottery,
)
