"""The owl-man: names a suspect of the next day; at a large table he is Death, and whom he names dies at dawn."""

from __future__ import annotations

from engine import camps
from engine.abilities import Ability, Role, Stage, living
from engine.game import Game, Intent, Option, seats_in
from engine.night import Ledger
from engine.options import thaw


def _may_pass(game: Game, _seat: int) -> bool:
    return thaw(game.options).owl_may_pass


def is_death(game: Game) -> bool:
    """Say whether so many seats were dealt that the owl-man is Death."""
    return len(game.seats) > thaw(game.options).death_above


def nominee(game: Game) -> Option | None:
    """Whom he has named for today, whether or not he still lives himself (L8)."""
    if is_death(game):
        return None
    named = (seats_in(intent.answer) for intent in game.intents if intent.action == NOMINATE.action)
    return next((seat for seats in named for seat in seats), None)


def _takes(ledger: Ledger, game: Game, intent: Intent) -> None:
    """Death takes no wolf; nothing protects against him."""
    if is_death(game):
        for target in seats_in(intent.answer):
            if not camps.is_wolf(game.seat(target).role):
                ledger.kill(target, "death")


NOMINATE = Ability(
    action="owl.nominate", call="owl_man", options=living, optional=_may_pass, stage=Stage.DEATH, effect=_takes
)

ROLE = Role(name="owl_man", abilities=(NOMINATE,))
