"""The thief: in the first night he may take one of the two cards in the centre and plays it (C1–C5)."""

from __future__ import annotations

from engine import camps, roles
from engine.abilities import Ability, Role, first_night
from engine.events import Became
from engine.game import Game, Intent, Option
from engine.options import thaw
from engine.play import Play


def _wolves_in_the_centre(game: Game) -> tuple[str, ...]:
    return tuple(card for card in game.centre if camps.is_wolf(card))


def _cards(game: Game, _seat: int) -> tuple[Option, ...]:
    wolves = _wolves_in_the_centre(game)
    if thaw(game.options).thief_must_take == "always" and wolves:
        return tuple(sorted(set(wolves)))
    return tuple(sorted(set(game.centre)))


def _may_pass(game: Game, _seat: int) -> bool:
    return thaw(game.options).thief_must_take == "two_wolves" and len(_wolves_in_the_centre(game)) < 2


def _brief(play: Play, seat: int) -> None:
    play.tell(seat, "thief.centre", *(("centre", card) for card in sorted(play.game.centre)))


def _settle(play: Play, intents: tuple[Intent, ...]) -> None:
    for seat in play.game.holders(frozenset({ROLE.name})):
        taken = next((str(i.answer[0]) for i in intents if i.seat == seat and i.answer), "villager")
        play.emit(Became((seat,), seat, taken, dict(roles.ROLES[taken].tokens)))
        if camps.is_wolf(taken):
            others = tuple(wolf for wolf in camps.pack(play.game) if wolf != seat)
            play.tell(seat, "pack", *((wolf, "pack") for wolf in others))
            for wolf in others:
                play.tell(wolf, "pack", (seat, "pack"))


TAKE = Ability(
    action="thief.take",
    call="thief",
    nights=first_night,
    options=_cards,
    optional=_may_pass,
    brief=_brief,
    settle=_settle,
)

ROLE = Role(name="thief", abilities=(TAKE,))
