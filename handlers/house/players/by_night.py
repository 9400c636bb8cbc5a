"""What a sensible player answers by night, and in the setup before it: one function for each action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from handlers.house.players.lynching import must_turn_on_the_pack
from handlers.house.players.mind import Mind
from handlers.house.players.sight import Prompt, Selection

YES: Selection = ("yes",)
PASS: Selection = ()

HEALS = 0.85
"""How often the witch heals somebody of whom she knows nothing."""

POISONS_FROM = 0.7
PEEKS = 0.5
TAKES = ("seer", "witch", "hunter", "guard", "piper", "werewolf", "white_wolf", "elder", "idiot", "scapegoat")
"""What a thief would rather be, best first; anything else is worth a villager."""

_WORTH_KILLING = {"seer": 1.0, "witch": 0.7, "medium": 0.7, "guard": 0.6, "bodyguard": 0.6, "hunter": 0.4}


def kill(mind: Mind, prompt: Prompt) -> Selection:
    """The pack agrees on whom the first of it has named. Whom the village will lynch anyway it leaves alone."""
    knows = mind.knows
    if knows.is_wolf and must_turn_on_the_pack(mind):
        spared = {knows.seat, knows.lover}
    else:
        spared = {knows.seat, knows.lover, *knows.pack}
    targets = [seat for seat in prompt.options if isinstance(seat, int) and seat not in spared]
    if not targets:
        return PASS if prompt.optional else mind.one_of(prompt.options)
    named = Counter(answer[0] for _, answer in view_of_pack(mind) if answer and answer[0] in targets)
    if named:
        return (max(sorted(named, key=str), key=lambda target: named[target]),)
    return (mind.best(targets, lambda seat: _worth_killing(mind, seat), noise=0.5),)


def view_of_pack(mind: Mind) -> tuple[tuple[int, Selection], ...]:
    """What the others of the pack have answered."""
    return mind.view.mine.pack if mind.view.mine else ()


def _worth_killing(mind: Mind, seat: int) -> float:
    role = mind.board.claims.get(seat, "")
    worth = _WORTH_KILLING.get(role, 0.2 if role else 0.0) * mind.believed.get(seat, 0.0)
    worth += 0.3 if seat == mind.view.sheriff else 0.0
    return worth - mind.exposed.get(seat, 0.0) / 2


def check(mind: Mind, prompt: Prompt) -> Selection:
    """Whom the seer does not know yet and suspects most; who has claimed a role nobody disputes can wait."""
    unknown = [
        s for s in prompt.options if isinstance(s, int) and s not in mind.knows.wolf and s != mind.knows.lover
    ]
    seat = mind.best(unknown, lambda s: mind.suspected.get(s, 0.0), noise=0.3)
    return (seat,) if seat else mind.one_of(prompt.options)


def protect(mind: Mind, prompt: Prompt) -> Selection:
    """Who is believed to be the seer, then other claimants, the sheriff, himself; nobody he suspects."""

    def worth(seat: int) -> float:
        if seat == mind.knows.seat:
            return 0.25
        role = mind.board.claims.get(seat, "")
        claim = (1.0 if role == "seer" else 0.4) * mind.trusted.get(seat, 0.0) if role else 0.0
        loved = 0.3 if seat in (mind.knows.lover, mind.view.sheriff) else 0.0
        return claim + loved - mind.suspected.get(seat, 0.0)

    return _seat_or_pass(mind.best(prompt.options, worth, noise=0.3))


def heal(mind: Mind, _prompt: Prompt) -> Selection:
    """Herself always; nobody she takes for a wolf; the others mostly."""
    mine = mind.view.mine
    facts = [fact for fact in mine.facts if fact.what == "attacked" and fact.day == mind.view.day] if mine else []
    victim = facts[-1].about if facts else 0
    if not isinstance(victim, int) or victim == mind.knows.seat or victim == mind.knows.lover:
        return YES
    if mind.suspected.get(victim, 0.0) > 0.6:
        return PASS
    return YES if victim in mind.board.claims or mind.happens(HEALS) else PASS


def poison(mind: Mind, prompt: Prompt) -> Selection:
    """Whom she is all but sure of. Late in the game she is content with less."""
    spared = (mind.knows.seat, mind.knows.lover)
    among = [seat for seat in prompt.options if seat not in spared]
    seat = mind.best(among, lambda s: mind.suspected.get(s, 0.0))
    enough = POISONS_FROM if len(mind.knows.living) > 5 else 0.45
    return (seat,) if seat and mind.suspected.get(seat, 0.0) >= enough else PASS


def link(mind: Mind, prompt: Prompt) -> Selection:
    """Any two: in the first night Cupid knows nothing of anybody."""
    return tuple(mind.chance.sample(prompt.options, prompt.least))


def take(mind: Mind, prompt: Prompt) -> Selection:
    """The better of the two cards, if it is worth more than a villager's."""
    best = min(prompt.options, key=lambda card: TAKES.index(str(card)) if card in TAKES else len(TAKES))
    return (best,) if best in TAKES or not prompt.optional else PASS


