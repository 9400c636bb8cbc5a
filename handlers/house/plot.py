"""Win rates over the number of seats as a picture. Needs matplotlib, which only this file imports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from handlers.house.figures import Tally, wilson
from handlers.house.run import Order

_COLOURS = {
    "village": "#2f7d4f",
    "wolves": "#b03a2e",
    "wolf": "#b03a2e",
    "lovers": "#c2578f",
    "piper": "#7d5ba6",
    "werehamster": "#c08a2d",
    "lynched": "#2f7d4f",
    "draw": "#8a8a8a",
}


def draw(order: Order, tallies: Sequence[Tally], path: Path) -> None:
    """Write the picture; its kind is the file name's ending."""
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    seats = [tally.seats for tally in tallies]
    for camp in sorted({camp for tally in tallies for camp in tally.camps}):
        shares = [100 * tally.camps[camp] / tally.games for tally in tallies]
        bounds = [wilson(tally.camps[camp], tally.games) for tally in tallies]
        low, high = ([100 * bound[side] for bound in bounds] for side in (0, 1))
        colour = _COLOURS.get(camp)
        axes.plot(seats, shares, marker="o", label=camp, color=colour)
        axes.fill_between(seats, low, high, alpha=0.15, color=colour, linewidth=0)
    who = "random" if order.random else "sensible"
    axes.set_title(f"{order.book}: {order.games} games a point, {who} house players, seed {order.seed}")
    axes.set_xlabel("seats")
    axes.set_ylabel("games won, % (band: 95 %)")
    axes.set_xticks(seats)
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3)
    axes.legend()
    with mpl.rc_context({"svg.hashsalt": "nightfall"}):
        figure.savefig(path, dpi=120)
