"""The doors of the timers and of the sweep: both only wake a table, which sees for itself what is due."""

from __future__ import annotations

from handlers import moves
from handlers.record import Reply, Table
from handlers.table import Tables

PREFIX = "TABLE#"


def _judge(table: Table, now: float) -> tuple[Table, Reply | None]:
    return moves.wake(table, now), None


async def wake(tables: Tables, key: str) -> None:
    """Wake the table with this row key. Early, late or twice makes no difference."""
    await tables.wake(key.removeprefix(PREFIX), _judge)
