"""Whole games through the webhook door: everything in is an update, everything out a call over HTTP."""

from __future__ import annotations

import asyncio

import pytest

from tests.handlers.town import town


@pytest.mark.parametrize(("members", "seed"), [(8, 1), (8, 2), (18, 3)])
def test_a_game_from_newgame_to_the_reveal(members: int, seed: int) -> None:
    async def play() -> None:
        async with town(members, seed) as here:
            await here.begin()
            here.house_plays()
            await here.play()
            texts = here.texts(here.group)
            assert sum("对局开始" in text for text in texts) == 1
            assert sum(text.startswith("🏁") for text in texts) == 1
            # The last word names every seat's role, and nobody's card was in the group before he died.
            assert all(f"{seat} " in texts[-1] for seat in range(1, members + 1))
            assert all(call.error is None for call in here.world.calls)
            for member in here.members:
                cards = [text for text in here.texts(member) if "你是" in text and "同局" in text]
                assert len(cards) == 1

    asyncio.run(play())
