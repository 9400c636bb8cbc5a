"""The sheet of a seat's questions: what it says of the others of the pack."""

from __future__ import annotations

import asyncio

from engine import view_for
from handlers import buttons
from handlers.wording.keys import KEYS
from tests.handlers.town import town


def test_a_wolf_who_seizes_the_girl_is_no_riddle_to_his_pack() -> None:
    async def play() -> None:
        async with town(10, 4, direct=True, deal=bytes([4]) * 32) as here:
            await here.begin(specials=("witch", "little_girl"), options={"girl_noticed": 1})
            game = here.table().play()
            seats = {seat: view_for(game, seat).mine for seat in range(1, 11)}
            girl = next(seat for seat, mine in seats.items() if mine and mine.roles == ("little_girl",))
            wolf, mate = (seat for seat, mine in seats.items() if mine and mine.roles == ("werewolf",))
            user = {seat: here.table().person(seat).user for seat in (girl, wolf, mate)}
            here.press(user[girl], user[girl], here.newest(user[girl]), buttons.code_of("girl.peek"), buttons.YES)
            await here.deliver()
            asked = here.newest(user[wolf])
            here.press(user[wolf], user[wolf], asked, buttons.code_of("wolves.take_girl"), buttons.YES)
            await here.deliver()
            texts = here.texts(user[mate])
            assert any("小女孩" in text for text in texts)
            assert not [key for key in KEYS for text in texts if "." in key and key in text]
            assert not [text for text in texts if "yes." in text]
            # Nothing is asked of the pack any more: no buttons, no running clock.
            for seat in (wolf, mate):
                messages = here.world.messages(user[seat])
                assert not any(message.get("reply_markup") for message in messages)
                assert not any("⏳" in message["text"] for message in messages)

    asyncio.run(play())
