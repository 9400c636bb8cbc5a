"""What may be seen: the public view, and a seat's own. Each field is named here by hand (law 5)."""

from __future__ import annotations

from msgspec import Struct

from engine import camps
from engine.game import Answer, Bet, Fact, Game, Home, Option, Result, Seat
from engine.houses import MAYOR, broom_is_in, by_house, mayor
from engine.options import thaw
from engine.prompts import Prompt, ability_of, is_open, open_asks, prompt
from engine.steps import KINDS
from engine.steps.kind import StepView

PUBLIC_MARKS = ("unvoiced",)
"""The conditions of a seat that everybody sees."""


class HouseView(Struct, frozen=True):
    """A house as everybody sees it; it leaves the game with its character. cards: as of a seat."""

    name: str
    alive: bool
    cards: tuple[str, ...]


class SeatView(Struct, frozen=True):
    """A seat as everybody sees it. cards: the roles that were turned over, none while they are hidden.

    houses: in the books that have them. takes_part: does it still have its turns by day.
    """

    number: int
    alive: bool
    cards: tuple[str, ...]
    marks: tuple[str, ...]
    warnings: int
    houses: tuple[HouseView, ...] = ()
    takes_part: bool = True


class TownView(Struct, frozen=True):
    """The table of a game of houses as everybody sees it.

    coins: those left, the top one first. swapped: who has changed its goal. settled: who has moved in. trap: is it
    in the game; trapped: the house it lies on tonight. killed: the house whose character was killed last night.
    number, games: which game of how many in the match; totals: the points before it. serial: of the last step, so
    that the next game of the match can go on from it.
    """

    mayor: int
    coins: tuple[int, ...]
    bets: tuple[Bet, ...]
    swapped: tuple[int, ...]
    settled: tuple[int, ...]
    broom: bool
    trap: bool
    trapped: str
    killed: str
    number: int
    games: int
    totals: tuple[int, ...]
    serial: int


class Mine(Struct, frozen=True):
    """What one seat sees of its own.

    pack: the fellow wolves' answers of tonight, as they stand. hears: the seats that hear what this one says now.
    homes: its houses once its characters have moved in. treasure: the one that hides it. goal: its goal card.
    """

    seat: int
    alive: bool
    roles: tuple[str, ...]
    facts: tuple[Fact, ...]
    prompts: tuple[Prompt, ...]
    pack: tuple[tuple[int, Answer], ...]
    hears: tuple[int, ...]
    homes: tuple[Home, ...] = ()
    treasure: str = ""
    goal: str = ""


class View(Struct, frozen=True):
    """A game as one seat, or a spectator (`mine` is None), may see it. options: the frozen text."""

    book: str
    options: str
    differs: str
    deck: dict[str, int]
    day: int
    phase: str
    seats: tuple[SeatView, ...]
    sheriff: int
    welcome: int
    sage: int
    suspects: tuple[Option, ...]
    step: StepView | None
    result: Result | None
    mine: Mine | None
    town: TownView | None = None


def view_for(game: Game, seat: int | None) -> View:
    """The game as the seat (from 1) may see it; for None as everybody may."""
    return View(
        book=game.book,
        options=game.options,
        differs=game.differs,
        deck=game.deck,
        day=game.day,
        phase=game.phase,
        seats=tuple(
            SeatView(
                number=s.number,
                alive=s.alive,
                cards=tuple(card.role for card in s.characters if card.shown),
                marks=tuple(mark for mark in s.marks if mark in PUBLIC_MARKS),
                warnings=sum(s.warnings.values()),
                houses=_houses(s) if game.town else (),
                takes_part=game.takes_part(s.number),
            )
            for s in game.seats
        ),
        sheriff=game.offices.get("sheriff", 0),
        welcome=game.offices.get("welcome", 0),
        sage=game.offices.get("sage", 0),
        suspects=game.suspects,
        step=_step(game),
        result=game.over,
        mine=_mine(game, seat) if seat else None,
        town=_town(game),
    )


def _houses(seat: Seat) -> tuple[HouseView, ...]:
    return tuple(HouseView(card.house, card.alive, (card.role,) if card.shown else ()) for card in by_house(seat))


def _town(game: Game) -> TownView | None:
    if game.town is None or MAYOR not in game.offices:
        return None
    town = game.town
    return TownView(
        mayor=mayor(game),
        coins=town.coins,
        bets=town.bets,
        swapped=town.swapped,
        settled=town.settled,
        broom=broom_is_in(game),
        trap=town.trap,
        trapped=town.trapped,
        killed=town.killed,
        number=town.number,
        games=thaw(game.options).match_games,
        totals=town.totals,
        serial=game.serial,
    )


def _step(game: Game) -> StepView | None:
    if not game.agenda or not (step := game.agenda[0]).is_open:
        return None
    return KINDS[step.kind].view(game, step)


def _mine(game: Game, seat: int) -> Mine:
    own = game.seat(seat)
    prompts = tuple(prompt(game, step, ask) for step, ask in open_asks(game) if ask.seat == seat)
    return Mine(
        seat=seat,
        alive=own.alive,
        roles=tuple(card.role for card in own.characters),
        facts=tuple(fact for fact in game.facts if fact.seat == seat),
        prompts=prompts,
        pack=_pack_answers(game, seat),
        hears=_hears(game, seat),
        homes=_homes(own) if game.town and seat in game.town.settled else (),
        treasure=own.treasure,
        goal=game.town.goals[seat - 1] if game.town else "",
    )


def _homes(own: Seat) -> tuple[Home, ...]:
    return tuple(Home(card.house, card.role, card.alive, card.house == own.treasure) for card in by_house(own))


def _hears(game: Game, seat: int) -> tuple[int, ...]:
    """At night the pack hears its own, whoever is called; by day, and of anybody else, nobody hears a thing."""
    pack = camps.pack(game) if game.phase == "night" else ()
    return tuple(other for other in pack if other != seat) if seat in pack else ()


def _pack_answers(game: Game, seat: int) -> tuple[tuple[int, Answer], ...]:
    """What the others of the pack have answered so far, for those who belong to it."""
    if not game.agenda or seat not in camps.pack(game):
        return ()
    step = game.agenda[0]
    return tuple(
        (ask.seat, ask.answer)
        for ask in step.asks
        if ability_of(ask.action).pack and ask.seat != seat and ask.answer is not None and is_open(game, step, ask)
    )
