"""What a night does: its intents take effect in the order of their stages; then it is known who dies.

The seats' wishes were gathered as their waves closed. Nothing here depends on when they were given.
"""

from __future__ import annotations

from engine import roles
from engine.causes import strictest
from engine.events import Spent
from engine.game import Game, Option
from engine.options import thaw
from engine.play import Play


class Ledger:
    """The accounts of one night. Roles enter what they do; nobody dies before all is entered."""

    def __init__(self) -> None:
        self.shielded: set[Option] = set()
        self.mended: set[int] = set()
        self.attacked = 0
        self.deaths: list[tuple[Option, str]] = []
        self.spent: list[tuple[int, str]] = []

    def kill(self, whom: Option, cause: str) -> None:
        """Enter a death that nothing averts: of a seat, or of the character in a house."""
        self.deaths.append((whom, cause))

    def spend(self, seat: int, token: str) -> None:
        """Enter that a seat has used something up."""
        self.spent.append((seat, token))

    def balance(self, guard_and_heal_kills: bool) -> list[tuple[Option, str]]:
        """Who dies of what. The attacked seat lives if it is protected or healed – in some books not if both."""
        deaths = list(self.deaths)
        if self.attacked:
            shielded, mended = self.attacked in self.shielded, self.attacked in self.mended
            if shielded and mended and guard_and_heal_kills:
                deaths.append((self.attacked, "guard_and_heal"))
            elif not shielded and not mended:
                deaths.append((self.attacked, "wolves"))
        return deaths

    @property
    def healed(self) -> int:
        """Whom only the antidote has saved; 0 for nobody: what a protection stops needs no healing (N9)."""
        return self.attacked if self.attacked in self.mended and self.attacked not in self.shielded else 0


def resolve(play: Play) -> list[tuple[Option, str]]:
    """Apply the night's intents by stage and seat; return who dies of what."""
    ledger = _account(play.game)
    for seat, token in ledger.spent:
        play.emit(Spent("nobody", seat, token))
    if ledger.healed and (healed := roles.ROLES[play.game.seat(ledger.healed).role].healed):
        healed(play, ledger.healed)
    return ledger.balance(play.options.guard_and_heal_kills)


def doomed(game: Game) -> dict[int, str]:
    """The living seats that will die of what the night has gathered so far, each with its strictest cause."""
    deaths = _account(game).balance(thaw(game.options).guard_and_heal_kills)
    return strictest((seat, cause) for seat, cause in deaths if isinstance(seat, int) and game.is_living(seat))


def is_shielded(game: Game, seat: int) -> bool:
    """Say whether a protection, of what the night has gathered so far, holds for the seat."""
    return seat in _account(game).shielded


def _account(game: Game) -> Ledger:
    ledger = Ledger()
    staged = [
        (ability.stage, intent.seat, ability, intent)
        for intent in game.intents
        if (ability := roles.ABILITIES[intent.action]).stage is not None
    ]
    for _stage, _seat, ability, intent in sorted(staged, key=lambda entry: entry[:2]):
        if ability.effect:
            ability.effect(ledger, game, intent)
    for number in game.living():
        night = roles.ROLES[game.seat(number).role].night
        if night:
            night(ledger, game, number)
    return ledger


def protectable(game: Game, seat: int, action: str) -> tuple[int, ...]:
    """Whom the seat may protect: in some books not itself, or not again whom it protected the night before."""
    options = thaw(game.options)
    before = () if options.guard_repeat else last_protected(game, seat, action)
    return tuple(
        number for number in game.living() if number not in before and (number != seat or options.guard_self)
    )


def same_again(_game: Game, _seat: int, _option: Option) -> str:
    """Why another living seat cannot be protected: there is no other reason."""
    return "same_again"


def last_protected(game: Game, seat: int, action: str) -> tuple[Option, ...]:
    """Whom the seat protected the night before; nobody if it passed or was silent (C11)."""
    return next((i.answer for i in game.last_night if i.seat == seat and i.action == action), ())
