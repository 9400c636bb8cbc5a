"""The end of a game of houses: when it has come, and what every seat scores for it.

Nobody wins with a camp; the highest score wins, and of equal ones the nearest clockwise to the mayor.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Fate, Game, Home, Result, Score
from engine.houses import by_house, mayor, town_of, wolf_player
from engine.options import Options, thaw

WOLF = "wolf"
LYNCHED = "lynched"

LIVING = 2
"""Points for a living character of one's own."""

TREASURE = 1
"""Points if the character in the treasure house lives."""

NO_BET = 1
"""Points for a coin that was never taken."""


def outcome(game: Game) -> str:
    """How the game has ended, empty while it goes on. That the wolf player is dead is asked first (B-10)."""
    wolf = wolf_player(game)
    if not game.seat(wolf).alive:
        return LYNCHED
    others = sum(len(game.houses_of(seat.number)) for seat in game.seats if seat.number != wolf)
    return WOLF if others <= 1 else ""


def result(game: Game, ending: str) -> Result:
    """What counts when the game has ended so; in a game called a draw nobody scores."""
    town = town_of(game)
    sheet = tuple(_score(game, seat.number, ending) for seat in game.seats)
    points = tuple(score.total for score in sheet)
    totals = tuple(before + now for before, now in zip(town.totals, points, strict=True))
    winner = _highest(game, points) if ending in (WOLF, LYNCHED) else 0
    last = town.number >= thaw(game.options).match_games
    return Result(
        camp=ending,
        winners=(winner,) if winner else (),
        fates=tuple(_fate(game, seat.number, winner) for seat in game.seats),
        sheet=sheet,
        turned_over=_werewolf(game) if ending == LYNCHED else (),
        number=town.number,
        totals=totals,
        mayor=mayor(game),
        champion=_highest(game, totals) if last else 0,
    )


def _werewolf(game: Game) -> tuple[str, ...]:
    """The house of the werewolf card, which is turned over when both characters of its seat are dead."""
    return tuple(
        card.house for card in game.seat(wolf_player(game)).characters if card.role == "werewolf" and card.house
    )


def _highest(game: Game, points: Sequence[int]) -> int:
    """The seat with the most points, of equal ones the first from the mayor on; who left is not ranked (B-13)."""
    ranked = [
        seat for seat in game.clockwise(mayor(game)) if thaw(game.options).leavers_win or not game.seat(seat).gone
    ]
    return max(ranked, key=lambda seat: points[seat - 1], default=0)


def _fate(game: Game, number: int, winner: int) -> Fate:
    seat = game.seat(number)
    left = next((card.cause for card in seat.characters if card.cause in ("left", "expelled")), "left")
    fate = left if seat.gone else "alive" if seat.alive else "dead"
    cards = by_house(seat)
    return Fate(
        seat=number,
        roles=tuple(card.role for card in cards),
        camp="",
        fate=fate,
        won=number == winner,
        homes=tuple(Home(card.house, card.role, card.alive, card.house == seat.treasure) for card in cards),
    )


def _score(game: Game, number: int, ending: str) -> Score:
    town, options, seat = town_of(game), thaw(game.options), game.seat(number)
    goal = town.goals[number - 1]
    if seat.gone or ending not in (WOLF, LYNCHED):
        return Score(seat=number, living=0, treasure=0, bet=0, goal=goal, goal_points=0, wolf=0, total=0)
    wolf_player_here = number == wolf_player(game)
    living = LIVING * len(game.houses_of(number))
    treasure = TREASURE if game.is_living(seat.treasure) else 0
    bet = _bet(game, number)
    goal_points = points_for(goal, [(card.role, card.alive) for card in seat.characters], options)
    dead = sum(not card.alive for other in game.seats for card in other.characters)
    wolf = options.dead_worth * dead if ending == WOLF and wolf_player_here else 0
    total = living + treasure + bet + goal_points + wolf
    return Score(number, living, treasure, bet, goal, goal_points, wolf, total)


def _bet(game: Game, number: int) -> int:
    """The coin, if it lies on the wolf player, who may have left (B-30)."""
    for bet in town_of(game).bets:
        if bet.seat == number:
            return bet.coin if bet.on == wolf_player(game) else 0
    return NO_BET


def points_for(goal: str, characters: list[tuple[str, bool]], options: Options) -> int:
    """What a goal card is worth to a seat with these characters, each by its role and whether it lives.

    Werewolf and thief have no gender (B-22).
    """
    living = sum(alive for _, alive in characters)

    def count(role: str, *, alive: bool) -> int:
        return sum(1 for character in characters if character == (role, alive))

    match goal:
        case "both_alive":
            return 2 if living == 2 else 0
        case "both_dead":
            return 6 if living == 0 else 0
        case "one_each":
            return options.one_each_score if living == 1 else 0
        case "men_dead":
            return 2 * count("man", alive=False) + count("woman", alive=True)
        case "women_dead":
            return 2 * count("woman", alive=False) + count("man", alive=True)
    raise ValueError(goal)
