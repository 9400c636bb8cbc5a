"""What can be asked of a game. Every command says who asks; `handlers/` has proved that it is true.

An actor is a seat (from 1), or `host`: whoever has the table's authority.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.game import Answer as Selection

Host = Literal["host"]


class Answer(Struct, frozen=True):
    """A seat answers its prompt. `serial`: of the step the button belonged to; None where there is none."""

    actor: int
    action: str
    answer: Selection
    serial: int | None = None


class Leave(Struct, frozen=True):
    """A seat goes for good."""

    actor: int


class Skip(Struct, frozen=True):
    """Let the current step end as if its time were up (G12)."""

    actor: int | Host


class Extend(Struct, frozen=True):
    """Give the current step more time."""

    actor: int | Host
    seconds: int


class Warn(Struct, frozen=True):
    """Warn a seat, for a kind of offence where the book tells them apart (ruling 12)."""

    actor: Host
    seat: int
    kind: str = ""


class Expel(Struct, frozen=True):
    """Put a seat out of the game. A `sentence` is for a Cupid who named his lovers where he must not."""

    actor: Host
    seat: int
    kind: str = ""


class Draw(Struct, frozen=True):
    """Accept the draw that was offered because nothing happens any more (G36)."""

    actor: Host


class Tick(Struct, frozen=True):
    """The clock: whatever is due by now happens."""


Command = Answer | Leave | Skip | Extend | Warn | Expel | Draw | Tick


class Refused(Struct, frozen=True):
    """Nothing happened. The code says why and tells no secret.

    `over`, `not_asked`, `dead`, `stale`, `late`, `answered`, `not_listed`, `self`, `lover`, `dead_target`,
    `same_again`, `must_choose`, `how_many`, `twice`, `nobody_there`, `no_seat`, `not_offered`, `seconds`,
    `nobody_warns_the_dead`, `no_sentence`.
    """

    code: str
