"""Who hears of what: the kinds of event by their audience, each of which has been thought about (law 5)."""

from __future__ import annotations

from engine import Event
from engine import events as e

KINDS = {
    kind for kind in vars(e).values() if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
}
"""Every kind of event that there is."""

NEWS_FOR_ALL = {
    "Started",
    "Ended",
    "Resumed",
    "NightFell",
    "WaveOpened",
    "Fell",
    "TalkOpened",
    "RoundOpened",
    "SpeechOpened",
    "BallotOpened",
    "Voted",
    "Ready",
    "BallotClosed",
    "ReactionOpened",
    "HeldFire",
    "SheriffElected",
    "BadgePassed",
    "Extended",
    "Skipped",
    "Warned",
    "DrawOffered",
    "TurnedOver",
    "VotersNamed",
    "NobodyVotes",
    "CameBack",
    "SpeechClaimed",
    "CardShown",
    "OrderOpened",
    "CandidacyOpened",
    "CandidatesNamed",
    "Withdrew",
    "CutShort",
    "NominationOpened",
    "Nominated",
    "SuspectsNamed",
    "SuspectsReplaced",
    "VerdictOpened",
    "NomineeShown",
    "OfficePassed",
    "PlacingOpened",
    "MayorNamed",
    "TurnOpened",
    "GoalSwapped",
    "PrivilegeOpened",
    "PrivilegeUsed",
    "BroomLeft",
    "BetPlaced",
    "TrapSet",
    "TrapUsed",
}
NEWS_FOR_ONE = {
    "CardDealt",
    "Prompted",
    "Expired",
    "Voided",
    "Told",
    "Denied",
    "Became",
    "PowerGone",
    "Reminded",
    "HomeDealt",
    "Placed",
    "GoalDrawn",
}
NEWS_FOR_NOBODY = {
    "Begun",
    "Planned",
    "Opened",
    "Closed",
    "Resumed",
    "CallEnded",
    "Asked",
    "AsksDropped",
    "Gone",
    "Gathered",
    "Attacked",
    "GirlTaken",
    "Linked",
    "Spent",
    "Struck",
    "DueTaken",
    "Enchanted",
    "Wounded",
    "PowersLost",
    "SidesSettled",
}
AS_IT_COMES = {"Answered", "Marked", "Unmarked"}
"""Who hears it depends on what it is about."""
