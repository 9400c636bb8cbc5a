"""Sentences that no event makes: what the table's people and its clock have done."""

from __future__ import annotations

from handlers import names
from handlers.record import Notice
from handlers.wording.scribe import Scribe


def notice(scribe: Scribe, effect: Notice) -> str:
    """The sentence of a notice. Only what its key takes is put in."""
    return scribe.say(
        f"notice.{effect.code}",
        seat=scribe.mention(effect.about) if effect.about else "",
        seats=scribe.say("list.and").join(scribe.mention(seat) for seat in effect.seats),
        number=effect.number,
        by=scribe.paper.escape(names.clean(effect.by) or "–"),
    )
