"""The only place that makes a Game out of a Game: what each event changes. Events alone rebuild the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from engine import events as e
from engine.game import Ask, Bet, Character, Game, Rank, Seat, Step, owner_of
from engine.houses import town_of


def evolve(game: Game | None, event: e.Event) -> Game:
    """The game after an event. The first event of a game is `Begun`; only it takes no game before it."""
    if game is None:
        if not isinstance(event, e.Begun):
            raise ValueError("a game begins with Begun")
        return Game(
            book=event.book,
            options=event.options,
            differs=event.differs,
            seed=event.seed,
            deck=event.deck,
            seats=event.seats,
            centre=event.centre,
            agenda=event.agenda,
            offices=event.offices,
            town=event.town,
            serial=event.serial,
        )
    change = _CHANGES.get(type(event))
    return game if change is None else change(game, event)


def replay(events: Iterable[e.Event]) -> Game:
    """The game that these events, from the first one on, lead to."""
    game: Game | None = None
    for event in events:
        game = evolve(game, event)
    if game is None:
        raise ValueError("no events")
    return game


def _top(game: Game, step: Step) -> Game:
    return replace(game, agenda=(step, *game.agenda[1:]))


def _seats(game: Game, changed: dict[int, Seat]) -> tuple[Seat, ...]:
    return tuple(changed.get(seat.number, seat) for seat in game.seats)


def _cards(seat: Seat, house: str = "", **changes: Any) -> Seat:
    """The seat with all of its living cards changed alike, or with the one in a house."""
    return replace(
        seat,
        characters=tuple(
            replace(card, **changes) if card.alive and house in ("", card.house) else card
            for card in seat.characters
        ),
    )


def _town(game: Game, **changes: Any) -> Game:
    """The game with something changed on its table."""
    return replace(game, town=replace(town_of(game), **changes))


def _ended(game: Game, event: e.Ended) -> Game:
    seats = game.seats
    if event.result.turned_over:
        seats = tuple(
            replace(
                seat,
                characters=tuple(
                    replace(card, shown=True) if card.house in event.result.turned_over else card
                    for card in seat.characters
                ),
            )
            for seat in game.seats
        )
    return replace(game, seats=seats, over=event.result, phase="over", agenda=(), dues=())


def _planned(game: Game, event: e.Planned) -> Game:
    rest = game.agenda
    if rest and rest[0].is_open and rest[0].paused is None:
        rest = (replace(rest[0], paused=event.at), *rest[1:])
    return replace(game, agenda=(*event.steps, *rest))


def _opened(game: Game, event: e.Opened) -> Game:
    step = event.step
    phase = step.phase or game.phase
    return replace(
        game,
        agenda=(step, *game.agenda[1:]),
        serial=max(game.serial, step.serial),
        phase=phase,
        morning=game.morning or (0 if phase == "night" else step.serial),
    )


def _closed(game: Game, _event: e.Closed) -> Game:
    return replace(game, agenda=game.agenda[1:])


def _resumed(game: Game, event: e.Resumed) -> Game:
    step = game.agenda[0]
    calls = tuple(replace(call, ends=call.ends + event.shift) for call in step.open_calls)
    return _top(game, replace(step, paused=None, deadline=event.deadline, open_calls=calls))


def _call_ended(game: Game, event: e.CallEnded) -> Game:
    step = game.agenda[0]
    return _top(game, replace(step, open_calls=tuple(call for call in step.open_calls if call.name != event.name)))


def _asked(game: Game, event: e.Asked) -> Game:
    step = game.agenda[0]
    return _top(game, replace(step, asks=step.asks + tuple(Ask(seat, event.action) for seat in event.seats)))


def _with_answer(step: Step, seat: int, action: str, ask: Ask) -> Step:
    return replace(
        step,
        asks=tuple([ask if old.seat == seat and old.action == action else old for old in step.asks]),
    )


def _answered(game: Game, event: e.Answered) -> Game:
    ask = Ask(event.seat, event.action, event.answer, event.final, given=True)
    return _top(game, _with_answer(game.agenda[0], event.seat, event.action, ask))


def _expired(game: Game, event: e.Expired) -> Game:
    ask = Ask(event.seat, event.action, None, done=True)
    return _top(game, _with_answer(game.agenda[0], event.seat, event.action, ask))


def _voided(game: Game, event: e.Voided) -> Game:
    ask = Ask(event.seat, event.action, given=True)
    return replace(
        game,
        agenda=tuple(
            _with_answer(step, event.seat, event.action, ask) if step.serial == event.serial else step
            for step in game.agenda
        ),
    )


def _asks_dropped(game: Game, event: e.AsksDropped) -> Game:
    def without(step: Step) -> Step:
        if step.serial != event.serial:
            return step
        asks = tuple(ask for ask in step.asks if ask.seat not in event.seats)
        return replace(step, asks=asks, open_calls=event.open_calls)

    return replace(game, agenda=tuple(without(step) for step in game.agenda))


def _gone(game: Game, event: e.Gone) -> Game:
    seat = game.seat(event.seat)
    return replace(game, seats=_seats(game, {seat.number: replace(seat, marks=(*seat.marks, "gone"))}))


def _told(game: Game, event: e.Told) -> Game:
    return replace(game, facts=game.facts + event.facts) if event.facts else game


def _night_fell(game: Game, event: e.NightFell) -> Game:
    return replace(
        game,
        day=event.day,
        phase="night",
        last_night=game.intents,
        intents=(),
        attack=0,
        taken=0,
        night_dead=(),
        named=(),
        suspects=(),
        morning=0,
        cut_short=False,
        quiet=game.quiet + 1,
    )


def _gathered(game: Game, event: e.Gathered) -> Game:
    return replace(game, intents=game.intents + event.intents)


def _attacked(game: Game, event: e.Attacked) -> Game:
    return replace(game, attack=event.seat)


def _girl_taken(game: Game, event: e.GirlTaken) -> Game:
    return replace(game, taken=event.seat)


def _became(game: Game, event: e.Became) -> Game:
    seat = _cards(game.seat(event.seat), role=event.role, tokens=event.tokens)
    return replace(game, seats=_seats(game, {seat.number: seat}))


def _marked(game: Game, event: e.Marked) -> Game:
    seat = game.seat(event.seat)
    return replace(game, seats=_seats(game, {seat.number: replace(seat, marks=(*seat.marks, event.mark))}))


def _unmarked(game: Game, event: e.Unmarked) -> Game:
    seat = game.seat(event.seat)
    marks = tuple(mark for mark in seat.marks if mark != event.mark)
    return replace(game, seats=_seats(game, {seat.number: replace(seat, marks=marks)}))


def _enchanted(game: Game, event: e.Enchanted) -> Game:
    seats = (game.seat(number) for number in event.seats)
    changed = {seat.number: replace(seat, marks=(*seat.marks, "enchanted")) for seat in seats}
    return replace(game, seats=_seats(game, changed))


def _linked(game: Game, event: e.Linked) -> Game:
    return replace(game, lovers=event.lovers)


def _spent(game: Game, event: e.Spent) -> Game:
    def spend(card: Character) -> Character:
        left = card.tokens.get(event.token, 0)
        return replace(card, tokens={**card.tokens, event.token: left - 1}) if left else card

    seat = game.seat(event.seat)
    seat = replace(seat, characters=tuple(spend(card) for card in seat.characters))
    return replace(game, seats=_seats(game, {seat.number: seat}))


def _struck(game: Game, event: e.Struck) -> Game:
    changed = {number: _cards(game.seat(number), cause=cause) for number, cause in event.causes.items()}
    for house, cause in event.houses:
        owner = owner_of(house)
        changed[owner] = _cards(changed.get(owner, game.seat(owner)), house, cause=cause)
    return replace(game, seats=_seats(game, changed), dues=game.dues + event.dues, moment=game.moment + 1)


def _fell(game: Game, event: e.Fell) -> Game:
    changed: dict[int, Seat] = {}
    for death in event.deaths:
        seat = changed.get(death.seat, game.seat(death.seat))
        changed[death.seat] = _cards(seat, death.house, alive=False, shown=bool(death.card))
    seats = _seats(game, changed) if changed else game.seats
    game = replace(game, seats=seats, quiet=0 if changed else game.quiet)
    if event.occasion == "lynch":
        return replace(game, executed=next(iter(changed), 0))
    if event.occasion != "night":
        return game
    if game.town:
        # What was not used comes back to the mayor (B-4).
        game = _town(game, killed=next((death.house for death in event.deaths), ""), trapped="")
    return replace(game, night_dead=tuple(changed), executed=0, phase="dawn")


def _came_back(game: Game, event: e.CameBack) -> Game:
    seat = game.seat(event.seat)
    cards = tuple(replace(card, alive=True, cause="", shown=True) for card in seat.characters)
    back = replace(seat, characters=cards, marks=(*seat.marks, "unvoiced", "returned"))
    return replace(game, seats=_seats(game, {seat.number: back}))


def _wounded(game: Game, event: e.Wounded) -> Game:
    seat = game.seat(event.seat)
    tokens = {**seat.character.tokens, "life": event.lives}
    return replace(game, seats=_seats(game, {seat.number: _cards(seat, tokens=tokens)}))


def _turned_over(game: Game, event: e.TurnedOver) -> Game:
    seat = _cards(game.seat(event.seat), shown=True)
    return replace(game, seats=_seats(game, {seat.number: replace(seat, marks=(*seat.marks, "unvoiced"))}))


def _powers_lost(game: Game, _event: e.PowersLost) -> Game:
    return replace(game, cursed=True)


def _voters_named(game: Game, event: e.VotersNamed) -> Game:
    return replace(game, allowed=event.voters, allowed_on=event.day)


def _card_shown(game: Game, event: e.CardShown) -> Game:
    seat = game.seat(event.seat)
    cards = tuple(replace(card, shown=True) for card in seat.characters)
    return replace(game, seats=_seats(game, {seat.number: replace(seat, characters=cards)}))


def _due_taken(game: Game, event: e.DueTaken) -> Game:
    return replace(game, dues=tuple(due for due in game.dues if due != event.due))


def _round_opened(game: Game, event: e.RoundOpened) -> Game:
    return replace(game, speech_start=event.start, speech_round=game.serial + 1, claimed=())


def _speech_claimed(game: Game, event: e.SpeechClaimed) -> Game:
    present = next(i for i, step in enumerate(game.agenda) if step.kind == "speech" and step.name == "talk")
    speech = Step("speech", name="talk", phase=game.agenda[present].phase, seats=(event.seat,))
    agenda = (*game.agenda[: present + 1], speech, *game.agenda[present + 1 :])
    return replace(game, agenda=agenda, claimed=(*game.claimed, event.seat))


def _nominated(game: Game, event: e.Nominated) -> Game:
    named = tuple((vote.seat, vote.choice) for vote in event.votes if vote.choice is not None)
    return replace(game, named=game.named + named)


def _ballot_closed(game: Game, event: e.BallotClosed) -> Game:
    """After the verdict nobody is suspected any more."""
    return replace(game, suspects=()) if event.action == "vote.verdict" else game


def _suspects_named(game: Game, event: e.SuspectsNamed | e.SuspectsReplaced) -> Game:
    return replace(game, suspects=event.suspects)


def _candidates_named(game: Game, event: e.CandidatesNamed) -> Game:
    return replace(game, election=replace(game.election, serial=event.serial, standing=event.seats))


def _withdrew(game: Game, event: e.Withdrew) -> Game:
    standing = tuple(seat for seat in game.election.standing if seat != event.seat)
    return replace(game, election=replace(game.election, standing=standing))


def _sheriff_elected(game: Game, event: e.SheriffElected) -> Game:
    offices = {"sheriff": event.seat} if event.seat else game.offices
    return replace(game, offices=offices, election=replace(game.election, standing=(), over=True))


def _badge_passed(game: Game, event: e.BadgePassed) -> Game:
    return replace(game, offices={"sheriff": event.to} if event.to else {})


def _cut_short(game: Game, event: e.CutShort) -> Game:
    """What is left of the day is what the dead are still asked: no last words, no speeches, no ballots."""
    election = game.election
    if event.election:
        over = event.election == "destroyed"
        election = replace(election, standing=(), broken=election.broken + 1, over=over)
    return replace(
        game,
        agenda=tuple(step for step in game.agenda if step.kind in ("reaction", "consequences", "nightfall")),
        dues=tuple(due for due in game.dues if due.rank < Rank.LAST_WORDS),
        election=election,
        cut_short=True,
    )


def _office_passed(game: Game, event: e.OfficePassed) -> Game:
    return replace(game, offices={**game.offices, event.office: event.seat})


def _placed(game: Game, event: e.Placed) -> Game:
    seat = game.seat(event.seat)
    first, second = sorted(seat.characters, key=lambda card: event.cards.index(card.role))
    homes = {first.role: f"{seat.number}a", second.role: f"{seat.number}b"}
    alike = first.role == second.role
    characters = tuple(replace(card, house=card.house if alike else homes[card.role]) for card in seat.characters)
    game = replace(game, seats=_seats(game, {seat.number: replace(seat, characters=characters)}))
    return _town(game, settled=(*town_of(game).settled, event.seat))


def _goal_drawn(game: Game, event: e.GoalDrawn) -> Game:
    """The card was drawn before the old one went back (B-14)."""
    town = town_of(game)
    pile = list(town.pile)
    pile.remove(event.goal)
    pile.append(town.goals[event.seat - 1])
    goals = (*town.goals[: event.seat - 1], event.goal, *town.goals[event.seat :])
    return _town(game, goals=goals, pile=tuple(sorted(pile)), swapped=(*town.swapped, event.seat))


def _broom_left(game: Game, _event: e.BroomLeft) -> Game:
    return _town(game, broom=False)


def _bet_placed(game: Game, event: e.BetPlaced) -> Game:
    town = town_of(game)
    return _town(game, bets=(*town.bets, Bet(event.seat, event.on, event.coin)), coins=town.coins[1:])


def _trap_set(game: Game, event: e.TrapSet) -> Game:
    return _town(game, trapped=event.house)


def _trap_used(game: Game, _event: e.TrapUsed) -> Game:
    return _town(game, trap=False, trapped="")


def _extended(game: Game, event: e.Extended) -> Game:
    return _top(game, replace(game.agenda[0], deadline=event.deadline))


def _warned(game: Game, event: e.Warned) -> Game:
    seat = game.seat(event.seat)
    warnings = {**seat.warnings, event.kind: seat.warnings.get(event.kind, 0) + 1}
    return replace(game, seats=_seats(game, {seat.number: replace(seat, warnings=warnings)}))


_CHANGES: dict[type[e.Event], Callable[[Game, Any], Game]] = {
    e.Ended: _ended,
    e.Planned: _planned,
    e.Opened: _opened,
    e.Closed: _closed,
    e.Resumed: _resumed,
    e.CallEnded: _call_ended,
    e.Asked: _asked,
    e.Answered: _answered,
    e.Expired: _expired,
    e.Voided: _voided,
    e.AsksDropped: _asks_dropped,
    e.Gone: _gone,
    e.Told: _told,
    e.NightFell: _night_fell,
    e.Gathered: _gathered,
    e.Attacked: _attacked,
    e.GirlTaken: _girl_taken,
    e.Became: _became,
    e.Marked: _marked,
    e.Unmarked: _unmarked,
    e.Enchanted: _enchanted,
    e.Linked: _linked,
    e.Spent: _spent,
    e.Struck: _struck,
    e.Fell: _fell,
    e.CameBack: _came_back,
    e.Wounded: _wounded,
    e.TurnedOver: _turned_over,
    e.PowersLost: _powers_lost,
    e.VotersNamed: _voters_named,
    e.DueTaken: _due_taken,
    e.RoundOpened: _round_opened,
    e.BallotClosed: _ballot_closed,
    e.Nominated: _nominated,
    e.SuspectsNamed: _suspects_named,
    e.SuspectsReplaced: _suspects_named,
    e.CardShown: _card_shown,
    e.CandidatesNamed: _candidates_named,
    e.Withdrew: _withdrew,
    e.SpeechClaimed: _speech_claimed,
    e.SheriffElected: _sheriff_elected,
    e.BadgePassed: _badge_passed,
    e.CutShort: _cut_short,
    e.OfficePassed: _office_passed,
    e.Placed: _placed,
    e.GoalDrawn: _goal_drawn,
    e.BroomLeft: _broom_left,
    e.BetPlaced: _bet_placed,
    e.TrapSet: _trap_set,
    e.TrapUsed: _trap_used,
    e.Extended: _extended,
    e.Warned: _warned,
}
"""What is not in this table is news only."""
