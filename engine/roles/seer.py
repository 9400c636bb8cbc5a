"""The seer: looks at a card every night; the answer comes at once and is final."""

from __future__ import annotations

from engine import camps
from engine.abilities import Ability, Role, living_others
from engine.game import Answer, seats_in
from engine.play import Play


def _sees(play: Play, seat: int, answer: Answer) -> None:
    (target,) = seats_in(answer)
    role = play.game.seat(target).role
    options = play.options
    if options.seer_sees == "role":
        play.tell(seat, CHECK.action, (target, role))
    elif camps.is_wolf(role) or role in options.seen_as_wolf:
        play.tell(seat, CHECK.action, (target, "wolf"))
    else:
        play.tell(seat, CHECK.action, (target, "not_wolf"))


CHECK = Ability(action="seer.check", call="seer", options=living_others, final=True, told=_sees)

ROLE = Role(name="seer", abilities=(CHECK,))
