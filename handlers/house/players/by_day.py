"""What a sensible player answers by day: one function for each action."""

from __future__ import annotations

from handlers.house.players.by_night import Policy
from handlers.house.players.lynching import wanted
from handlers.house.players.mind import Mind
from handlers.house.players.sight import Prompt, Selection

YES: Selection = ("yes",)
PASS: Selection = ()

SHOOTS_FROM = 0.3
EXPLODES_FROM, EXPLODES = 0.85, 0.1
STANDS = 0.3
"""How often somebody without a reason stands for sheriff."""


def lynch(mind: Mind, prompt: Prompt) -> Selection:
    """Whom he wants lynched; where one may not abstain, at least somebody."""
    seat = wanted(mind, prompt.options)
    if seat:
        return (seat,)
    return PASS if prompt.optional else mind.one_of(prompt.options)


def elect(mind: Mind, prompt: Prompt) -> Selection:
    """Somebody he believes; the pack would rather have one of its own."""

    def worth(seat: int) -> float:
        if seat == mind.knows.seat:
            return -0.1
        if seat in mind.knows.pack:
            return 0.4 - mind.exposed.get(seat, 0.0)
        claim = mind.trusted.get(seat, 0.0) if seat in mind.board.claims else 0.0
        return claim - mind.suspected.get(seat, 0.0)

    seat = mind.best(prompt.options, worth, noise=0.3)
    return (seat,) if seat else mind.one_of(prompt.options)


def hand_on(mind: Mind, prompt: Prompt) -> Selection:
    """The badge goes to whom he would elect."""
    return elect(mind, prompt)


def stand(mind: Mind, prompt: Prompt) -> Selection | None:
    """The seer stands, others sometimes. No and silence are the same."""
    if mind.knows.role == "seer" or mind.happens(STANDS):
        return prompt.options[:1]
    return PASS if prompt.optional else prompt.options[-1:]


def stay(_mind: Mind, _prompt: Prompt) -> None:
    """Who stands does not withdraw, who could speak out of turn waits for it."""
    return


def order(mind: Mind, prompt: Prompt) -> Selection:
    """Left or right, as it comes."""
    return mind.one_of(prompt.options)


def shoot(mind: Mind, prompt: Prompt) -> Selection:
    """The most suspicious; nobody if nobody is."""
    among = [seat for seat in prompt.options if seat not in (mind.knows.seat, mind.knows.lover)]
    seat = mind.best(among, lambda s: mind.suspected.get(s, 0.0))
    return (seat,) if seat and mind.suspected.get(seat, 0.0) >= SHOOTS_FROM else PASS


def allow(mind: Mind, prompt: Prompt) -> Selection:
    """The better half of the living may vote: those he suspects least."""
    ranked = sorted(prompt.options, key=lambda s: mind.suspected.get(s, 0.0) if isinstance(s, int) else 1.0)
    count = min(prompt.most, max(prompt.least, (len(ranked) + 1) // 2))
    return tuple(ranked[:count])


def explode(mind: Mind, _prompt: Prompt) -> Selection | None:
    """A wolf whom everybody knows for one takes the day with him, now and then."""
    lost = mind.exposed.get(mind.knows.seat, 0.0) >= EXPLODES_FROM
    return YES if lost and mind.happens(EXPLODES) else None


def done(_mind: Mind, prompt: Prompt) -> Selection:
    """He has said what he had to say."""
    return prompt.options[:1]


POLICIES: dict[str, Policy] = {
    "vote.lynch": lynch,
    "vote.nominate": lynch,
    "vote.verdict": lynch,
    "sheriff.vote": elect,
    "sheriff.pass_badge": hand_on,
    "sheriff.run": stand,
    "sheriff.withdraw": stay,
    "sheriff.order": order,
    "speech.claim": stay,
    "speech.end": done,
    "talk.ready": done,
    "hunter.shoot": shoot,
    "scapegoat.allow": allow,
    "wolf.explode": explode,
}
