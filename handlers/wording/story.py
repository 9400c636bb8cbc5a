"""The story of a finished game, told from its chronicle: night by night, day by day, in the order of the book."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import Event, Fact, Fate
from engine import events as e
from handlers.wording.scribe import Scribe

THIEF, CUPID, GUARD, SEER, WOLVES, GIRL, BANISH, OWL, WITCH, PIPER, HUNTER, COPY, REST = range(13)
"""The order in which the deeds of a night are told, whenever they were done."""


def story(scribe: Scribe, chronicle: Sequence[Event]) -> str:
    """A paragraph for each night and each day; nothing for a game that is not over."""
    ended = next((event for event in chronicle if isinstance(event, e.Ended)), None)
    if ended is None:
        return ""
    teller = _Teller(scribe, ended.result.fates)
    for event in chronicle:
        teller.tell(event)
    teller.close()
    return "\n".join(teller.paragraphs)


class _Teller:
    """Tells one event after the other, and knows by then who lives and what the night has brought so far."""

    def __init__(self, scribe: Scribe, fates: Sequence[Fate]) -> None:
        self.scribe = scribe
        self.fates = {fate.seat: fate for fate in fates}
        self.paragraphs: list[str] = []
        self.living = set(self.fates)
        self.potions = 2
        self.day = 0
        self.is_night = False
        self.deeds: list[tuple[int, str]] = []
        self.centre: tuple[Fact, ...] = ()
        self.attacked = 0
        self.noticed = False

    def tell(self, event: Event) -> None:
        """Go on with an event."""
        told = _DEEDS.get(type(event))
        if told is not None:
            told(self, event)

    def add(self, rank: int, key: str, **variables: object) -> None:
        """Add a sentence to the running night or day. By day things are told as they came."""
        sentence = self.scribe.say(f"story.{key}", **variables)
        self.deeds.append((rank if self.is_night else REST, sentence))

    def seat(self, seat: int) -> str:
        """A seat in short."""
        return self.scribe.paper.escape(self.scribe.label(seat))

    def option(self, option: int | str) -> str:
        """A seat or a house in short."""
        return self.scribe.paper.escape(self.scribe.on_a_button(option))

    def seats(self, seats: Sequence[int]) -> str:
        """Several seats in short."""
        return self.scribe.say("list.and").join(self.seat(seat) for seat in seats)

    def fate(self, seat: int) -> str:
        """What became of a seat."""
        return self.scribe.say(f"fate.{self.fates[seat].fate}")

    def close(self) -> None:
        """Finish the paragraph, if anything has happened in it."""
        if self.deeds:
            key = "story.night" if self.is_night else "story.day"
            ranked = sorted(self.deeds, key=lambda deed: deed[0])
            told = self.scribe.say("story.then").join(sentence for _, sentence in ranked)
            self.paragraphs.append(self.scribe.say(key, day=self.day, deeds=told))
        self.deeds = []

    # The night -------------------------------------------------------------------------------------------

    def night_fell(self, event: e.NightFell) -> None:
        """A new paragraph."""
        self.close()
        self.day, self.is_night, self.attacked, self.noticed = event.day, True, 0, False

    def told(self, event: e.Told) -> None:
        """The thief has seen the centre, the seer a card, the girl a wolf, the pack the girl."""
        if event.occasion == "thief.centre":
            self.centre = event.facts
        elif event.occasion == "seer.check":
            for fact in event.facts:
                about = self.seat(int(fact.about))
                self.add(SEER, "check", seat=self.seat(event.seat), target=about, result=self._seen(fact.what))
        elif event.occasion == "girl.peek":
            for fact in event.facts:
                self.add(GIRL, "peek", seat=self.seat(event.seat), target=self.seat(int(fact.about)))
        elif event.occasion == "girl.noticed" and not self.noticed:
            self.noticed = True
            self.add(GIRL, "noticed")

    def _seen(self, what: str) -> str:
        key = f"story.{what}" if what in ("wolf", "not_wolf") else f"role.{what}"
        return self.scribe.say(key)

    def became(self, event: e.Became) -> None:
        """The thief has taken a card, or is a villager; later the mythomaniac has become what he copied."""
        role = self.scribe.say(f"role.{event.role}")
        if not self.centre:
            self.add(COPY, "became", seat=self.seat(event.seat), role=role)
            return
        cards = self.scribe.say("list.and").join(self.scribe.say(f"role.{fact.what}") for fact in self.centre)
        self.add(THIEF, "thief", seat=self.seat(event.seat), cards=cards, role=role)
        self.centre = ()

    def linked(self, event: e.Linked) -> None:
        """Cupid has chosen."""
        first, second = event.lovers
        self.add(CUPID, "link", first=self.seat(first), second=self.seat(second))

    def attack(self, event: e.Attacked) -> None:
        """The pack has chosen."""
        self.attacked = event.seat
        self.add(WOLVES, "kill", target=self.seat(event.seat))

    def taken(self, event: e.GirlTaken) -> None:
        """The pack has chosen the girl."""
        self.attacked = event.seat
        self.add(GIRL, "taken", seat=self.seat(event.seat))

    def gathered(self, event: e.Gathered) -> None:
        """Guard and witch have chosen."""
        for intent in event.intents:
            seat = self.seat(intent.seat)
            named = [self.option(option) for option in intent.answer]
            match intent.action:
                case "guard.protect":
                    self.add(GUARD, "guard", seat=seat, target=named[0])
                case "bodyguard.protect":
                    self.add(GUARD, "bodyguard", seat=seat, target=named[0])
                case "wolf.kill":
                    self.attacked = intent.seat
                    self.add(WOLVES, "claw", target=named[0])
                case "thief.look":
                    self.add(SEER, "look", seat=seat, target=named[0])
                case "white_wolf.banish":
                    self.add(BANISH, "banish", seat=seat, target=named[0])
                case "hunter.shoot":
                    self.add(HUNTER, "hunter", seat=seat, target=named[0])
                case "owl.nominate":
                    self.add(OWL, "owl", seat=seat, target=named[0])
                case "mythomaniac.copy":
                    self.add(COPY, "copy", seat=seat, target=named[0])
                case "witch.heal":
                    self.potions -= 1
                    self.add(WITCH, "heal", seat=seat, target=self.seat(self.attacked))
                case "witch.poison":
                    self.potions -= 1
                    self.add(WITCH, "poison", seat=seat, target=named[0])

    def _idle(self) -> None:
        """Who could have done something tonight and has not, now that the night is over."""
        done = {rank for rank, _ in self.deeds}
        for rank, role, key in ((GUARD, "guard", "guard.none"), (SEER, "seer", "check.none")):
            for seat in self._holders(role):
                if rank not in done:
                    self.add(rank, key, seat=self.seat(seat))
        if not self.attacked:
            self.add(WOLVES, "kill.none")
        for seat in self._holders("witch"):
            if WITCH not in done and self.potions:
                self.add(WITCH, "potions.none", seat=self.seat(seat))

    def _holders(self, role: str) -> list[int]:
        return [seat for seat in sorted(self.living) if role in self.fates[seat].roles]

    def enchanted(self, event: e.Enchanted) -> None:
        """The piper has chosen."""
        self.add(PIPER, "enchant", seats=self.seats(event.seats))

    def wounded(self, event: e.Wounded) -> None:
        """An elder has lived through an attack."""
        self.add(REST, "wounded", seat=self.seat(event.seat))

    def turned_over(self, event: e.TurnedOver) -> None:
        """An idiot was to be lynched."""
        self.add(REST, "turned_over", seat=self.seat(event.seat))

    def came_back(self, event: e.CameBack) -> None:
        """An idiot is back."""
        self.add(REST, "came_back", seat=self.seat(event.seat))
        self.living.add(event.seat)

    def powers_lost(self, event: e.PowersLost) -> None:
        """The elder's curse."""
        self.add(REST, "powers_lost", seat=self.seat(event.elder))

    # Deaths ----------------------------------------------------------------------------------------------

    def fell(self, event: e.Fell) -> None:
        """Deaths were made public: those of a night together, others one by one."""
        dead = [death.seat for death in event.deaths]
        houses = [death.house for death in event.deaths if death.house]
        if event.occasion == "night":
            self._idle()
            named = [self.scribe.say("story.fate", seat=self.seat(seat), fate=self.fate(seat)) for seat in dead]
            named = [self.option(house) for house in houses] or named
            if named:
                self.add(REST, "dawn", deaths=self.scribe.say("list.and").join(named))
            else:
                self.add(REST, "dawn.nobody")
            self.close()
            self.is_night = False
        elif event.occasion != "lynch":
            by = self.seat(event.by) if event.by else ""
            for seat in dead:
                self.add(REST, event.occasion, seat=self.seat(seat), by=by)
        self.living -= set(dead)

    def held_fire(self, event: e.HeldFire) -> None:
        """The hunter, where it was seen who he was, has not shot."""
        if event.seat:
            self.add(REST, "shot.none", seat=self.seat(event.seat))

    # The day ---------------------------------------------------------------------------------------------

    def ballot(self, event: e.BallotClosed) -> None:
        """A lynching with its count, or a tie."""
        if event.action == "vote.verdict":
            self.verdict(event)
            return
        tied = [int(seat) for seat in event.leaders]
        count = ":".join(f"{weight:g}" for _, weight in event.count)
        if not tied:
            self.add(REST, "no_votes")
        elif len(tied) == 1:
            self.add(REST, "lynch", seat=self.seat(tied[0]), count=count)
        else:
            self.add(REST, "tied.again" if event.again else "tied", seats=self.seats(tied), count=count)

    def verdict(self, event: e.BallotClosed) -> None:
        """Who of the suspects was executed."""
        if event.leaders:
            count = ":".join(f"{weight:g}" for _, weight in event.count)
            self.add(REST, "verdict", seat=self.option(event.leaders[0]), count=count)
        else:
            self.add(REST, "no_votes")

    def elected(self, event: e.SheriffElected) -> None:
        """A sheriff, or none."""
        if event.seat:
            self.add(REST, "sheriff", seat=self.seat(event.seat))
        else:
            self.add(REST, "sheriff.none")

    def cut_short(self, event: e.CutShort) -> None:
        """A self-destruct has ended the day."""
        if event.election:
            self.add(REST, f"cut_short.{event.election}")

    def bet(self, event: e.BetPlaced) -> None:
        """A coin on whom somebody takes for the wolf."""
        self.add(REST, "bet", seat=self.seat(event.seat), on=self.seat(event.on), coin=event.coin)

    def swapped(self, event: e.GoalSwapped) -> None:
        """A goal was changed."""
        self.add(REST, "swapped", seat=self.seat(event.seat))

    def used(self, event: e.PrivilegeUsed) -> None:
        """The mayor has used a privilege."""
        self.add(REST, event.action, target=self.seat(event.target))

    def trap_set(self, event: e.TrapSet) -> None:
        """The trap lies on a house."""
        self.add(THIEF, "trap_set", house=self.option(event.house))

    def trap_used(self, _event: e.TrapUsed) -> None:
        """The trap lies over the claw."""
        self.add(WITCH, "trap_used")

    def badge(self, event: e.BadgePassed) -> None:
        """The badge has gone to an heir, or for good."""
        if event.to:
            self.add(REST, "badge", seat=self.seat(event.seat), heir=self.seat(event.to))
        else:
            self.add(REST, "badge.torn", seat=self.seat(event.seat))

    def warned(self, event: e.Warned) -> None:
        """A warning."""
        self.add(REST, "warned", seat=self.seat(event.seat), count=event.count)


_DEEDS: dict[type[Event], Callable[[_Teller, Any], None]] = {
    e.NightFell: _Teller.night_fell,
    e.Told: _Teller.told,
    e.Became: _Teller.became,
    e.Linked: _Teller.linked,
    e.Attacked: _Teller.attack,
    e.GirlTaken: _Teller.taken,
    e.Gathered: _Teller.gathered,
    e.Enchanted: _Teller.enchanted,
    e.Wounded: _Teller.wounded,
    e.TurnedOver: _Teller.turned_over,
    e.CameBack: _Teller.came_back,
    e.PowersLost: _Teller.powers_lost,
    e.Fell: _Teller.fell,
    e.HeldFire: _Teller.held_fire,
    e.BallotClosed: _Teller.ballot,
    e.SheriffElected: _Teller.elected,
    e.BadgePassed: _Teller.badge,
    e.CutShort: _Teller.cut_short,
    e.BetPlaced: _Teller.bet,
    e.GoalSwapped: _Teller.swapped,
    e.PrivilegeUsed: _Teller.used,
    e.TrapSet: _Teller.trap_set,
    e.TrapUsed: _Teller.trap_used,
    e.Warned: _Teller.warned,
}
"""What the story makes of an event; of all others nothing."""
