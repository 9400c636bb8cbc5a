"""What must be true of every game, whatever befell it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from engine import Game, Refused, Tick, decide, due_at, dump, evolve, replay, start
from handlers.record import LobbyCard, Remind
from handlers.wording.keys import KEYS
from tests.soak.game import SECRET, TOKEN, Course, play
from tests.soak.weather import Case

MOST_LATE_S = 75.0
"""So long after its deadline a step may close where its timer was lost: the sweep's lag, and its minute."""


def problems(course: Course) -> list[str]:
    """Everything that is wrong with a game."""
    found = [*course.problems, *_replayed(course), *_answered(course)]
    if course.table.outbox or course.table.lease is not None:
        found.append("something is left to be sent, or a lease to be given back")
    weather = course.case.weather
    if course.case.kind == "calm":
        return found + (["something was sent twice"] if course.journal.repeated else [])
    if weather.ends_alike or weather.reads_alike:
        calm = undisturbed(course.case.undisturbed)
        if weather.ends_alike and end(course) != calm.end:
            found.append("the end is another than undisturbed")
        elif weather.reads_alike:
            found += _read(texts(course), calm.texts)
    return found


# The state -------------------------------------------------------------------------------------------------


def _replayed(course: Course) -> Iterator[str]:
    """The committed commands, with their instants, lead to the stored state; the clock never acts too soon."""
    journal = course.journal
    game = replay(start(journal.setup(), course.case.chance("deal").randbytes(32), course.table.began))
    states = [game]
    for decided in journal.commands:
        if isinstance(decided.command, Tick):
            yield from _timely(course, game, decided.now)
        events = decide(game, decided.command, decided.now)
        if isinstance(events, Refused):
            yield f"{decided.command} was committed, and is refused: {events.code}"
            return
        states = [game]
        for event in events:
            game = evolve(game, event)
            states.append(game)
    stored = course.table.game
    # A table at which nobody is any more closes in the middle of what its clock decides.
    if stored != dump(game) and (game.over or not any(stored == dump(state) for state in states)):
        yield "the committed commands do not lead to the stored state"


def _timely(course: Course, game: Game, now: float) -> Iterator[str]:
    due, deadline = due_at(game), game.agenda[0].deadline
    if due is None or now < due:
        yield f"the clock acted {due} at {now}, before anything was due"
    if now >= deadline:
        course.journal.latest = max(course.journal.latest, now - deadline)
        most = {"calm": 2.0, "timers": MOST_LATE_S}.get(course.case.kind, float("inf"))
        if now - deadline > most:
            yield f"a step closed {now - deadline:.1f} s after its deadline"


def end(course: Course) -> bytes:
    """How a game ended: without the instants of its last step, and what was told in one night in any order."""
    game = course.table.play()
    facts = tuple(sorted(game.facts, key=lambda fact: (fact.day, fact.seat, str(fact))))
    return dump(replace(game, agenda=(), facts=facts))


# What was said ---------------------------------------------------------------------------------------------


def _answered(course: Course) -> Iterator[str]:
    for query in course.telegram.queries:
        if query.taken and not query.answers and not query.late:
            yield f"press {query.id} ({query.data}) was taken and never answered"


Texts = dict[int, list[str]]

GROUP_LINES = -1
"""Under this stand all lines the group has ever read, edits included."""


def texts(course: Course) -> Texts:
    """Every new message once, in order, by recipient; without clocks, reminders and what changes by the minute."""
    found: Texts = {}
    for sent in course.journal.sent:
        if sent.recipient == 0:
            found.setdefault(GROUP_LINES, []).extend(_subject(sent.text).splitlines())
        if sent.method == "sendMessage" and not sent.again and not isinstance(sent.effect, LobbyCard | Remind):
            found.setdefault(sent.recipient, []).append(_subject(sent.text))
    return found


def _subject(text: str) -> str:
    """A text without what says how long; of a question only what is asked: it may be answered by now."""
    text = re.sub(r"\n?⏳[^\n]*| · \d+ [^\n]*?(?:分钟|小时)[^\n]*", "", text)
    # What lies on the table is shown in the newest message only.
    text = re.sub(r"\A👑 [^\n]*\n(?:🪙 [^\n]*\n|[^\n☀]+\n)*\n(?=<b>☀)", "", text)
    questions = [line for line in text.splitlines() if line.startswith("<b>") and line.endswith("？</b>")]
    return "\n".join(questions) or text


def _read(got: Texts, should: Texts) -> Iterator[str]:
    for recipient in sorted({*got, *should} - {GROUP_LINES}):
        mine, calm = got.get(recipient, []), should.get(recipient, [])
        if recipient == 0:
            yield from _read_in_the_group(got, should)
        elif mine != calm:
            missing, more = Counter(calm) - Counter(mine), Counter(mine) - Counter(calm)
            yield f"{recipient} read something else: not {list(missing)}, but {list(more)}"


def _read_in_the_group(got: Texts, should: Texts) -> Iterator[str]:
    """Whether a turn has a message of its own hangs on what the minute has left; the lines do not."""
    for one, other, what in ((should, got, "never read"), (got, should, "read besides")):
        lines = {line for text in one.get(0, []) for line in text.splitlines()}
        if strange := lines - set(other.get(GROUP_LINES, [])):
            yield f"the group has {what} {sorted(strange)}"


_ROLES = tuple(key.removeprefix("role.") for key in KEYS if key.startswith("role."))


def leaks(lines: str, course: Course) -> Iterator[str]:
    """What a log tells that it must not: it knows ids, codes and times, and not a word that anybody reads."""
    for secret in (TOKEN, TOKEN.partition(":")[2], SECRET):
        if secret in lines:
            yield "a secret is in the log"
    if not lines.isascii() or "\\u" in lines:
        yield "a word or a name is in the log"
    quoted = {
        value for line in lines.splitlines() for value in json.loads(line).values() if isinstance(value, str)
    }
    for value in quoted - {course.table.id}:
        if any(role in re.split(r"[^a-z_]+|_(?=failed)", value) for role in _ROLES):
            yield f"a role is in the log: {value}"


class Undisturbed:
    """What is kept of a game in calm weather."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.end = end(course)
        self.texts = texts(course)
        self.problems = problems(course)
        self.presses = len(course.telegram.queries)


@lru_cache(maxsize=8)
def undisturbed(case: Case) -> Undisturbed:
    """The game in calm weather; played once for all the others."""
    return Undisturbed(play(case))
