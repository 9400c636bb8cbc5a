"""Cupid: makes two seats lovers in the first night; himself may be one of them."""

from __future__ import annotations

from engine.abilities import Ability, Role, first_night, living, never
from engine.events import Linked
from engine.game import Game, Intent, seats_in
from engine.play import Play


def _settle(play: Play, intents: tuple[Intent, ...]) -> None:
    for intent in intents:
        if intent.action != LINK.action:
            continue
        first, second = sorted(seats_in(intent.answer))
        play.emit(Linked("nobody", (first, second)))
        for seat, other in ((first, second), (second, first)):
            facts = [(other, "lover")]
            if play.options.lovers_know == "role":
                facts.append((other, play.game.seat(other).role))
            play.tell(seat, "lovers", *facts)


LINK = Ability(
    action="cupid.link",
    call="cupid",
    nights=first_night,
    options=living,
    least=2,
    most=2,
    optional=never,
    changes_sides=True,
    settle=_settle,
)


def names_others(game: Game, seat: int) -> bool:
    """Say whether this is a Cupid who must not name his lovers: none of them himself, while both live."""
    return (
        game.seat(seat).role == ROLE.name
        and bool(game.lovers)
        and seat not in game.lovers
        and all(game.is_living(lover) for lover in game.lovers)
    )


ROLE = Role(name="cupid", abilities=(LINK,))
