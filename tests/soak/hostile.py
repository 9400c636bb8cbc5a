"""What comes to the door and is no honest update: broken, old, of somebody else. Nothing may come of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from handlers import buttons
from handlers.record import SORT, key_of
from handlers.telegram.desk import Answer
from handlers.wiring import Moderator
from infra.ports import Item
from tests.soak.functions import Invocation
from tests.soak.game import FIRST_USER, GROUP, SECRET, TOKEN, World, _watched
from tests.soak.weather import Case

HEADERS = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
STRANGERS = (1, -1, 136817688, 777000, 1087968824, 2**52, FIRST_USER + 900)
CODES = (
    *buttons.OF_THE_LOBBY,
    *buttons.OPENING,
    *buttons.OF_THE_RULES,
    *("v", "e", "r", "c", "vf", "ex", "la", "61d5", "9f51", "4128", "zzzz", ""),
)


class Target:
    """A game in the middle, at whose door anything may be put."""

    def __init__(self) -> None:
        self.world = World(Case("classic", 8, 1))
        with _watched(self.world):
            self.world.begin()
            self.world.until(lambda: len(self.world.journal.commands) > 12)
        self.table = self.world.journal.table
        assert self.table is not None
        self.bot: Moderator = self.world._boot()
        self.reads = 0

    def row(self) -> Item | None:
        """The table as it is stored."""
        assert self.table is not None
        return self.world.store.get(key_of(self.table.id), SORT)

    def knock(self, body: bytes, headers: Mapping[str, str] = HEADERS) -> Answer:
        """Put something at the door. Time stands still meanwhile."""
        work = self.bot.door.handle(headers, body)
        run = Invocation(0, self.bot, 1, self.world.time.now(), work, lambda _: None)
        functions = self.world.functions
        with _watched(self.world):
            while True:
                functions.current = run
                try:
                    work.send(None)
                except StopIteration as end:
                    answer: Answer = end.value
                    return answer
                finally:
                    functions.current = None


def check(target: Target, body: bytes, lines: Callable[[], str]) -> None:
    """Nothing comes of it: no error, no change of the table, no secret in the answer or the log."""
    before = target.row()
    answer = target.knock(body)
    assert answer.status == 200, answer
    assert target.row() == before, "it has changed the table"
    for text in (answer.body.decode(), str(answer.headers), lines()):
        assert SECRET not in text
        assert TOKEN.partition(":")[2] not in text
    assert lines().isascii()


# What comes ------------------------------------------------------------------------------------------------

_scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
)
_json = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)
_rubbish = st.one_of(
    st.binary(max_size=200),
    _json.map(lambda value: json.dumps(value).encode()),
    st.sampled_from(
        [
            b"",
            b"{",
            b"[" * 100_000,
            b'{"update_id":1,"message":' * 5_000 + b"{}" + b"}" * 5_000,
            b'{"update_id":1,"message":{"text":"' + b"a" * 1_000_000 + b'"}}',
            b'{"update_id":1e400}',
            b'{"update_id":' + b"9" * 5_000 + b"}",
            b'{"update_id":1,"update_id":2}',
            "\ud800".encode("utf-8", "surrogatepass"),
            b"\xff\xfe{\x00}\x00",
        ]
    ),
)


def _user(user: int) -> dict[str, Any]:
    return {"id": user, "is_bot": False, "first_name": "<b>&", "language_code": "zh-hans"}


def _chat(chat: int) -> dict[str, Any]:
    return {"id": chat, "type": "private" if chat > 0 else "supergroup", "title": "{0} %s"}


def data(table: str) -> SearchStrategy[str]:
    """What a button says that was made up: of this table or another, of any step, for any question."""
    parts = st.tuples(
        st.sampled_from([table, "aaaaaaaa", "0" * 8]),
        st.sampled_from(["0", "1", "2", "3", "9", "zzzzzz"]),
        st.sampled_from(CODES),
        st.sampled_from(["y", "p", "1", "8", "99", "0", "3a", "i0", "i9", "t1", "zff", "z0", "zffffffff", "5s"]),
    ).map(".".join)
    return parts | st.text(max_size=70) | parts.map(lambda text: text + "'; --")


def presses(target: Target) -> SearchStrategy[dict[str, Any]]:
    """Presses of people who have no seat here; and of those who have one, for what was over long ago."""
    assert target.table is not None
    table, game = target.table.id, target.table.play()
    old = [f"{table}.{serial:x}.{code}.1" for serial in range(1, min(game.serial, 9)) for code in ("v", "61d5")]
    old = [text for text in old if buttons.parse(text) and int(text.split(".")[1], 36) < game.serial]
    strangers = st.tuples(st.sampled_from(STRANGERS), data(table))
    members = st.tuples(
        st.integers(FIRST_USER + 1, FIRST_USER + 7), st.sampled_from([*old, "aaaaaaaa.5.v.1", f"{table}.zzz.v.1"])
    )
    return st.tuples(st.one_of(strangers, members), st.sampled_from([GROUP, -5, 7]), st.integers(0, 99)).map(
        lambda made: {
            "callback_query": {
                "id": f"x{made[2]}",
                "from": _user(made[0][0]),
                "chat_instance": "1",
                "data": made[0][1],
                "message": {"message_id": made[2], "date": 1, "chat": _chat(made[1])},
            }
        }
    )


_WORDS = (
    "/leave",
    "/skip",
    "/extend 60",
    "/expel 1",
    "/cancel",
    "/draw",
    "/warn 1",
    "/join",
    "/players",
    "/card x",
)
_commands = st.tuples(
    st.sampled_from(STRANGERS),
    st.sampled_from([GROUP, -5, 7]),
    st.sampled_from(_WORDS)
    | st.text(max_size=60)
    | st.sampled_from(["/start join_aaaaaaaa_0", "/start " + "x" * 64]),
).map(
    lambda made: {
        "message": {"message_id": 5, "date": 1, "chat": _chat(made[1]), "from": _user(made[0]), "text": made[2]}
    }
)


@st.composite
def _bent(draw: st.DrawFn, honest: SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """An update in which one part is something else."""
    update: dict[str, Any] = json.loads(json.dumps(draw(honest)))
    place, key = update, next(iter(update))
    while isinstance(place[key], dict) and place[key] and draw(st.booleans()):
        place = place[key]
        key = draw(st.sampled_from(sorted(place)))
    # Who pressed, and where, stays: a stranger must not become the host by chance.
    if key not in ("id", "from", "chat", "data"):
        place[key] = draw(_json)
    return update


def bodies(target: Target) -> SearchStrategy[bytes]:
    """Everything that may come with the right header."""
    honest = st.one_of(presses(target), _commands)
    update = st.one_of(honest, _bent(honest)).map(lambda made: json.dumps({"update_id": 1, **made}).encode())
    return st.one_of(_rubbish, update, update, update)
