"""The little girl: peeks at one wolf a night and may be noticed; then the pack can seize her (C17–C20)."""

from __future__ import annotations

from engine import camps, dice
from engine.abilities import Ability, Role, Stage, never, only_yes
from engine.audience import Audience
from engine.events import Asked, GirlTaken, Prompted
from engine.game import Answer, Ask, Game, Intent, Step
from engine.night import Ledger
from engine.play import Play

SECONDS_TO_SEIZE = 15


def _peeks(play: Play, seat: int, _answer: Answer) -> None:
    wolves = camps.pack(play.game)
    play.tell(seat, PEEK.action, (play.pick(wolves, PEEK.action, seat), "wolf"))
    noticed = dice.fraction(play.game.seed, play.game.day, "girl.noticed", seat)
    if noticed >= play.options.girl_noticed:
        return
    for wolf in wolves:
        play.tell(wolf, "girl.noticed", (seat, ROLE.name))
    play.emit(Asked("nobody", wolves, TAKE.action))
    for wolf in wolves:
        play.emit(Prompted((wolf,), wolf, (TAKE.action,), play.game.agenda[0].serial))


def _seizes(play: Play, _wolf: int, _answer: Answer) -> None:
    """The first yes of any wolf decides; it is nobody's choice any more whom else to kill (C17)."""
    (girl,) = play.game.holders(frozenset({ROLE.name}))
    play.emit(GirlTaken("nobody", girl))


def _the_pack(game: Game, _wolf: int) -> Audience:
    """One yes is enough, so the others must see that it was given."""
    return camps.pack(game)


def _while_she_is_free(game: Game, _step: Step, ask: Ask) -> bool:
    """Until one of the pack has seized her, or she has left."""
    return bool(ask.answer) if game.taken else bool(game.holders(frozenset({ROLE.name})))


def _dies(ledger: Ledger, game: Game, intent: Intent) -> None:
    """Neither guard nor antidote helps her."""
    if intent.answer and game.taken:
        ledger.kill(game.taken, "wolves")


PEEK = Ability(
    action="girl.peek", call="little_girl", options=only_yes, final=True, until=SECONDS_TO_SEIZE, told=_peeks
)

TAKE = Ability(
    action="wolves.take_girl",
    call="little_girl",
    options=only_yes,
    asked=never,
    open=_while_she_is_free,
    heard_by=_the_pack,
    final=True,
    told=_seizes,
    stage=Stage.SEIZE,
    effect=_dies,
)

ROLE = Role(name="little_girl", abilities=(PEEK, TAKE))
