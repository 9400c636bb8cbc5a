"""What the group reads after something came between: a leave at night, more time in a ballot, a failure."""

from __future__ import annotations

import asyncio

from engine import view_for
from infra.ports import Item
from tests.handlers.stores import Wrapped
from tests.handlers.test_presses import at_a_ballot, vote
from tests.handlers.town import Town, public, say, town


def plain_villager(here: Town) -> int:
    """A seat that holds no call, so that its leaving closes nothing."""
    game = here.table().play()
    seats = range(1, len(here.table().people) + 1)
    return next(s for s in seats if (mine := view_for(game, s).mine) and mine.roles == ("villager",))


def test_the_calls_after_a_leave_at_night_are_still_shown() -> None:
    async def play() -> None:
        async with town(8, 2, direct=True, deal=bytes([2]) * 32) as here:
            await here.begin()
            user = here.table().person(plain_villager(here)).user
            here.world.leave_group(user, here.group)
            await here.deliver()
            assert public(here).phase == "night"
            # The message that was followed tells the open calls as open: they are not over.
            nights = [text for text in here.texts(here.group) if say("night", day=1) in text]
            wolves = say("night.calls", calls=f"{say('call.seer')}{say('list.and')}{say('call.wolves')}")
            assert len(nights) == 1
            assert wolves in nights[0]
            assert "⏳" not in nights[0]
            assert "⏳" in here.newest(here.group)["text"]
            await here.pass_time(60.0)
            step = public(here).step
            assert step is not None
            assert step.calls == ("witch",)
            newest = here.newest(here.group)["text"]
            assert say("night.calls", calls=say("call.witch")) in newest
            assert "⏳" in newest

    asyncio.run(play())


def test_the_counter_goes_on_under_the_message_that_gives_more_time() -> None:
    async def play() -> None:
        async with at_a_ballot() as here:
            here.world.say(here.members[0], here.group, f"/extend@{here.world.bot.username} 60")
            await here.deliver()
            assert say("extended", seconds=60) in here.newest(here.group)["text"]
            step = public(here).step
            assert step is not None
            vote(here, step.voters[0], step.candidates[0])
            await here.pass_time(61.0)
            newest = here.newest(here.group)["text"]
            assert say("ballot.counter", count=1, voters=len(step.voters), seats=step.voters[0]) in newest
            assert say("extended", seconds=60) in newest

    asyncio.run(play())


class NoPointer(Wrapped):
    """The first time that a chat is to be told of its table, it cannot be."""

    failed = False

    def put(self, item: Item) -> Item | None:
        if item.sort == "CHAT" and not self.failed:
            self.failed = True
            raise ConnectionError
        return super().put(item)


def test_a_lobby_of_which_no_chat_knows_says_nothing() -> None:
    """The command came again and opened another one; only that one is ever heard of."""

    async def play() -> None:
        async with town(2, 2, NoPointer, direct=True) as here:
            here.world.say(here.members[0], here.group, f"/newgame@{here.world.bot.username}")
            await here.deliver()
            assert [answer.status for answer in here.answers[-1:]] == [200]
            await here.pass_time(26 * 60.0)
            assert here.texts(here.group).count(say("notice.lobby_closes", number=5)) == 1

    asyncio.run(play())
