"""What happened, in the past tense. Each event names its audience when it is built; there is no default.

Two sorts stand side by side: news, which somebody may hear, and the book-keeping that rebuilds the state,
which nobody hears. Some are both.
"""

from __future__ import annotations

from msgspec import Struct

from engine.audience import Audience
from engine.game import Answer, Call, Due, Fact, Intent, Option, Result, Seat, Step, Town


class Event(Struct, frozen=True, tag=True, omit_defaults=True):
    """Something that happened, and who may know of it."""

    audience: Audience


# The table ---------------------------------------------------------------------------------------------


class Begun(Event, frozen=True):
    """The deal, as only the engine knows it."""

    book: str
    options: str
    differs: str
    seed: str
    deck: dict[str, int]
    seats: tuple[Seat, ...]
    centre: tuple[str, ...]
    agenda: tuple[Step, ...]
    offices: dict[str, int] = {}
    town: Town | None = None
    serial: int = 0


class Started(Event, frozen=True):
    """A game has started: its public deck, the options that differ from the book, the hash of its deal.

    `seating`: at index k-1 the joiner (from 1) who sits on seat k (option `shuffle_seats`).
    """

    book: str
    seats: int
    deck: dict[str, int]
    differs: str
    fingerprint: str
    seating: tuple[int, ...]


class CardDealt(Event, frozen=True):
    """A seat was dealt its cards."""

    seat: int
    cards: tuple[str, ...]


class HomeDealt(Event, frozen=True):
    """A seat learns which of its houses hides its treasure, and its goal."""

    seat: int
    treasure: str
    goal: str


class Ended(Event, frozen=True):
    """The game is over; with the seed and the written-down line, whoever likes can check the deal."""

    result: Result
    days: int
    seed: str
    line: str


# The agenda --------------------------------------------------------------------------------------------


class Planned(Event, frozen=True):
    """Steps were put in front of the agenda; the step that was open waits since `at`."""

    steps: tuple[Step, ...]
    at: float


class Opened(Event, frozen=True):
    """The first step of the agenda began."""

    step: Step


class Closed(Event, frozen=True):
    """The first step of the agenda is done with."""

    serial: int


class Resumed(Event, frozen=True):
    """The step that had waited goes on; its clock stood still meanwhile."""

    serial: int
    shift: float
    deadline: float


class CallEnded(Event, frozen=True):
    """A call that nobody could answer has lasted long enough."""

    name: str


# Prompts -----------------------------------------------------------------------------------------------


class Prompted(Event, frozen=True):
    """A seat is asked in private; that it is asked at all, others may have heard by another event."""

    seat: int
    actions: tuple[str, ...]
    serial: int


class Asked(Event, frozen=True):
    """A question was added to the open step."""

    seats: tuple[int, ...]
    action: str


class Answered(Event, frozen=True):
    """A seat answered. `final`: it cannot be changed. `by_chance`: drawn at the deadline."""

    seat: int
    action: str
    answer: Answer
    final: bool = False
    by_chance: bool = False


class Expired(Event, frozen=True):
    """A question's own time was up before its step's."""

    seat: int
    action: str


class Voided(Event, frozen=True):
    """An answer no longer counts because it named somebody who has gone (G2); the question is open again."""

    seat: int
    action: str
    serial: int


class AsksDropped(Event, frozen=True):
    """Seats that are no longer in the game are asked nothing any more in a step; these of its calls go on."""

    seats: tuple[int, ...]
    serial: int
    open_calls: tuple[Call, ...]


class Gone(Event, frozen=True):
    """Somebody who was dead already has left: he is asked nothing any more (G6)."""

    seat: int


class Told(Event, frozen=True):
    """A seat was told something in private; no facts: that there is nothing to tell."""

    seat: int
    occasion: str
    facts: tuple[Fact, ...]


class Reminded(Event, frozen=True):
    """A seat is reminded of a rule about what it is being asked."""

    seat: int
    action: str


class Denied(Event, frozen=True):
    """A seat is reminded that it may not do what it would otherwise be asked for."""

    seat: int
    action: str


# The night ---------------------------------------------------------------------------------------------


class NightFell(Event, frozen=True):
    """Night `day` began."""

    day: int


