"""What a seat may do whatever its card: vote, speak, be ready, hand on the sheriff's badge."""

from __future__ import annotations

from engine import suspects
from engine.abilities import Ability, living, never, only_yes
from engine.game import Game, Option
from engine.options import Options, thaw


def candidates(game: Game) -> tuple[int, ...]:
    """Who can be voted for in the open ballot: all who live, or the tied in a run-off."""
    among = game.agenda[0].seats
    return tuple(seat for seat in game.living() if (not among or seat in among) and _votable(game, seat))


def _votable(game: Game, seat: int) -> bool:
    return thaw(game.options).idiot_votable or not _is_unvoiced(game, seat)


def _is_unvoiced(game: Game, seat: int) -> bool:
    return "unvoiced" in game.seat(seat).marks


def voters(game: Game) -> tuple[int, ...]:
    """Who has a vote in the ballot that comes next: a scapegoat may have said who votes this day (N18, N22)."""
    step = game.agenda[0]
    having = tuple(seat for seat in game.living() if not _is_unvoiced(game, seat))
    if step.name != LYNCH.action:
        return having
    if game.allowed_on == game.day:
        having = tuple(seat for seat in having if seat in game.allowed)
    if step.round and thaw(game.options).tie_voters == "untied":
        having = tuple(seat for seat in having if seat not in step.seats)
    return having


def _to_lynch(game: Game, seat: int) -> tuple[Option, ...]:
    """Nobody votes for himself; lovers do not vote for each other, in run-offs neither (C7, C8)."""
    lover = None if thaw(game.options).lovers_may_vote_each_other else game.lover_of(seat)
    return tuple(number for number in candidates(game) if number not in (seat, lover))


def _to_elect(game: Game, _seat: int) -> tuple[Option, ...]:
    return candidates(game)


def _may_abstain_from_lynching(game: Game, seat: int) -> bool:
    """A lover whose only choice is his lover can only abstain (C8), whatever the book says of abstaining."""
    return thaw(game.options).abstain or not _to_lynch(game, seat)


def _may_abstain(game: Game, _seat: int) -> bool:
    return thaw(game.options).abstain


def _may_tear_the_badge(game: Game, _seat: int) -> bool:
    return thaw(game.options).badge == "may"


def _to_nominate(game: Game, seat: int) -> tuple[Option, ...]:
    """Nobody names himself (L4); where houses are named, one's own may be."""
    return tuple(option for option in suspects.candidates(game) if option != seat)


def _to_judge(game: Game, _seat: int) -> tuple[Option, ...]:
    return game.suspects


def _ballots(game: Game, seat: int) -> int:
    """Who has several ballots gives an answer for each, or one for all (B-23)."""
    return min(suspects.trial(game).ballots(game, seat), len(game.suspects))


LYNCH = Ability(action="vote.lynch", options=_to_lynch, optional=_may_abstain_from_lynching)
ELECT = Ability(action="sheriff.vote", options=_to_elect, optional=_may_abstain)
NOMINATE = Ability(action="vote.nominate", options=_to_nominate)
VERDICT = Ability(action="vote.verdict", options=_to_judge, most=_ballots, optional=_may_abstain)
PASS_BADGE = Ability(action="sheriff.pass_badge", options=living, optional=_may_tear_the_badge)
END_SPEECH = Ability(action="speech.end", options=only_yes, optional=never)
READY = Ability(action="talk.ready", options=only_yes, optional=never)

_BALLOTS = (LYNCH, ELECT, NOMINATE, VERDICT)

RIGHTS: dict[str, Ability] = {ability.action: ability for ability in (*_BALLOTS, PASS_BADGE, END_SPEECH, READY)}


def is_ballot(action: str) -> bool:
    """Say whether it is a vote, which everybody sees being given."""
    return any(action == ability.action for ability in _BALLOTS)


def is_public(options: Options, action: str) -> bool:
    """Say whether everybody sees a vote as it falls. Suspects are always named in public."""
    return is_ballot(action) and (options.ballots == "open" or action == NOMINATE.action)


def ballot_weight(game: Game, action: str, seat: int) -> float:
    """What the seat's ballot counts: the sheriff's more, when it is about a lynching (C26)."""
    if action == VERDICT.action:
        return suspects.trial(game).ballots(game, seat)
    if action == LYNCH.action and game.offices.get("sheriff") == seat:
        return thaw(game.options).sheriff_weight
    return 1
