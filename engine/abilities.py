"""The vocabulary roles are written in: declare who, when, on whom and how often; write what happens.

An ability is one action that a seat may be asked for. Its small functions read the game and record what
follows through the play they are handed; they cannot send, wait or keep anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from engine.game import Answer, Ask, Game, Intent, Option, Rank, Step

if TYPE_CHECKING:
    from engine.audience import Audience
    from engine.night import Ledger
    from engine.options import Options
    from engine.play import Play

WOLVES = "wolves"
VILLAGE = "village"
LOVERS = "lovers"
PIPER = "piper"
WEREHAMSTER = "werehamster"


class Stage(IntEnum):
    """The order in which the intents of a night take effect, whenever they were given."""

    SHIELD = 10
    STRIKE = 20
    SEIZE = 30
    MEND = 40
    POISON = 50
    BANISH = 60
    DEATH = 65
    SHOOT = 70


def nobody(_game: Game, _seat: int) -> tuple[Option, ...]:
    """Nothing to choose."""
    return ()


def only_yes(_game: Game, _seat: int) -> tuple[Option, ...]:
    """Yes, or decline."""
    return ("yes",)


def living(game: Game, _seat: int) -> tuple[Option, ...]:
    """Any living seat, oneself included."""
    return game.living()


def living_others(game: Game, seat: int) -> tuple[Option, ...]:
    """Any other living seat."""
    return tuple(number for number in game.living() if number != seat)


def always(_game: Game, _seat: int) -> bool:
    """In every case."""
    return True


def never(_game: Game, _seat: int) -> bool:
    """In no case."""
    return False


def every_night(_game: Game) -> bool:
    """Whatever night it is."""
    return True


def first_night(game: Game) -> bool:
    """In the first night only."""
    return game.day == 1


def second_night(game: Game) -> bool:
    """In the second night only."""
    return game.day == 2


def from_second_night(game: Game) -> bool:
    """From the second night on."""
    return game.day >= 2


def stays_open(_game: Game, _step: Step, _ask: Ask) -> bool:
    """Nothing closes the question before its step ends."""
    return True


def itself(_game: Game, seat: int) -> Audience:
    """Nobody but the seat that answers."""
    return (seat,)


def not_listed(_game: Game, _seat: int, _option: Option) -> str:
    """No more is said than that it cannot be chosen."""
    return "not_listed"


def night_seconds(options: Options) -> int:
    """As long as most calls of a night."""
    return options.night_s


Count = int | Callable[[Game, int], int]
"""A number, or what gives it for a seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """One action.

    action: its name, `role.verb`. call: the night's call under which it is asked, empty for none.
    nights: is it a night in which the call is made.
    options: what can be chosen. least, most: how many of them. optional: may the seat decline.
    unlisted: why another living seat is not among the options, in a code for who has chosen it.
    seconds: of a wave, a turn or a reaction in which nothing else is asked.
    default: the answer that counts for who had to choose and was silent; without it chance draws one.
    asked: is the holder asked when the call opens. open: is the question (still) open.
    standing: who has the question open beside those of the step, as long as what it `belongs` to lasts – whose
    serial it carries. It is answered at once, through `told`, and keeps no step open.
    rank: the consequence of a death in which the dead are asked it; none where it is for the living.
    heard_by: who may know of an answer as it is given. A vote is everybody's where ballots are open.
    final: an answer (other than declining) cannot be changed, because it is answered at once.
    changes_sides: may who is asked, or who is chosen, win with others afterwards.
    pack: every wolf is asked, whatever his card; they answer together and must agree to be done early.
    until: seconds before the end of the wave after which it is no longer answered.
    brief: what the holder is told before he is asked. told: what he is told in answer.
    settle: what follows for the game when its step closes. stage, effect: what it does to the night.
    """

    action: str
    call: str = ""
    nights: Callable[[Game], bool] = every_night
    options: Callable[[Game, int], tuple[Option, ...]] = nobody
    least: Count = 1
    most: Count = 1
    optional: Callable[[Game, int], bool] = always
    unlisted: Callable[[Game, int, Option], str] = not_listed
    default: Callable[[Game, int], Answer] | None = None
    seconds: Callable[[Options], int] = night_seconds
    asked: Callable[[Game, int], bool] = always
    open: Callable[[Game, Step, Ask], bool] = stays_open
    standing: Callable[[Game], tuple[int, ...]] | None = None
    belongs: Callable[[Game], int] | None = None
    rank: Rank | None = None
    heard_by: Callable[[Game, int], Audience] = itself
    final: bool = False
    changes_sides: bool = False
    pack: bool = False
    until: int = 0
    brief: Callable[[Play, int], None] | None = None
    told: Callable[[Play, int, Answer], None] | None = None
    settle: Callable[[Play, tuple[Intent, ...]], None] | None = None
    stage: Stage | None = None
    effect: Callable[[Ledger, Game, Intent], None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What a card says.

    camp: with whom it wins. wolf: is it a wolf's card – one of the pack, and seen as such. tokens: what it has to
    spend. abilities: what it can do.
    escapes: does it escape a death of this cause – asked before anything of it is known; it records what happens
    instead. returns: does this death last only until dawn. shoots: may it shoot, dead of this cause.
    dies_of_a_tie: does it die of a tied lynch vote, in place of the tied.
    curses: does its death of this cause cost the village its powers. falls_with_them: does it die of that.
    healed: what being saved by the antidote leaves it with. nightfall: what the holder is told as night
    falls, before anybody is called. night: what the night does to him, whatever others intend.
    """

    name: str
    camp: str = VILLAGE
    wolf: bool = False
    tokens: dict[str, int] = field(default_factory=dict)
    abilities: tuple[Ability, ...] = ()
    escapes: Callable[[Play, int, str], bool] | None = None
    returns: Callable[[Game, int, str], bool] | None = None
    shoots: Callable[[Options, str], bool] | None = None
    dies_of_a_tie: Callable[[Game, int], bool] = never
    curses: Callable[[Game, int, str], bool] | None = None
    falls_with_them: Callable[[Game, int], bool] = never
    healed: Callable[[Play, int], None] | None = None
    nightfall: Callable[[Play, int], None] | None = None
    night: Callable[[Ledger, Game, int], None] | None = None
