"""The piper: enchants two seats every night; he wins alone once everybody else who lives is enchanted."""

from __future__ import annotations

from engine.abilities import PIPER, Ability, Role, living_others
from engine.events import Enchanted
from engine.game import Game, Intent, Option, seats_in
from engine.options import thaw
from engine.play import Play


def enchanted(game: Game) -> tuple[int, ...]:
    """The living who are enchanted."""
    return tuple(seat for seat in game.living() if "enchanted" in game.seat(seat).marks)


def _targets(game: Game, seat: int) -> tuple[Option, ...]:
    return tuple(other for other in living_others(game, seat) if other not in enchanted(game))


def _asked(game: Game, seat: int) -> bool:
    return bool(_targets(game, seat))


def _how_many(game: Game, seat: int) -> int:
    """As many as the book says, or all that are left (N2)."""
    return min(thaw(game.options).piper_targets, len(_targets(game, seat)))


def _settle(play: Play, intents: tuple[Intent, ...]) -> None:
    """The newly enchanted learn that they are, and all of the enchanted who is."""
    for intent in intents:
        if intent.action != ENCHANT.action or not intent.answer:
            continue
        before = enchanted(play.game)
        new = tuple(sorted(seats_in(intent.answer)))
        play.emit(Enchanted("nobody", new))
        for seat in enchanted(play.game):
            seats = new if seat in before else enchanted(play.game)
            play.tell(seat, ENCHANT.action, *((other, "enchanted") for other in seats))


ENCHANT = Ability(
    action="piper.enchant",
    call="piper",
    options=_targets,
    least=_how_many,
    most=_how_many,
    asked=_asked,
    settle=_settle,
)

ROLE = Role(name="piper", camp=PIPER, abilities=(ENCHANT,))
