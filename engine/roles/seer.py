"""The seer: looks at a card every night; the answer comes at once and is final."""

from __future__ import annotations

from engine import camps
from engine.abilities import Ability, Role, living_others
from engine.game import Answer, Game, Option, seats_in
from engine.options import thaw
from engine.play import Play


def _cards(game: Game, seat: int) -> tuple[Option, ...]:
    """With the sage she turns over a card on the table, and a ghost's lies there too."""
    if thaw(game.options).sage:
        return tuple(other.number for other in game.seats if other.number != seat)
    return living_others(game, seat)


def _sees(play: Play, seat: int, answer: Answer) -> None:
    (target,) = seats_in(answer)
    role = play.game.seat(target).role
    options = play.options
    if options.seer_sees == "role" or options.sage:
        play.tell(seat, CHECK.action, (target, role))
    elif camps.is_wolf(role) or role in options.seen_as_wolf:
        play.tell(seat, CHECK.action, (target, "wolf"))
    else:
        play.tell(seat, CHECK.action, (target, "not_wolf"))


CHECK = Ability(action="seer.check", call="seer", options=_cards, final=True, told=_sees)

ROLE = Role(name="seer", abilities=(CHECK,))
