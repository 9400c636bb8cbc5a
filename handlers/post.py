"""What is added to a record while something is decided: effects, in their order, and other changes."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from handlers.record import Effect, Table


class Post:
    """Adds effects to a record, in order."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def add(self, kind: type[Effect], **fields: Any) -> int:
        """Add an effect; return its place in the order."""
        seq = self.table.next_seq
        outbox = (*self.table.outbox, kind(seq=seq, **fields))
        self.table = replace(self.table, outbox=outbox, next_seq=seq + 1)
        return seq

    def change(self, **fields: Any) -> None:
        """Change the record otherwise."""
        self.table = replace(self.table, **fields)
