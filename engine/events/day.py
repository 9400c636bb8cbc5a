"""The day: talk, elections, votes, offices."""

from __future__ import annotations

from msgspec import Struct

from engine.events.event import Event
from engine.game import Option


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

    election: if it was an election, whether that is `postponed` to the next day, or the badge `destroyed`; else
    empty.
    """

    election: str


class OfficePassed(Event, frozen=True):
    """The Welcome card (`welcome`) or the Sage's (`sage`) lies with this seat now, or it is `mayor`."""

    office: str
    seat: int


OfTheDay = (
    TalkOpened
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
)
