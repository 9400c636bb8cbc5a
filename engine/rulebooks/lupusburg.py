"""`lupusburg` – 狼人堡: two characters a seat in two houses, a treasure, goals, coins, a mayor, and points."""

from __future__ import annotations

from collections.abc import Sequence

from engine import scoring
from engine.game import Game, Option, Step
from engine.houses import SHUN_THE_TREASURE, from_the_mayor, nearest_first
from engine.options import Options, thaw
from engine.rulebooks.book import Box, Deck, Ending, Problem, RuleBook, Trial, waves

GOALS = ("both_alive", "both_dead", "one_each", "men_dead", "women_dead")
"""The kinds of goal cards; there are three of each."""

COINS = {
    4: (4, 3, 2, 2),
    5: (5, 4, 3, 2, 2),
    6: (6, 5, 4, 3, 2, 2),
    7: (7, 6, 5, 4, 3, 2, 2),
    8: (8, 7, 6, 5, 4, 3, 2, 2),
}


def recommended(_seats: int) -> tuple[str, ...]:
    """Nothing can be chosen."""
    return ()


def deck_with(seats: int, _specials: Sequence[str]) -> Deck:
    """Two cards for each seat."""
    return {"werewolf": 1, "thief": 1, "man": seats - 1, "woman": seats - 1}


def problems_of(seats: int, deck: Deck, _options: Options) -> list[Problem]:
    """Why the book would not deal this deck: it knows only one for each number of seats."""
    if not BOOK.fewest <= seats <= BOOK.most:
        return [Problem("seats", number=BOOK.fewest if seats < BOOK.fewest else BOOK.most)]
    problems = [Problem("role", role) for role in deck if role not in BOOK.roles]
    wanted = deck_with(seats, ())
    return problems + [Problem("fixed", role, n) for role, n in wanted.items() if deck.get(role, 0) != n]


def extra_cards(_deck: Deck) -> Deck:
    """No card is left over."""
    return {}


NIGHT = waves(("burglar", "wolf"))
NIGHT_OF_THE_TRAP = (Step("turn", name="trap.set", phase="night"), *waves(("wolf",), ("burglar",)))
"""The thief comes after the wolf, so that he can lay the trap over the claw (B-1, B-4)."""


def script(game: Game) -> tuple[Step, ...]:
    """The night; then goals, privileges, bets, speeches, two rounds of nominations, defence and verdict."""
    options = thaw(game.options)
    talk = Step("circle", name="speech.end", phase="talk")
    return (
        *(NIGHT_OF_THE_TRAP if options.trap else NIGHT),
        Step("dawn"),
        Step("circle", name="goal.swap", phase="swap"),
        Step("privilege", phase="privilege"),
        Step("circle", name="bet.place", phase="bet"),
        talk if options.speech == "turns" else Step("round", phase="talk"),
        Step("nomination", phase="vote"),
    )


def nearest(game: Game) -> tuple[Option, ...]:
    """The houses whose character lives, in the order that decides equal votes."""
    return tuple(house for house in nearest_first(game) if game.is_living(house))


def ballots(game: Game, seat: int) -> int:
    """One for each living character that is no suspect (B-9)."""
    return sum(house not in game.suspects for house in game.houses_of(seat))


def nominee(_game: Game) -> None:
    """Nobody is a suspect but by votes."""


BOOK = RuleBook(
    name="lupusburg",
    fewest=4,
    most=8,
    roles=("werewolf", "thief", "man", "woman"),
    defaults={"reveal_on_death": False, "reveal_on_lynch": False, "speech": "turns"},
    option_names=(
        # What groups argue about first: the lobby shows them in this order.
        "mayor",
        "match_games",
        "trap",
        "speech",
        "nomination",
        "one_each_score",
        "dead_worth",
        "bet_self",
        "wolf_must_kill",
        "broom_seats",
        "broom_needs_all",
        "abstain",
        "ballots",
        "reveal_on_death",
        "reveal_on_lynch",
        "max_days",
        "leavers_win",
        "warnings",
        "warnings_by_kind",
        "shuffle_seats",
        "absent_call_s",
        "place_s",
        "night_s",
        "swap_s",
        "privilege_s",
        "bet_s",
        "talk_s",
        "speech_s",
        "turn_s",
        "vote_s",
    ),
    choosable=(),
    recommended=recommended,
    deck_with=deck_with,
    problems_of=problems_of,
    extra_cards=extra_cards,
    script=script,
    prelude=(Step("placing"),),
    trial=Trial(nearest=nearest, order=from_the_mayor, rounds=2, ballots=ballots, nominee=nominee),
    box=Box(goals=GOALS * 3, coins=COINS, apart=SHUN_THE_TREASURE),
    ending=Ending(outcome=scoring.outcome, result=scoring.result),
)
