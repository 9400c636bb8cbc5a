"""What is said in a game of houses: moving in, turns, the mayor, coins, and the points at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import Event, Fact, Home, Mine, Result, Score, TownView
from engine import events as e
from handlers.wording.scribe import EMOJI, Scribe

# The group -----------------------------------------------------------------------------------------------


def _turn(scribe: Scribe, event: e.TurnOpened) -> str:
    """Whose turn it is to do what, and who is next."""
    lines = [scribe.say(f"turn.{event.action}", speaker=scribe.paper.bold(scribe.mention(event.seat)))]
    if event.after:
        lines.append(scribe.say("speech.after", seats=" ".join(str(seat) for seat in event.after)))
    return "\n".join(lines)


def _privilege(scribe: Scribe, event: e.PrivilegeOpened) -> str:
    mayor = scribe.paper.bold(scribe.mention(event.seat))
    return scribe.say("privilege.broom" if event.broom else "privilege", mayor=mayor)


def _used(scribe: Scribe, event: e.PrivilegeUsed) -> str:
    return scribe.say(f"used.{event.action}", mayor=scribe.seat(event.seat), target=scribe.seat(event.target))


def _bet(scribe: Scribe, event: e.BetPlaced) -> str:
    return scribe.say("bet", seat=scribe.seat(event.seat), on=scribe.seat(event.on), coin=event.coin)


SENTENCES: dict[type[Event], Callable[[Scribe, Any], str]] = {
    e.PlacingOpened: lambda scribe, _event: scribe.say("placing"),
    e.TurnOpened: _turn,
    e.GoalSwapped: lambda scribe, event: scribe.say("swapped", seat=scribe.seat(event.seat)),
    e.PrivilegeOpened: _privilege,
    e.PrivilegeUsed: _used,
    e.BroomLeft: lambda scribe, _event: scribe.say("broom.left"),
    e.BetPlaced: _bet,
    e.TrapSet: lambda scribe, event: scribe.say("trap.set", house=scribe.option(event.house)),
    e.TrapUsed: lambda scribe, _event: scribe.say("trap.used"),
}


def board(scribe: Scribe, town: TownView) -> str:
    """What lies on the table: the mayor, the coins that are left, and who has bet on whom."""
    lines = [scribe.say("board.mayor", seat=scribe.seat(town.mayor))]
    if town.coins:
        lines.append(scribe.say("board.coins", coins=" ".join(str(coin) for coin in town.coins)))
    lines += [
        scribe.say("board.bet", seat=scribe.seat(bet.seat), on=scribe.seat(bet.on), coin=bet.coin)
        for bet in town.bets
    ]
    return "\n".join(lines)


# One seat ------------------------------------------------------------------------------------------------


def cards(scribe: Scribe, event: e.CardDealt) -> list[str]:
    """The two characters of a seat, and what they mean."""
    lines = [scribe.say("card.two", roles=scribe.roles(event.cards))]
    return lines + [f"{scribe.role(card)} — {scribe.help(card, 'lupusburg')}" for card in sorted(set(event.cards))]


def home(scribe: Scribe, event: e.HomeDealt) -> list[str]:
    """The treasure and the goal of a seat."""
    return [
        scribe.say("card.treasure", house=event.treasure),
        scribe.say("card.goal", goal=goal(scribe, event.goal)),
    ]


def goal(scribe: Scribe, name: str) -> str:
    """A goal card."""
    return scribe.say(f"goal.{name}", points=scribe.one_each)


def placed(scribe: Scribe, event: e.Placed) -> list[str]:
    """Who lives where by now."""
    first, second = event.cards
    return [scribe.say("placed", a=scribe.role(first), b=scribe.role(second))]


def seen(scribe: Scribe, fact: Fact) -> str:
    """What a seat has learnt about a house."""
    house = scribe.option(fact.about)
    if fact.what in ("treasure", "no_treasure", "claw"):
        return scribe.say(f"told.{fact.what}", house=house)
    return scribe.say("told.lives", house=house, role=scribe.role(fact.what))


def mine(scribe: Scribe, mine: Mine) -> list[str]:
    """A seat's own houses and goal, in short."""
    homes = [_home(home) for home in mine.homes]
    lines = [" · ".join(homes)] if homes else [scribe.roles(mine.roles)]
    return [*lines, scribe.say("card.goal", goal=goal(scribe, mine.goal))]


def _home(home: Home) -> str:
    state = "" if home.alive else "💀"
    return f"{home.name} {EMOJI[home.role]}{'💎' if home.treasure else ''}{state}"


# The end -------------------------------------------------------------------------------------------------


def points(scribe: Scribe, result: Result, games: int) -> list[str]:
    """The score table of a game, the highest first; in a match its standing, and who has won it."""
    lines = []
    for score in sorted(result.sheet, key=lambda score: (score.seat not in result.winners, -score.total)):
        homes = " ".join(_home(home) for home in result.fates[score.seat - 1].homes)
        trophy = "🏆 " if score.seat in result.winners else ""
        seat = scribe.seat(score.seat)
        lines.append(f"{trophy}{scribe.say('score', seat=seat, total=score.total)} · {homes}")
        lines.append(_parts(scribe, score))
    if games > 1:
        standing = sorted(enumerate(result.totals, start=1), key=lambda entry: -entry[1])
        totals = " · ".join(f"{scribe.seat(seat)} {total}" for seat, total in standing)
        lines.append(scribe.say("match", number=result.number, games=games, totals=totals))
        if result.champion:
            lines.append(scribe.paper.bold(scribe.say("match.won", seat=scribe.seat(result.champion))))
    return lines


def _parts(scribe: Scribe, score: Score) -> str:
    """What a score is made of."""
    parts: Sequence[tuple[str, int]] = (
        ("living", score.living),
        ("treasure", score.treasure),
        ("bet", score.bet),
        ("wolf", score.wolf),
    )
    said = [scribe.say(f"score.{name}", points=points) for name, points in parts if points]
    said.append(scribe.say("score.goal", goal=goal(scribe, score.goal), points=score.goal_points))
    return "   " + " · ".join(said)
