"""The werewolf: with the pack he names the night's victim (ruling 5); in some books he may blow himself up.

In the houses he kills alone (B-2).
"""

from __future__ import annotations

from collections import Counter

from engine import camps
from engine.abilities import WOLVES, Ability, Role, Stage, never, only_yes
from engine.audience import Audience
from engine.events import Attacked
from engine.game import Answer, Ask, Game, Intent, Option, Step, seats_in
from engine.houses import inhabitant, town_of
from engine.night import Ledger
from engine.options import thaw
from engine.play import Play


def _targets(game: Game, _seat: int) -> tuple[Option, ...]:
    if thaw(game.options).wolves_may_attack_wolves:
        return game.living()
    pack = camps.pack(game)
    return tuple(seat for seat in game.living() if seat not in pack)


def _may_pass(game: Game, _seat: int) -> bool:
    return thaw(game.options).wolves_may_pass


def _the_pack(game: Game, _seat: int) -> Audience:
    """They see each other's answers as they stand."""
    return camps.pack(game)


def _while_the_girl_is_free(game: Game, _step: Step, _ask: Ask) -> bool:
    """Who seizes the little girl kills nobody else tonight."""
    return not game.taken


def _settle(play: Play, intents: tuple[Intent, ...]) -> None:
    """The target named by most wolves; `nobody` counts like one; between equals chance draws (G14)."""
    named = Counter(intent.answer for intent in intents if intent.action == KILL.action)
    if not named:
        return
    if play.options.wolves_agree == "unanimous" and len(named) > 1:
        return
    most = max(named.values())
    answer = play.pick(sorted(answer for answer, votes in named.items() if votes == most), KILL.action)
    for target in seats_in(answer):
        if play.game.is_living(target):
            play.emit(Attacked("nobody", target))


def _strike(ledger: Ledger, game: Game, _intent: Intent) -> None:
    if game.attack and not game.taken:
        ledger.attacked = game.attack


def _by_day(game: Game) -> tuple[int, ...]:
    """In every phase of the day, whatever is going on."""
    return camps.pack(game) if game.morning and thaw(game.options).explode else ()


def _today(game: Game) -> int:
    return game.morning


def _explodes(play: Play, seat: int, _answer: Answer) -> None:
    play.plan(Step("explosion", seats=(seat,)))


KILL = Ability(
    action="wolves.kill",
    call="wolves",
    options=_targets,
    optional=_may_pass,
    open=_while_the_girl_is_free,
    heard_by=_the_pack,
    pack=True,
    settle=_settle,
    stage=Stage.STRIKE,
    effect=_strike,
)

EXPLODE = Ability(
    action="wolf.explode",
    options=only_yes,
    optional=never,
    standing=_by_day,
    belongs=_today,
    told=_explodes,
)


def _meets_the_new(play: Play, seat: int) -> None:
    """Who has become a wolf by day or late at night, and the pack, are told of each other as night falls (L19)."""
    known = {fact.about for fact in play.game.facts if fact.seat == seat and fact.what == "pack"}
    new = tuple((other, "pack") for other in camps.pack(play.game) if other != seat and other not in known)
    if new:
        play.tell(seat, "pack", *new)


def _houses(game: Game, _seat: int) -> tuple[Option, ...]:
    """Any house whose character lives, his own other one too; never the werewolf's own."""
    return tuple(house for house in game.houses() if inhabitant(game, house).role != ROLE.name)


def _may_spare(game: Game, _seat: int) -> bool:
    return not thaw(game.options).wolf_must_kill


def _claw(ledger: Ledger, game: Game, intent: Intent) -> None:
    """The house that the trap lies on is safe; he may name it all the same (B-4)."""
    for house in intent.answer:
        if house != town_of(game).trapped and house not in ledger.shielded:
            ledger.kill(house, "wolves")


KILL_ALONE = Ability(
    action="wolf.kill", call="wolf", options=_houses, optional=_may_spare, stage=Stage.STRIKE, effect=_claw
)

ROLE = Role(
    name="werewolf", camp=WOLVES, wolf=True, abilities=(KILL, EXPLODE, KILL_ALONE), nightfall=_meets_the_new
)
