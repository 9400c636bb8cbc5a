"""Where houses are named instead of seats: a house is its owner's, and whom one suspects is a seat."""

from __future__ import annotations

from handlers.house.players.by_night import Policy
from handlers.house.players.mind import Mind
from handlers.house.players.sight import Prompt, Selection, owner_of

SWAPS, BETS, SETS_A_TRAP = 0.3, 0.25, 0.5


def of_others(mind: Mind, prompt: Prompt) -> Selection:
    """Somebody else's house: his whom the seat suspects most; its own only where it must."""
    others = [option for option in prompt.options if owner_of(option) not in (0, mind.knows.seat)]
    if not others:
        return () if prompt.optional else _some(mind, prompt)
    worth = {option: mind.suspected.get(owner_of(option), 0.0) + 0.2 * mind.chance.random() for option in others}
    return (max(others, key=worth.__getitem__),)


def kill(mind: Mind, prompt: Prompt) -> Selection:
    """The wolf kills in others' houses, whoever they are."""
    return mind.one_of(
        [option for option in prompt.options if owner_of(option) != mind.knows.seat] or prompt.options
    )


def bet(mind: Mind, prompt: Prompt) -> Selection:
    """On some day he puts his coin on whom he suspects most."""
    if prompt.optional and not mind.happens(BETS):
        return ()
    seat = mind.best(prompt.options, lambda s: mind.suspected.get(s, 0.0), noise=0.2)
    return (seat,) if seat else _some(mind, prompt)


def swap(mind: Mind, prompt: Prompt) -> Selection:
    """Another goal, sometimes."""
    return prompt.options[:1] if mind.happens(SWAPS) else ()


def set_trap(mind: Mind, prompt: Prompt) -> Selection:
    """A trap on his own house, or on nobody's."""
    own = [option for option in prompt.options if owner_of(option) == mind.knows.seat]
    return mind.one_of(own) if own and mind.happens(SETS_A_TRAP) else ()


def _some(mind: Mind, prompt: Prompt) -> Selection:
    return tuple(mind.chance.sample(prompt.options, prompt.least))


POLICIES: dict[str, Policy] = {
    "wolf.kill": kill,
    "bet.place": bet,
    "goal.swap": swap,
    "trap.set": set_trap,
}
