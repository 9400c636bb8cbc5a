"""The witch: told whom the wolves attack, she heals with one potion and kills with the other, once each."""

from __future__ import annotations

from engine.abilities import Ability, Role, Stage, living, only_yes
from engine.game import Ask, Game, Intent, Step, seats_in
from engine.night import Ledger, is_shielded
from engine.options import Options, thaw
from engine.play import Play


def _has(game: Game, seat: int, token: str) -> bool:
    return game.seat(seat).character.tokens.get(token, 0) > 0


def _is_told(game: Game, seat: int) -> bool:
    """She is told the attack while she has a potion; in some books only while it is the antidote (C16)."""
    if _has(game, seat, "antidote"):
        return True
    return thaw(game.options).witch_told == "always" and _has(game, seat, "poison")


def _attacked(game: Game) -> int:
    """Whom she is shown: nobody when the pack has seized the little girl (C17)."""
    if game.taken or not game.is_living(game.attack):
        return 0
    if not thaw(game.options).witch_told_when_protected and is_shielded(game, game.attack):
        return 0
    return game.attack


def _brief(play: Play, seat: int) -> None:
    if _is_told(play.game, seat):
        attacked = _attacked(play.game)
        play.tell(seat, "witch.attack", *([(attacked, "attacked")] if attacked else []))


def _can_heal(game: Game, seat: int) -> bool:
    attacked = _attacked(game)
    if not attacked or not _has(game, seat, "antidote"):
        return False
    if attacked != seat:
        return True
    rule = thaw(game.options).witch_self_heal
    return rule == "always" or (rule == "no_guard" and not game.holders(frozenset({"guard"})))


def _can_poison(game: Game, seat: int) -> bool:
    return _has(game, seat, "poison")


def _one_potion_left(game: Game, step: Step, ask: Ask) -> bool:
    """Where a night has one potion, using one closes the question of the other (E20)."""
    if thaw(game.options).witch_potions_per_night == 2:
        return True
    return not any(other.seat == ask.seat and other.action != ask.action and other.answer for other in step.asks)


def _can_still_heal(game: Game, step: Step, ask: Ask) -> bool:
    """Nobody is left to heal when the attacked seat has gone (G2)."""
    return _attacked(game) != 0 and _one_potion_left(game, step, ask)


def _mend(ledger: Ledger, game: Game, intent: Intent) -> None:
    if intent.answer:
        ledger.mended.add(game.attack)
        ledger.spend(intent.seat, "antidote")


def _poison(ledger: Ledger, _game: Game, intent: Intent) -> None:
    for target in seats_in(intent.answer):
        ledger.kill(target, "poison")
        ledger.spend(intent.seat, "poison")


def _seconds(options: Options) -> int:
    return options.witch_s


HEAL = Ability(
    action="witch.heal",
    call="witch",
    options=only_yes,
    seconds=_seconds,
    asked=_can_heal,
    open=_can_still_heal,
    brief=_brief,
    stage=Stage.MEND,
    effect=_mend,
)

POISON = Ability(
    action="witch.poison",
    call="witch",
    options=living,
    seconds=_seconds,
    asked=_can_poison,
    open=_one_potion_left,
    stage=Stage.POISON,
    effect=_poison,
)

ROLE = Role(name="witch", tokens={"antidote": 1, "poison": 1}, abilities=(HEAL, POISON))
