"""What a seat may do in a game of houses whatever its cards: move in, swap its goal, bet, and as mayor."""

from __future__ import annotations

from itertools import permutations

from engine.abilities import Ability, living_others, never, only_yes
from engine.events import BetPlaced, GoalDrawn, GoalSwapped, Placed, PrivilegeUsed, TrapSet
from engine.game import Answer, Ask, Game, Intent, Option, Step, owner_of, seats_in
from engine.houses import SHUN_THE_TREASURE, broom_is_in, inhabitant, mayor, town_of
from engine.options import Options, thaw
from engine.play import Play

# Moving in -----------------------------------------------------------------------------------------------


def _placements(game: Game, number: int) -> tuple[Option, ...]:
    """Who lives in house a and in house b; two alike cards live there in one way only (B-26)."""
    seat = game.seat(number)
    ways = {
        ",".join(cards)
        for cards in permutations(card.role for card in seat.characters)
        if cards["ab".index(seat.treasure[-1])] not in SHUN_THE_TREASURE
    }
    return tuple(sorted(ways))


def _moves_in(play: Play, intents: tuple[Intent, ...]) -> None:
    for intent in intents:
        first, second = str(intent.answer[0]).split(",")
        play.emit(Placed((intent.seat,), intent.seat, (first, second)))


PLACE = Ability(action="house.place", options=_placements, optional=never, settle=_moves_in)


# Turns round the table -----------------------------------------------------------------------------------


def _may_swap(game: Game, seat: int) -> bool:
    return game.is_living(seat) and seat not in town_of(game).swapped


def _swaps(play: Play, intents: tuple[Intent, ...]) -> None:
    """Draw first, then put the old card back: it is another card, if perhaps of the same kind (B-14)."""
    for intent in intents:
        play.emit(GoalSwapped("everybody", intent.seat))
        drawn = play.pick(town_of(play.game).pile, SWAP.action, intent.seat)
        play.emit(GoalDrawn((intent.seat,), intent.seat, drawn))


def _may_bet(game: Game, seat: int) -> bool:
    town = town_of(game)
    return game.is_living(seat) and bool(town.coins) and all(bet.seat != seat for bet in town.bets)


def _to_bet_on(game: Game, seat: int) -> tuple[Option, ...]:
    """Any player, dead ones too (B-20)."""
    itself = thaw(game.options).bet_self
    return tuple(other.number for other in game.seats if other.number != seat or itself)


def _bets(play: Play, intents: tuple[Intent, ...]) -> None:
    for intent in intents:
        for on in seats_in(intent.answer):
            play.emit(BetPlaced("everybody", intent.seat, on, town_of(play.game).coins[0]))


SWAP = Ability(
    action="goal.swap",
    options=only_yes,
    seconds=lambda options: options.swap_s,
    asked=_may_swap,
    settle=_swaps,
)
BET = Ability(
    action="bet.place",
    options=_to_bet_on,
    seconds=lambda options: options.bet_s,
    asked=_may_bet,
    settle=_bets,
)


# The mayor -----------------------------------------------------------------------------------------------


def _houses(game: Game, _seat: int) -> tuple[Option, ...]:
    return game.houses()


def _may_set_the_trap(game: Game, seat: int) -> bool:
    return game.is_living(seat) and town_of(game).trap


def _sets_the_trap(play: Play, intents: tuple[Intent, ...]) -> None:
    for intent in intents:
        play.emit(TrapSet("everybody", str(intent.answer[0])))


def _to_inspect(game: Game, seat: int) -> tuple[Option, ...]:
    """Characters of seats whose two characters live."""
    return tuple(
        house
        for other in game.living()
        if other != seat and len(game.houses_of(other)) == 2
        for house in game.houses_of(other)
    )


def _one_of_the_two(game: Game, step: Step, ask: Ask) -> bool:
    """The mayor peeks or inspects, not both (B-15); what he has done is done."""
    used = {other.action for other in step.asks if other.answer}
    return not used & ({PEEK.action, INSPECT.action} - {ask.action})