class WaveOpened(Event, frozen=True):
    """These roles of the public deck are called, whether or not anybody holds them.

    counted: the call lasts to its deadline, whoever answers (the Sage counts).
    """

    serial: int
    calls: tuple[str, ...]
    deadline: float
    counted: bool = False


class Gathered(Event, frozen=True):
    """A wave closed; this is what its seats want to happen."""

    intents: tuple[Intent, ...]


class Attacked(Event, frozen=True):
    """Whom the pack attacks tonight; 0 for nobody."""

    seat: int


class GirlTaken(Event, frozen=True):
    """The pack has seized the little girl instead of its other target."""

    seat: int


class Became(Event, frozen=True):
    """A seat plays another role from now on."""

    seat: int
    role: str
    tokens: dict[str, int]


class Marked(Event, frozen=True):
    """A seat is in a condition from now on."""

    seat: int
    mark: str


class Unmarked(Event, frozen=True):
    """A seat is no longer in a condition."""

    seat: int
    mark: str


class Enchanted(Event, frozen=True):
    """Seats have been enchanted."""

    seats: tuple[int, ...]


class Linked(Event, frozen=True):
    """Two seats fell in love."""

    lovers: tuple[int, int]


class Spent(Event, frozen=True):
    """A seat has used up something it had."""

    seat: int
    token: str


class PowerGone(Event, frozen=True):
    """A seat is called in the night, and told that its power is gone (ruling 3)."""

    seat: int
    call: str


# Deaths ------------------------------------------------------------------------------------------------


class Death(Struct, frozen=True, omit_defaults=True):
    """A dead seat as the public sees it, or one of its characters, by its `house`.

    `card`: the role turned over, empty where it stays hidden.
    """

    seat: int
    card: str = ""
    house: str = ""


class Struck(Event, frozen=True):
    """Seats, or characters by their `houses`, are to die, each of its cause; and what that will lead to."""

    causes: dict[int, str]
    dues: tuple[Due, ...]
    houses: tuple[tuple[str, str], ...] = ()


class Fell(Event, frozen=True):
    """Deaths were made public: of the `night`, or by a cause that everybody sees.

    Those are `lynch`, `tie`, `shot`, `heartbreak`, `curse`, `explode`, `left`, `expelled`.

    What killed in the night is not said. `by`: the seat that shot, that was loved, or whose death is the curse.
    """

    occasion: str
    deaths: tuple[Death, ...]
    day: int
    by: int = 0


class CameBack(Event, frozen=True):
    """A seat that was lynched is back at dawn, for good; it votes no more. `card`: what it showed."""

    seat: int
    card: str


class Wounded(Event, frozen=True):
    """An attack has cost a seat lives; so many are left."""

    seat: int
    lives: int


class TurnedOver(Event, frozen=True):
    """Instead of dying a seat has turned its card over; it votes no more."""

    seat: int
    card: str


class CardShown(Event, frozen=True):
    """A seat whose card had stayed hidden showed it."""

    seat: int
    card: str


class PowersLost(Event, frozen=True):
    """The roles of the village have lost their powers for good; `elder`: by whose death."""

    elder: int


class VotersNamed(Event, frozen=True):
    """A scapegoat has said who may vote tomorrow, on this `day`; if he was silent: all who live.

    barred: the others who live.
    """

    seat: int
    voters: tuple[int, ...]
    barred: tuple[int, ...]
    day: int


class DueTaken(Event, frozen=True):
    """A consequence is being seen to."""

    due: Due


# The day -----------------------------------------------------------------------------------------------


class TalkOpened(Event, frozen=True):
    """Everybody may talk."""

    serial: int
    deadline: float


class RoundOpened(Event, frozen=True):
    """A round of speeches begins at this seat."""

    start: int
    order: tuple[int, ...]


class SpeechClaimed(Event, frozen=True):
    """A seat that has no turn of its own will speak after the present speaker."""

    seat: int


class SpeechOpened(Event, frozen=True):
    """A seat has the floor; `after` speak next, in this order. `name`: candidacy, talk, defence, last_words."""

    serial: int
    name: str
    seat: int
    after: tuple[int, ...]
    deadline: float


