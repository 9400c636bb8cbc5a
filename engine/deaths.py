"""Deaths, and what follows from them until nothing follows any more (rulings 7, G24).

Deaths of one moment happen together. Each leaves consequences in the game; they are seen to one by one,
always the first by rank. New deaths add theirs, and it starts again from the top.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from engine import endings, roles
from engine.camps import roles_are_final
from engine.causes import strictest
from engine.departures import leave_office, leave_questions
from engine.events import BadgePassed, CameBack, Death, Denied, DueTaken, Fell, Marked, PowersLost, Struck
from engine.game import Character, Due, Game, Option, Rank, Step
from engine.options import Options, thaw
from engine.play import Play
from engine.powers import brings_the_curse, may_shoot
from engine.rights import PASS_BADGE

_PAUSED_FOR = ("poison", "banish", "guard_and_heal", "wolves", "lynch")
"""The deaths of a night and of a vote (G31)."""

_SHOT = roles.REACTIONS[Rank.SHOT]
_ALLOW = roles.REACTIONS[Rank.ALLOW]


def strike(
    play: Play, causes: Iterable[tuple[Option, str]], occasion: str, by: int = 0, at_once: tuple[int, ...] = ()
) -> None:
    """Let seats die together, or characters by their houses, and publish it.

    The dead among them stay dead, and those that escape alive. at_once: others that die in the same moment of
    causes of their own, and are named apart.
    """
    counts = strictest((whom, cause) for whom, cause in causes if play.game.is_living(whom))
    struck = {whom: cause for whom, cause in counts.items() if not _escapes(play, whom, cause)}
    dead = {whom: cause for whom, cause in struck.items() if isinstance(whom, int)}
    houses = tuple((whom, cause) for whom, cause in struck.items() if isinstance(whom, str))
    shown = {seat: _is_shown(play, seat, cause, occasion) for seat, cause in dead.items()}
    if struck:
        dues = tuple(
            due
            for seat in dead
            for due in _dues(play, seat, dead, shown[seat])
            if not (due.rank == Rank.HEARTBREAK and play.game.lover_of(seat) in at_once)
            and not (due.rank == Rank.SHOT and _has_shot(play.options, occasion))
        )
        play.emit(Struck("nobody", dead, dues, houses))
    if play.options.wolves_win == "sides" and not roles_are_final(play.game):
        for seat in dead:
            play.emit(Marked("nobody", seat, "left_early"))
    if struck or occasion == "night":
        play.emit(Fell("everybody", occasion, _published(play.game, struck, shown), play.game.day, by))
    for seat, cause in dead.items():
        if cause in ("left", "expelled"):
            leave_office(play, seat)
        shooter = roles.ROLES[play.game.seat(seat).role].shoots and not _has_shot(play.options, occasion)
        if shooter and not may_shoot(play.game, seat, cause):
            play.emit(Denied((seat,), seat, _SHOT.action))
    if dead:
        leave_questions(play, tuple(dead))


def come_back(play: Play, seat: int) -> None:
    """Let a seat be back that was away (H31). If it has lost its love meanwhile, its heart breaks now (H10)."""
    play.emit(CameBack("everybody", seat, play.game.seat(seat).role))
    lover = play.game.lover_of(seat)
    if lover and not play.game.is_living(lover):
        due = Due(Rank.HEARTBREAK, lover, play.game.seat(lover).character.cause, play.game.moment)
        play.emit(Struck("nobody", {}, (due,)))


def returning(game: Game) -> tuple[int, ...]:
    """Who comes back at this dawn."""
    return tuple(
        seat.number
        for seat in game.seats
        if not seat.alive and not seat.gone and _returns(game, seat.number, seat.character.cause)
    )


def _returns(game: Game, seat: int, cause: str) -> bool:
    """Say whether this death lasts only until dawn; it breaks no heart."""
    returns = roles.ROLES[game.seat(seat).role].returns
    return returns is not None and returns(game, seat, cause)


def _escapes(play: Play, whom: Option, cause: str) -> bool:
    if isinstance(whom, str):
        return False
    escapes = roles.ROLES[play.game.seat(whom).role].escapes
    return escapes is not None and escapes(play, whom, cause)


def _published(game: Game, dead: Collection[Option], shown: Mapping[int, bool]) -> tuple[Death, ...]:
    """The deaths as everybody sees them; a seat of two characters dies with those that still live.

    shown: the seats whose card is turned over. A single character's never is.
    """
    return tuple(
        Death(seat.number, _card(card, shown.get(seat.number, False)), card.house)
        for seat in game.seats
        for card in sorted(seat.characters, key=lambda card: card.house)
        if card.alive and (seat.number in dead or card.house in dead)
    )


def _has_shot(options: Options, occasion: str) -> bool:
    """Say whether a hunter among these dead has been asked already, in a wave of his own (E26)."""
    return occasion == "night" and options.hunter_shoots_at == "night"


def _card(card: Character, shown: bool) -> str:
    """What a dead card shows: nothing where it stays hidden, unless everybody has seen it before."""
    return card.role if shown or card.shown else ""


def _is_shown(play: Play, seat: int, cause: str, occasion: str) -> bool:
    """Who blows himself up turns his card over, in every book; a lynched hunter does unless he may hide (E27)."""
    options = play.options
    if occasion == "explode" or not options.reveal_on_death:
        return occasion == "explode"
    shoots = may_shoot(play.game, seat, cause)
    return occasion != "lynch" or options.reveal_on_lynch or (shoots and not options.hunter_may_hide)


def _dues(play: Play, seat: int, dead: dict[int, str], shown: bool) -> Iterable[Due]:
    game, options, cause = play.game, play.options, dead[seat]
    lover = game.lover_of(seat)
    if lover and game.is_living(lover) and lover not in dead and not _returns(game, seat, cause):
        yield Due(Rank.HEARTBREAK, seat, cause, game.moment)
    if brings_the_curse(game, seat, cause):
        yield Due(Rank.CURSE, seat, cause, game.moment)
    if cause == "tie":
        yield Due(Rank.ALLOW, seat, cause, game.moment)
    if may_shoot(game, seat, cause) or (not shown and _is_paused_for(game, cause)):
        yield Due(Rank.SHOT, seat, cause, game.moment)
    if game.offices.get("sheriff") == seat:
        yield Due(Rank.BADGE, seat, cause, game.moment)
    if cause in options.last_words and not game.cut_short:
        yield Due(Rank.LAST_WORDS, seat, cause, game.moment)


def _is_paused_for(game: Game, cause: str) -> bool:
    """With hidden cards everybody's death makes a pause: it must not tell who was the hunter, nor the cause."""
    options = thaw(game.options)
    shooting = (shoots for role, cards in game.deck.items() if cards and (shoots := roles.ROLES[role].shoots))
    return any(cause in _PAUSED_FOR or shoots(options, cause) for shoots in shooting)


