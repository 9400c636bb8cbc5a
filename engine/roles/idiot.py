"""The idiot: lynched, he turns his card over and lives on without a vote, or leaves and comes back at dawn."""

from __future__ import annotations

from engine import powers
from engine.abilities import Ability, Role, never, only_yes
from engine.events import SpeechClaimed, TurnedOver
from engine.game import Answer, Game
from engine.options import thaw
from engine.play import Play


def _saves(game: Game, seat: int, cause: str, way: str) -> bool:
    """Only the first lynching, and only as long as he has his power (N17, N18)."""
    return (
        cause == "lynch"
        and game.seat(seat).role == ROLE.name
        and thaw(game.options).idiot == way
        and "unvoiced" not in game.seat(seat).marks
        and powers.has_power(game, seat)
    )


def _escapes(play: Play, seat: int, cause: str) -> bool:
    if not _saves(play.game, seat, cause, "stays"):
        return False
    play.emit(TurnedOver("everybody", seat, ROLE.name))
    return True


def _comes_back(game: Game, seat: int, cause: str) -> bool:
    """At the next dawn; a death that does not last breaks no heart."""
    return _saves(game, seat, cause, "returns")


def _is_turned_over(game: Game, seat: int) -> bool:
    """The village has spared him; with its powers that is over (N15)."""
    return "unvoiced" in game.seat(seat).marks


def _claimants(game: Game) -> tuple[int, ...]:
    """Who has come back speaks when he likes: once a round, between two others (H13)."""
    if not any(step.kind == "speech" and step.name == "talk" for step in game.agenda):
        return ()
    back = (seat for seat in game.holders(frozenset({ROLE.name})) if "returned" in game.seat(seat).marks)
    return tuple(seat for seat in back if seat not in game.claimed)


def _round(game: Game) -> int:
    return game.speech_round


def _claims(play: Play, seat: int, _answer: Answer) -> None:
    play.emit(SpeechClaimed("everybody", seat))


CLAIM = Ability(
    action="speech.claim", options=only_yes, optional=never, standing=_claimants, belongs=_round, told=_claims
)

ROLE = Role(
    name="idiot", abilities=(CLAIM,), escapes=_escapes, returns=_comes_back, falls_with_them=_is_turned_over
)
