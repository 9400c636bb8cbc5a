"""What a dead seat is still asked: the scapegoat's voters, the hunter's shot, the sheriff's badge."""

from __future__ import annotations

from engine import deaths, dice
from engine.events import BadgePassed, CardShown, Denied, HeldFire, ReactionOpened, VotersNamed
from engine.game import Answer, Ask, Call, Step, seats_in
from engine.play import Play
from engine.powers import has_power
from engine.rights import PASS_BADGE
from engine.roles.hunter import SHOOT, may_shoot
from engine.roles.scapegoat import ALLOW
from engine.steps.kind import StepKind, answer_for_the_silent, begin, end, prompt_privately


def _open(play: Play, step: Step) -> None:
    if step.name == SHOOT.action:
        _open_shot(play, step)
        return
    seconds = play.options.vote_s if step.name == ALLOW.action else play.options.badge_s
    opened = begin(play, step, seconds, tuple(Ask(seat, step.name) for seat in step.seats))
    play.emit(ReactionOpened("everybody", opened.serial, step.name, step.seats, opened.deadline))
    prompt_privately(play, opened)


def _open_shot(play: Play, step: Step) -> None:
    """With hidden cards nobody learns from the pause whether a hunter is among the dead (G31).

    Nor whether he has lost his power: the call is made, and only he is told (ruling 3, N17).
    """
    game = play.game
    hunters = tuple(seat for seat in step.seats if _shoots(play, seat))
    asks = tuple(Ask(seat, step.name) for seat in hunters if has_power(game, seat))
    for seat in hunters:
        if not has_power(game, seat):
            play.emit(Denied((seat,), seat, step.name))
    low, high = play.options.absent_call_s
    lasts = dice.between(low, high, game.seed, game.day, f"absent.{step.name}", step.seats[0])
    call = Call(step.name, play.now + min(lasts, play.options.shot_s), held=bool(asks))
    opened = begin(play, step, play.options.shot_s, asks, (call,))
    known = hunters if _is_known(play, hunters) else ()
    play.emit(ReactionOpened("everybody", opened.serial, step.name, known, opened.deadline))
    prompt_privately(play, opened)


def _shoots(play: Play, seat: int) -> bool:
    card = play.game.seat(seat).character
    return card.role == "hunter" and may_shoot(play.options, card.cause) and not play.game.seat(seat).gone


def _is_known(play: Play, hunters: tuple[int, ...]) -> bool:
    return any(play.game.seat(seat).character.shown for seat in hunters)


def _close(play: Play, step: Step) -> None:
    answer_for_the_silent(play, step)
    answers = {ask.seat: ask.answer or () for ask in play.game.agenda[0].asks}
    end(play)
    if step.name == ALLOW.action:
        _allow(play, step.seats[0], answers.get(step.seats[0], ()))
    elif step.name == PASS_BADGE.action:
        _pass_badge(play, step.seats[0], answers.get(step.seats[0], ()))
    else:
        _shoot(play, step.seats, answers)


def _shoot(play: Play, seats: tuple[int, ...], answers: dict[int, Answer]) -> None:
    shots = [(seat, target) for seat, answer in answers.items() for target in seats_in(answer)]
    for hunter, target in shots:
        _show(play, hunter)
        deaths.strike(play, [(target, "shot")], "shot", by=hunter)
    if not shots:
        hunters = tuple(seat for seat in seats if _shoots(play, seat))
        play.emit(HeldFire("everybody", hunters[0] if _is_known(play, hunters) else 0))


def _allow(play: Play, scapegoat: int, answer: Answer) -> None:
    """Who has left, or was silent, forbids nobody to vote (G6, H26)."""
    living = play.game.living()
    voters = seats_in(answer) or living
    barred = tuple(seat for seat in living if seat not in voters)
    play.emit(VotersNamed("everybody", scapegoat, voters, barred, play.game.day + 1))


def _show(play: Play, hunter: int) -> None:
    """Who shoots shows his card, if those of the dead are shown and his was not (H25)."""
    card = play.game.seat(hunter).character
    if play.options.reveal_on_death and not card.shown:
        play.emit(CardShown("everybody", hunter, card.role))


def _pass_badge(play: Play, sheriff: int, answer: Answer) -> None:
    heir = next(iter(seats_in(answer)), 0)
    if not heir and play.options.badge == "must":
        heir = play.pick(play.game.living(), "badge", sheriff)
    play.emit(BadgePassed("everybody", sheriff, heir))


REACTION = StepKind(_open, _close)