def peek(mind: Mind, _prompt: Prompt) -> Selection:
    """The girl looks now and then, and no more once she knows a living wolf."""
    knows_one = any(wolf and seat in mind.knows.living for seat, wolf in mind.knows.wolf.items())
    return YES if not knows_one and mind.happens(PEEKS) else PASS


def seize(mind: Mind, _prompt: Prompt) -> Selection:
    """The girl has seen one of the pack: she goes, unless he loves her."""
    girl = next((seat for seat, role in mind.knows.roles.items() if role == "little_girl"), 0)
    return PASS if girl and girl == mind.knows.lover else YES


def banish(mind: Mind, prompt: Prompt) -> Selection:
    """The white wolf keeps his pack; but whom everybody knows for a wolf he gives up to look better himself."""
    lost = [s for s in prompt.options if isinstance(s, int) and mind.exposed.get(s, 0.0) > 0.95]
    return mind.one_of(lost) if lost and len(mind.knows.pack & set(mind.knows.living)) > 1 else PASS


def enchant(mind: Mind, prompt: Prompt) -> Selection:
    """Those who will live longest: whom neither the village nor the wolves have in mind."""
    left = sorted(
        prompt.options,
        key=lambda s: mind.exposed.get(s, 0.0) + 0.3 * mind.chance.random() if isinstance(s, int) else 0,
    )
    return tuple(left[: prompt.most])


def nominate_by_night(mind: Mind, prompt: Prompt) -> Selection:
    """The owl-man makes whom he suspects most a suspect."""
    among = [seat for seat in prompt.options if seat not in (mind.knows.seat, mind.knows.lover)]
    return _seat_or_pass(mind.best(among, lambda s: mind.suspected.get(s, 0.0)))


def copy(mind: Mind, prompt: Prompt) -> Selection:
    """A believed seer, if there is one; else anybody."""
    seers = [s for s in prompt.options if isinstance(s, int) and mind.board.claims.get(s) == "seer"]
    best = mind.best(seers, lambda seat: mind.trusted.get(seat, 0.0))
    return (best,) if best and mind.trusted[best] > 0.5 else mind.one_of(prompt.options)


def _seat_or_pass(seat: int) -> Selection:
    return (seat,) if seat else PASS


Policy = Callable[[Mind, Prompt], Selection | None]

POLICIES: dict[str, Policy] = {
    "wolves.kill": kill,
    "seer.check": check,
    "guard.protect": protect,
    "bodyguard.protect": protect,
    "witch.heal": heal,
    "witch.poison": poison,
    "cupid.link": link,
    "thief.take": take,
    "girl.peek": peek,
    "wolves.take_girl": seize,
    "white_wolf.banish": banish,
    "piper.enchant": enchant,
    "owl.nominate": nominate_by_night,
    "mythomaniac.copy": copy,
}
