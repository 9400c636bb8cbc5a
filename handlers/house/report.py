"""Figures as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from handlers.house.figures import Tally, mean, median, wilson
from handlers.house.run import Order


def as_text(order: Order, tallies: Sequence[Tally]) -> str:
    """The figures for people, a block for each number of seats."""
    who = "random" if order.random else "sensible"
    head = f"{order.book}, {who} house players, seed {order.seed}"
    changes = " ".join(f"{name}={value}" for name, value in {**order.options, **order.deck}.items())
    return "\n\n".join([f"{head}; {changes}" if changes else head, *map(_block, tallies)]) + "\n"


def _block(tally: Tally) -> str:
    lines = [f"{tally.seats} seats, {tally.games} games"]
    for camp, wins in _ranked(tally):
        low, high = wilson(wins, tally.games)
        lines.append(f"  {camp:<12}{wins:>7}{wins / tally.games:>9.1%}   95 %: {low:.1%} to {high:.1%}")
    lines.append(
        f"  days {mean(tally.days):.1f} (median {median(tally.days)}, longest {max(tally.days)}),"
        f" commands {mean(tally.commands):.0f}, {tally.seconds / tally.games / 60:.0f} minutes by the game's clock"
    )
    return "\n".join(lines)


def _ranked(tally: Tally) -> list[tuple[str, int]]:
    return sorted(tally.camps.items(), key=lambda camp: (-camp[1], camp[0]))


def as_data(order: Order, tallies: Sequence[Tally]) -> dict[str, Any]:
    """The figures for programs. Shares are from 0 to 1."""
    return {
        "book": order.book,
        "players": "random" if order.random else "sensible",
        "seed": order.seed,
        "options": dict(order.options),
        "deck": dict(order.deck),
        "tables": [_table(tally) for tally in tallies],
    }


def _table(tally: Tally) -> dict[str, Any]:
    return {
        "seats": tally.seats,
        "games": tally.games,
        "camps": {camp: _share(wins, tally.games) for camp, wins in _ranked(tally)},
        "roles": {role: {"played": count, "won": tally.won[role]} for role, count in sorted(tally.roles.items())},
        "days": _length(tally.days),
        "commands": _length(tally.commands),
        "clock_s": tally.seconds / tally.games,
    }


def _share(wins: int, games: int) -> dict[str, float]:
    low, high = wilson(wins, games)
    return {"wins": wins, "share": wins / games, "low": low, "high": high}


def _length(counted: Counter[int]) -> dict[str, float]:
    return {"mean": mean(counted), "median": median(counted), "longest": max(counted)}
