"""Who is suspected: the votes of a nomination, and the order in which they put those who can stand.

Who stands is a seat, or a house in the books that deal two cards.
"""

from __future__ import annotations

from collections import Counter

from engine.game import Game, Option, place
from engine.rulebooks import RULE_BOOKS
from engine.rulebooks.book import Trial

TWO = 2


def trial(game: Game) -> Trial:
    """How the game's book tries its suspects."""
    found = RULE_BOOKS[game.book].trial
    if found is None:
        raise LookupError(game.book)
    return found


def candidates(game: Game) -> tuple[Option, ...]:
    """Who can be named, in the order of the seats."""
    return tuple(sorted(trial(game).nearest(game), key=place))


def count(game: Game) -> tuple[tuple[Option, float], ...]:
    """The votes of those who can stand, in falling order; a vote on somebody who has gone is void (L30)."""
    standing = trial(game).nearest(game)
    votes = Counter(choice for _seat, choice in game.named if choice in standing)
    return tuple((option, votes[option]) for option in ranking(game) if votes[option])


def ranking(game: Game) -> tuple[Option, ...]:
    """All who can stand: who has more votes first, of equals the nearer."""
    votes = Counter(choice for _seat, choice in game.named)
    return tuple(sorted(trial(game).nearest(game), key=lambda option: -votes[option]))


def nominee(game: Game) -> Option | None:
    """Who stands whatever the votes, if he still can."""
    found = trial(game).nominee(game)
    return found if found in trial(game).nearest(game) else None


def to_be_named(game: Game) -> tuple[Option, ...]:
    """The two suspects of a nomination that is over; nobody if nobody was named (L6, L7, L11)."""
    if not count(game) and nominee(game) is None:
        return ()
    return filled_up(game, ())


def filled_up(game: Game, remaining: tuple[Option, ...]) -> tuple[Option, ...]:
    """These suspects and the next ones, to be two; who is named whatever the votes comes last (L29)."""
    last = nominee(game)
    first = tuple(option for option in remaining if option != last)
    wanted = TWO - (last is not None)
    others = (option for option in ranking(game) if option not in (*first, last))
    found = (*first, *others)[:wanted]
    return found if last is None else (*found, last)
