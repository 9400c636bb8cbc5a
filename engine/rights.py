"""What a seat may do whatever its card: vote, speak, be ready, stand for sheriff, hand on his badge."""

from __future__ import annotations

from engine import suspects
from engine.abilities import Ability, living, never, only_yes
from engine.burghers import BURGHERS
from engine.events import BadgePassed, Withdrew
from engine.game import Answer, Ask, Game, Intent, Option, Step, seats_in
from engine.options import Options, thaw
from engine.play import Play


def candidates(game: Game) -> tuple[int, ...]:
    """Who can be voted for in the open ballot: all who live, or the tied in a run-off."""
    among = game.agenda[0].seats
    votable = thaw(game.options).idiot_votable
    return tuple(
        [
            seat
            for seat in game.living()
            if (not among or seat in among) and (votable or not _is_unvoiced(game, seat))
        ]
    )


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


def _why_not_lynch(game: Game, seat: int, option: Option) -> str:
    return "lover" if option == game.lover_of(seat) else "not_listed"


def _to_elect(game: Game, _seat: int) -> tuple[Option, ...]:
    return candidates(game)


def _may_abstain_from_lynching(game: Game, seat: int) -> bool:
    """A lover whose only choice is his lover can only abstain (C8), whatever the book says of abstaining."""
    return thaw(game.options).abstain or not _to_lynch(game, seat)


def _may_abstain(game: Game, _seat: int) -> bool:
    return thaw(game.options).abstain


def _may_tear_the_badge(game: Game, _seat: int) -> bool:
    return thaw(game.options).badge == "may"


def _passes_the_badge(play: Play, intents: tuple[Intent, ...]) -> None:
    for intent in intents:
        heir = next(iter(seats_in(intent.answer)), 0)
        if not heir and play.options.badge == "must":
            heir = play.pick(play.game.living(), "badge", intent.seat)
        play.emit(BadgePassed("everybody", intent.seat, heir))


def _to_nominate(game: Game, seat: int) -> tuple[Option, ...]:
    """Nobody names himself (L4); where houses are named, one's own may be."""
    return tuple(option for option in suspects.candidates(game) if option != seat)


def _to_judge(game: Game, _seat: int) -> tuple[Option, ...]:
    return game.suspects


def _ballots(game: Game, seat: int) -> int:
    """Who has several ballots gives an answer for each, or one for all (B-23)."""
    return min(suspects.trial(game).ballots(game, seat), len(game.suspects))


def running(game: Game) -> tuple[int, ...]:
    """Who stands in the ballot to come, as long as candidates speak before it."""
    coming = _coming(game)
    seats = coming.seats if coming else ()
    return tuple(seat for seat in seats if seat in game.election.standing and game.is_living(seat))


def _coming(game: Game) -> Step | None:
    return next((step for step in game.agenda if step.kind == "election"), None)


def has_the_floor(game: Game, step: Step, seat: int) -> bool:
    """Say whether a speech is still to be heard: a candidate's while there are several (E2, E4)."""
    if step.name != "candidacy":
        return True
    among = running(game)
    return seat in among and len(among) > 1


def _speaks(game: Game, step: Step, ask: Ask) -> bool:
    return has_the_floor(game, step, ask.seat)


def _may_withdraw(game: Game) -> tuple[int, ...]:
    """Until the vote: not while the tied speak once more."""
    coming = _coming(game)
    return running(game) if coming and not coming.round else ()


def _withdraws(play: Play, seat: int, _answer: Answer) -> None:
    play.emit(Withdrew("everybody", seat))


def _candidacy(game: Game) -> int:
    return game.election.serial


def _sides(_game: Game, _seat: int) -> tuple[Option, ...]:
    return ("left", "right")


LYNCH = Ability(
    action="vote.lynch", options=_to_lynch, unlisted=_why_not_lynch, optional=_may_abstain_from_lynching
)
ELECT = Ability(action="sheriff.vote", options=_to_elect, optional=_may_abstain)
NOMINATE = Ability(action="vote.nominate", options=_to_nominate)
VERDICT = Ability(action="vote.verdict", options=_to_judge, most=_ballots, optional=_may_abstain)
PASS_BADGE = Ability(
    action="sheriff.pass_badge",
    options=living,
    optional=_may_tear_the_badge,
    seconds=lambda options: options.badge_s,
    settle=_passes_the_badge,
)
END_SPEECH = Ability(action="speech.end", options=only_yes, optional=never, open=_speaks)
READY = Ability(action="talk.ready", options=only_yes, optional=never)
RUN = Ability(action="sheriff.run", options=only_yes)
WITHDRAW = Ability(
    action="sheriff.withdraw",
    options=only_yes,
    optional=never,
    standing=_may_withdraw,
    belongs=_candidacy,
    told=_withdraws,
)
ORDER = Ability(action="sheriff.order", options=_sides, optional=never)

_BALLOTS = (LYNCH, ELECT, NOMINATE, VERDICT)

RIGHTS: dict[str, Ability] = {
    ability.action: ability
    for ability in (*_BALLOTS, PASS_BADGE, END_SPEECH, READY, RUN, WITHDRAW, ORDER, *BURGHERS)
}


def is_ballot(action: str) -> bool:
    """Say whether it is a vote, which everybody sees being given."""
    return any(action == ability.action for ability in _BALLOTS)


def is_public(options: Options, action: str) -> bool:
    """Say whether everybody sees a vote as it falls. Suspects are always named in public."""
    return is_ballot(action) and (options.ballots == "open" or action == NOMINATE.action)


def ballot_weight(game: Game, ballot: Step, seat: int) -> float:
    """What the seat's ballot counts: the sheriff's more, when it is about a lynching (C26, E17)."""
    if ballot.name == VERDICT.action:
        return suspects.trial(game).ballots(game, seat)
    if ballot.name == LYNCH.action and game.offices.get("sheriff") == seat:
        options = thaw(game.options)
        return options.sheriff_weight_at_three if ballot.among <= 3 else options.sheriff_weight
    return 1