class BallotOpened(Event, frozen=True):
    """A ballot is open; `round` counts the run-offs before it. `public`: votes are shown as they fall."""

    serial: int
    action: str
    voters: tuple[int, ...]
    candidates: tuple[int, ...]
    round: int
    public: bool
    deadline: float


class NobodyVotes(Event, frozen=True):
    """There is no ballot: nobody who lives may vote."""

    action: str


class Voted(Event, frozen=True):
    """A seat has given its ballot, or said whether it stands for sheriff; what, this does not tell."""

    seat: int
    action: str
    serial: int


class Ready(Event, frozen=True):
    """A seat has nothing more to say, or has moved in: it is not waited for any more."""

    seat: int
    serial: int


class Vote(Struct, frozen=True):
    """One seat's ballot as it counted. `choice`: None for an abstention."""

    seat: int
    choice: Option | None
    weight: float


class BallotClosed(Event, frozen=True):
    """A ballot's result, or a verdict's: every vote, the count in falling order, and who leads it.

    Of several leaders of a verdict the first is executed; of a ballot they are tied, and it may be held `again`.
    """

    serial: int
    action: str
    round: int
    votes: tuple[Vote, ...]
    count: tuple[tuple[Option, float], ...]
    leaders: tuple[Option, ...]
    again: bool


class NominationOpened(Event, frozen=True):
    """Who shall be a suspect: `seats` name somebody now, in public, `after` when it is their turn, in this order.

    round: from 0, where a book has several.
    """

    serial: int
    seats: tuple[int, ...]
    after: tuple[int, ...]
    candidates: tuple[Option, ...]
    round: int
    deadline: float


class Nominated(Event, frozen=True):
    """A turn of the nomination, or all at once, is over: whom each of these seats named, None for nobody."""

    serial: int
    round: int
    votes: tuple[Vote, ...]


class NomineeShown(Event, frozen=True):
    """Who will be a suspect whatever the votes, where that is told before the nomination (`owl_announced`)."""

    nominee: Option


class SuspectsNamed(Event, frozen=True):
    """The nomination is over: its suspects – none, and nobody is executed –, and its count in falling order.

    nominee: the suspect that stands for another reason than its votes (the owl-man's), None where there is none.
    """

    suspects: tuple[Option, ...]
    count: tuple[tuple[Option, float], ...]
    nominee: Option | None


class SuspectsReplaced(Event, frozen=True):
    """Suspects have left the game; these are the suspects now (L12)."""

    gone: tuple[Option, ...]
    suspects: tuple[Option, ...]


class VerdictOpened(Event, frozen=True):
    """The suspects have defended themselves; one of them is executed. It closes with `BallotClosed`."""

    serial: int
    voters: tuple[int, ...]
    suspects: tuple[Option, ...]
    public: bool
    deadline: float


class ReactionOpened(Event, frozen=True):
    """Somebody who died may still do something, or might (G31): `seats` are those who may be meant."""

    serial: int
    action: str
    seats: tuple[int, ...]
    deadline: float


class HeldFire(Event, frozen=True):
    """No shot was fired; `seat`: the hunter, 0 where nobody shall know whether there was one."""

    seat: int


class OrderOpened(Event, frozen=True):
    """The sheriff is asked on which side of his the round of speeches begins."""

    serial: int
    seat: int
    deadline: float


class CandidacyOpened(Event, frozen=True):
    """These seats are asked whether they stand for sheriff."""

    serial: int
    seats: tuple[int, ...]
    deadline: float


class CandidatesNamed(Event, frozen=True):
    """These seats stand for sheriff. `serial`: of the step in which they came forward."""

    serial: int
    seats: tuple[int, ...]


class Withdrew(Event, frozen=True):
    """A seat stands for sheriff no longer."""

    seat: int


class SheriffElected(Event, frozen=True):
    """The election is over; `seat`: the sheriff, 0 for nobody. `weight`: what his ballot will count."""

    seat: int
    weight: float


class BadgePassed(Event, frozen=True):
    """A dead sheriff's badge was handed on; `to`: 0 when the office is gone."""

    seat: int
    to: int


class CutShort(Event, frozen=True):
    """A self-destruct has ended the day: what would have come before nightfall is void.

    serials: of the steps that had begun and are void now. election: if it was an election, whether that is
    `postponed` to the next day, or the badge `destroyed`; else empty.
    """

    serials: tuple[int, ...]
    election: str


