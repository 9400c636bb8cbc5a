"""The thief: in the first night he may take one of the two cards in the centre and plays it (C1–C5).

In the houses he looks every night for a treasure, or once a game lays the mayor's trap over the claw (B-3, B-5).
"""

from __future__ import annotations

from engine import camps, roles
from engine.abilities import Ability, Role, Stage, first_night, only_yes
from engine.burghers import look_into
from engine.events import Became, TrapUsed
from engine.game import Answer, Ask, Game, Intent, Option, Step
from engine.night import Ledger
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
    changes_sides=True,
    brief=_brief,
    settle=_settle,
)


def _houses_of_others(game: Game, seat: int) -> tuple[Option, ...]:
    own = game.houses_of(seat)
    return tuple(house for house in game.houses() if house not in own)


def _did_not_lay_the_trap(_game: Game, step: Step, ask: Ask) -> bool:
    return not any(other.seat == ask.seat and other.action == LAY.action and other.answer for other in step.asks)


def _did_not_look(_game: Game, step: Step, ask: Ask) -> bool:
    return not any(other.seat == ask.seat and other.action == LOOK.action and other.answer for other in step.asks)


def _looks(play: Play, seat: int, answer: Answer) -> None:
    look_into(play, seat, str(answer[0]), LOOK.action)


def _trap_is_set(game: Game, _seat: int) -> bool:
    return bool(game.town and game.town.trapped)


def _sees_the_claw(play: Play, seat: int) -> None:
    """Where the wolf is to be stopped the claw lies open before the thief."""
    claw = [house for intent in play.game.intents if intent.action == "wolf.kill" for house in intent.answer]
    if claw and _trap_is_set(play.game, seat):
        play.tell(seat, LAY.action, (claw[0], "claw"))


def _lays_the_trap(play: Play, intents: tuple[Intent, ...]) -> None:
    if any(intent.action == LAY.action and intent.answer for intent in intents):
        play.emit(TrapUsed("everybody"))


def _nobody_is_killed(ledger: Ledger, game: Game, intent: Intent) -> None:
    if intent.answer:
        ledger.shielded |= set(game.houses())


LOOK = Ability(
    action="thief.look",
    call="burglar",
    options=_houses_of_others,
    open=_did_not_lay_the_trap,
    final=True,
    told=_looks,
)
LAY = Ability(
    action="trap.use",
    call="burglar",
    options=only_yes,
    asked=_trap_is_set,
    open=_did_not_look,
    brief=_sees_the_claw,
    settle=_lays_the_trap,
    stage=Stage.SHIELD,
    effect=_nobody_is_killed,
)

ROLE = Role(name="thief", abilities=(TAKE, LOOK, LAY))