def settle(play: Play) -> None:
    """See to the open consequences until none is left, somebody must be asked, or the game is over."""
    while not play.game.over:
        game = play.game
        due = min(game.dues, key=lambda due: (due.rank, due.seat), default=None)
        if (due is None or due.rank > Rank.SHOT) and not _shot_is_open(game) and endings.check(play):
            return
        # What somebody is asked waits for the question that is already open; the step behind it comes back here.
        if due is None or (due.rank >= Rank.ALLOW and _is_asking(game)):
            return
        _CONSEQUENCES[due.rank](play, due)


def _shot_is_open(game: Game) -> bool:
    return any(step.kind == "reaction" and step.name == _SHOT.action for step in game.agenda)


def _is_asking(game: Game) -> bool:
    return any(step.kind == "consequences" for step in game.agenda)


def _heartbreak(play: Play, due: Due) -> None:
    play.emit(DueTaken("nobody", due))
    lover = play.game.lover_of(due.seat)
    if lover and play.game.is_living(lover):
        strike(play, [(lover, "heartbreak")], "heartbreak", by=due.seat)


def _curse(play: Play, due: Due) -> None:
    """The village's powers are gone, and with the elder dies who lives by one of them (N15)."""
    play.emit(DueTaken("nobody", due))
    play.emit(PowersLost("nobody", due.seat))
    game = play.game
    falling = [seat for seat in game.living() if roles.ROLES[game.seat(seat).role].falls_with_them(game, seat)]
    if falling:
        strike(play, [(seat, "curse") for seat in falling], "curse", by=due.seat)


def _allow(play: Play, due: Due) -> None:
    """Before he is gone the scapegoat says who may vote tomorrow; one who left is not asked (G6, G25)."""
    play.emit(DueTaken("nobody", due))
    if play.game.living() and not play.game.seat(due.seat).gone:
        play.plan(Step("reaction", name=_ALLOW.action, seats=(due.seat,)), Step("consequences"))


def _shot(play: Play, due: Due) -> None:
    """One pause for all dead of a moment where cards are hidden; else the hunter's own."""
    together = tuple(d for d in play.game.dues if d.rank == Rank.SHOT and d.moment == due.moment)
    for one in together:
        play.emit(DueTaken("nobody", one))
    play.plan(Step("reaction", name=_SHOT.action, seats=tuple(d.seat for d in together)), Step("consequences"))


def _badge(play: Play, due: Due) -> None:
    """A dead sheriff hands the badge on; one who left is not asked (G7, G28, C32)."""
    play.emit(DueTaken("nobody", due))
    living = play.game.living()
    gone = play.game.seat(due.seat).gone
    if not living or (gone and play.options.badge == "may"):
        play.emit(BadgePassed("everybody", due.seat, 0))
    elif gone or len(living) == 1:
        play.emit(BadgePassed("everybody", due.seat, play.pick(living, "badge", due.seat)))
    else:
        play.plan(Step("reaction", name=PASS_BADGE.action, seats=(due.seat,)), Step("consequences"))


def _last_words(play: Play, due: Due) -> None:
    play.emit(DueTaken("nobody", due))
    if play.game.seat(due.seat).gone:
        return
    play.plan(Step("speech", name="last_words", seats=(due.seat,)), Step("consequences"))


_CONSEQUENCES = {
    Rank.HEARTBREAK: _heartbreak,
    Rank.CURSE: _curse,
    Rank.ALLOW: _allow,
    Rank.SHOT: _shot,
    Rank.BADGE: _badge,
    Rank.LAST_WORDS: _last_words,
}