class OfficePassed(Event, frozen=True):
    """The Welcome card (`welcome`) or the Sage's (`sage`) lies with this seat now, or it is `mayor`."""

    office: str
    seat: int


# The houses --------------------------------------------------------------------------------------------


class PlacingOpened(Event, frozen=True):
    """These seats place their characters in their houses."""

    serial: int
    seats: tuple[int, ...]
    deadline: float


class Placed(Event, frozen=True):
    """A seat's characters have moved in: the first card in house a, the second in house b."""

    seat: int
    cards: tuple[str, str]


class TurnOpened(Event, frozen=True):
    """It is a seat's turn to do something that it may also leave undone; `after` may do it next, in this order."""

    serial: int
    action: str
    seat: int
    after: tuple[int, ...]
    deadline: float


class GoalSwapped(Event, frozen=True):
    """A seat has changed its goal for another of the pile."""

    seat: int


class GoalDrawn(Event, frozen=True):
    """The goal that a seat drew."""

    seat: int
    goal: str


class PrivilegeOpened(Event, frozen=True):
    """The mayor may use his privileges; `broom`: that of the broom too."""

    serial: int
    seat: int
    broom: bool
    deadline: float


class PrivilegeUsed(Event, frozen=True):
    """The mayor used a privilege on another seat: he peeks or inspects there, or hands it the broom (B-18)."""

    action: str
    seat: int
    target: int


class BroomLeft(Event, frozen=True):
    """The broom has left the game."""


class BetPlaced(Event, frozen=True):
    """A seat has put a coin on the seat it takes for the wolf."""

    seat: int
    on: int
    coin: int


class TrapSet(Event, frozen=True):
    """The mayor has put the trap on a house for this night."""

    house: str


class TrapUsed(Event, frozen=True):
    """The thief has laid the trap over the claw: nobody was killed, and the trap has left the game."""


# The table's commands ----------------------------------------------------------------------------------


class Extended(Event, frozen=True):
    """The open step has more time."""

    serial: int
    seconds: int
    deadline: float


class Skipped(Event, frozen=True):
    """The open step was ended by the table's authority."""

    serial: int


class Warned(Event, frozen=True):
    """A seat was warned, for the `count`-th time."""

    seat: int
    kind: str
    count: int


class DrawOffered(Event, frozen=True):
    """Nobody has died for so many days and nights that the host may call it a draw (G36)."""

    days: int


AnyEvent = (
    Begun
    | Started
    | CardDealt
    | HomeDealt
    | Ended
    | Planned
    | Opened
    | Closed
    | Resumed
    | CallEnded
    | Prompted
    | Asked
    | Answered
    | Expired
    | Voided
    | AsksDropped
    | Gone
    | Told
    | Reminded
    | Denied
    | NightFell
    | WaveOpened
    | Gathered
    | Attacked
    | GirlTaken
    | Became
    | Marked
    | Unmarked
    | Enchanted
    | Linked
    | Spent
    | PowerGone
    | Struck
    | Fell
    | CameBack
    | Wounded
    | TurnedOver
    | PowersLost
    | VotersNamed
    | CardShown
    | DueTaken
    | TalkOpened
    | RoundOpened
    | SpeechClaimed
    | SpeechOpened
    | BallotOpened
    | NobodyVotes
    | Voted
    | Ready
    | BallotClosed
    | NominationOpened
    | Nominated
    | NomineeShown
    | SuspectsNamed
    | SuspectsReplaced
    | VerdictOpened
    | ReactionOpened
    | HeldFire
    | OrderOpened
    | CandidacyOpened
    | CandidatesNamed
    | Withdrew
    | SheriffElected
    | BadgePassed
    | CutShort
    | OfficePassed
    | PlacingOpened
    | Placed
    | TurnOpened
    | GoalSwapped
    | GoalDrawn
    | PrivilegeOpened
    | PrivilegeUsed
    | BroomLeft
    | BetPlaced
    | TrapSet
    | TrapUsed
    | Extended
    | Skipped
    | Warned
    | DrawOffered
)
"""Every kind of event, for reading them back."""