def _has_options(game: Game, seat: int) -> bool:
    return bool(_to_inspect(game, seat))


def _peeks(play: Play, seat: int, answer: Answer) -> None:
    (target,) = seats_in(answer)
    play.emit(PrivilegeUsed("everybody", PEEK.action, seat, target))
    play.plan(_turn(play, SHOW_PEEK.action, target, seat))


def _inspects(play: Play, seat: int, answer: Answer) -> None:
    """The card is seen at once; then the mayor owes one of his own to the seat it belongs to."""
    house = str(answer[0])
    target = owner_of(house)
    play.emit(PrivilegeUsed("everybody", INSPECT.action, seat, target))
    play.tell(seat, INSPECT.action, (house, inhabitant(play.game, house).role))
    play.plan(_turn(play, SHOW_OWN.action, seat, target))


def _turn(play: Play, action: str, *seats: int) -> Step:
    """A turn in between, for the first of the seats; what it shows is for the second."""
    return Step("turn", name=action, phase=play.game.phase, seats=seats)


def _own_houses(game: Game, seat: int) -> tuple[Option, ...]:
    """Living characters only: dead ones stay face down (B-16)."""
    return game.houses_of(seat)


def _viewer_is_there(game: Game, step: Step, _ask: Ask) -> bool:
    return not game.seat(step.seats[1]).gone


def _shows(play: Play, intents: tuple[Intent, ...]) -> None:
    viewer = play.game.agenda[0].seats[1]
    for intent in intents:
        house = str(intent.answer[0])
        play.tell(viewer, intent.action, (house, inhabitant(play.game, house).role))


def _has_the_broom(game: Game, _seat: int) -> bool:
    return broom_is_in(game)


def _broom_is_in(game: Game, _step: Step, _ask: Ask) -> bool:
    return broom_is_in(game)


def _hands_the_broom(play: Play, seat: int, answer: Answer) -> None:
    (target,) = seats_in(answer)
    play.emit(PrivilegeUsed("everybody", BROOM.action, seat, target))
    play.plan(_turn(play, LOOK.action, target))


def _looks(play: Play, seat: int, answer: Answer) -> None:
    look_into(play, seat, str(answer[0]), LOOK.action)


def look_into(play: Play, seat: int, house: str, occasion: str) -> None:
    """Tell a seat whether a house holds its owner's treasure."""
    treasure = play.game.seat(owner_of(house)).treasure
    play.tell(seat, occasion, (house, "treasure" if house == treasure else "no_treasure"))


def _privilege(options: Options) -> int:
    return options.privilege_s


TRAP = Ability(
    action="trap.set", options=_houses, seconds=_privilege, asked=_may_set_the_trap, settle=_sets_the_trap
)
PEEK = Ability(action="mayor.peek", options=living_others, open=_one_of_the_two, final=True, told=_peeks)
INSPECT = Ability(
    action="mayor.inspect",
    options=_to_inspect,
    asked=_has_options,
    open=_one_of_the_two,
    final=True,
    told=_inspects,
)
BROOM = Ability(
    action="mayor.broom",
    options=living_others,
    asked=_has_the_broom,
    open=_broom_is_in,
    final=True,
    told=_hands_the_broom,
)
SHOW_PEEK = Ability(
    action="peek.show",
    options=_own_houses,
    seconds=_privilege,
    optional=never,
    open=_viewer_is_there,
    settle=_shows,
)
SHOW_OWN = Ability(
    action="mayor.show",
    options=_own_houses,
    seconds=_privilege,
    optional=never,
    open=_viewer_is_there,
    settle=_shows,
)
LOOK = Ability(
    action="broom.look", options=_houses, seconds=_privilege, open=_broom_is_in, final=True, told=_looks
)

PRIVILEGES = (PEEK, INSPECT, BROOM)
"""What the mayor is asked together in his phase."""

BURGHERS = (PLACE, SWAP, BET, TRAP, *PRIVILEGES, SHOW_PEEK, SHOW_OWN, LOOK)


def may_use_privileges(game: Game) -> bool:
    """Only with a living character (B-21)."""
    return game.is_living(mayor(game))
