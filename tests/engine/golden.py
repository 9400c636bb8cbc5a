"""Golden games: whole games as text – every command, what followed from it and who heard it, what each seat sees.

A file under `tests/golden/<book>/` holds the commands as well; they are played again and the text is compared.

    python -m tests.engine.golden                plays the stored commands again, writes what they lead to by now
    python -m tests.engine.golden --anew [BOOK]  lets the house play the games afresh (after a change of the rules)

Read the difference before it is committed: every line of it is a change that players will notice.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import FieldInfo, fields

from engine import (
    RULE_BOOKS,
    Answer,
    Audience,
    Command,
    Draw,
    Event,
    Expel,
    Extend,
    Fact,
    Game,
    Leave,
    Mine,
    Prompt,
    Refused,
    Selection,
    Setup,
    Skip,
    StepView,
    Tick,
    View,
    Warn,
    decide,
    due_at,
    evolve,
    view_for,
)
from tests.engine.simulation import NOON, House, Table, random_game

FOLDER = Path(__file__).parent.parent / "golden"


@dataclass(frozen=True)
class Golden:
    """One game: its file, what it is made from, and how the house plays it anew."""

    name: str
    setup: Setup
    host_rate: float = 0.0
    pass_rate: float = 0.15
    standing_rate: float = 0.05

    @property
    def path(self) -> Path:
        """Where the game is stored."""
        return FOLDER / self.setup.book / f"{self.name}.txt"

    @property
    def table(self) -> Table:
        """The game up to its first question; the seed is the file's name, so that it is seen at once."""
        return Table(self.setup, self.name.encode().ljust(32, b".")[:32])


def _classic() -> Iterator[Golden]:
    yield Golden("eight_seats", Setup(book="classic", seats=8))
    yield Golden(
        "nine_seats_thief_cupid_girl",
        Setup(
            book="classic",
            seats=9,
            options={"girl_noticed": 0.5},
            deal={1: "thief", 2: "werewolf", 3: "cupid", 4: "little_girl", 5: "seer", 6: "witch", 7: "werewolf"},
            centre=("villager", "werewolf"),
        ),
    )
    turns = {"speech": "turns", "tie": "runoff", "ballots": "open", "badge": "must"}
    yield Golden(
        "nine_seats_turns_and_runoff",
        Setup(book="classic", seats=9, options={**turns, "last_words": ["wolves", "lynch"]}),
    )
    yield Golden(
        "twelve_seats_hidden_cards",
        Setup(book="classic", seats=12, options={"reveal_on_death": False, "wolves_win": "parity"}),
    )
    yield Golden("eighteen_seats", Setup(book="classic", seats=18, options={"speech": "turns"}))
    yield Golden(
        "ten_seats_and_a_strict_host",
        Setup(book="classic", seats=10, options={"shuffle_seats": True, "sheriff": False}),
        host_rate=0.12,
    )


def _new_moon() -> Iterator[Golden]:
    expansion = ("werewolf", "elder", "idiot", "werewolf", "piper", "scapegoat", "seer", "witch", "hunter")
    yield Golden("nine_seats_expansion", Setup(book="new_moon", seats=9, deal=dict(enumerate(expansion, 1))))
    night = ("cupid", "werewolf", "little_girl", "guard", "piper", "thief", "werewolf", "seer", "villager")
    yield Golden(
        "nine_seats_night_of_calls",
        Setup(
            book="new_moon",
            seats=9,
            options={"girl_noticed": 0.5},
            deal=dict(enumerate(night, 1)),
            centre=("elder", "villager"),
        ),
    )
    yield Golden(
        "twelve_seats_and_a_strict_host",
        Setup(book="new_moon", seats=12, options={"reveal_on_death": False, "tie": "runoff"}),
        host_rate=0.08,
    )


def _elder() -> Iterator[Golden]:
    yield Golden("eight_seats", Setup(book="elder", seats=8))
    others = ("werewolf", "elder", "seer", "witch", "hunter", "werewolf", "guard", "villager", "villager")
    yield Golden("nine_seats_with_the_elder", Setup(book="elder", seats=9, deal=dict(enumerate(others, 1))))
    yield Golden("nine_seats_explosions", Setup(book="elder", seats=9), standing_rate=0.4)
    yield Golden("twelve_seats_and_a_strict_host", Setup(book="elder", seats=12), host_rate=0.08)


def _handbook() -> Iterator[Golden]:
    yield Golden("eight_seats", Setup(book="handbook", seats=8))
    night = ("white_wolf", "werewolf", "thief", "cupid", "guard", "idiot", "scapegoat", "witch", "seer", "hunter")
    yield Golden(
        "eleven_seats_with_the_thief",
        Setup(
            book="handbook",
            seats=11,
            deal=dict(enumerate((*night, "werewolf"), 1)),
            centre=("villager", "villager"),
        ),
    )
    yield Golden("twelve_seats_and_a_strict_host", Setup(book="handbook", seats=12), host_rate=0.08)


def _lupus() -> Iterator[Golden]:
    yield Golden("eight_seats", Setup(book="lupus", seats=8))
    yield Golden("eight_seats_with_the_sage", Setup(book="lupus", seats=8, options={"sage": True}))
    yield Golden("sixteen_seats", Setup(book="lupus", seats=16))
    yield Golden("twenty_one_seats_with_death", Setup(book="lupus", seats=21, options={"nomination": "open"}))
    yield Golden("twelve_seats_and_a_strict_host", Setup(book="lupus", seats=12), host_rate=0.08)


def _lupusburg() -> Iterator[Golden]:
    yield Golden("four_seats", Setup(book="lupusburg", seats=4))
    yield Golden("six_seats_with_the_broom", Setup(book="lupusburg", seats=6))
    yield Golden("seven_seats_with_the_trap", Setup(book="lupusburg", seats=7, options={"trap": True}))
    yield Golden("five_seats_and_a_strict_host", Setup(book="lupusburg", seats=5), host_rate=0.08)


_SCRIPTS = {
    "classic": _classic,
    "new_moon": _new_moon,
    "elder": _elder,
    "handbook": _handbook,
    "lupus": _lupus,
    "lupusburg": _lupusburg,
}

GAMES = tuple(golden for book in RULE_BOOKS for golden in _SCRIPTS[book]())


# Commands as lines ---------------------------------------------------------------------------------------

_COMMAND = re.compile(r"^> \+(?P<at>[0-9.]+) (?P<who>\d+|host|clock) (?P<verb>\S+)(?P<rest>.*)$")


def written(command: Command, at: float) -> str:
    """A command as a line that can be read back."""
    return f"> +{_seconds(NOON + at)} {_words(command)}"


def _words(command: Command) -> str:
    match command:
        case Answer():
            serial = "" if command.serial is None else f" #{command.serial}"
            return f"{command.actor} {command.action} {said(command.answer)}{serial}"
        case Leave():
            return f"{command.actor} leave"
        case Skip():
            return f"{command.actor} skip"
        case Extend():
            return f"{command.actor} extend {command.seconds}"
        case Warn():
            return f"host warn {command.seat} {command.kind}".rstrip()
        case Expel():
            return f"host expel {command.seat} {command.kind}".rstrip()
        case Draw():
            return "host draw"
        case Tick():
            return "clock tick"


def read(line: str) -> tuple[Command, float]:
    """The command that `written` wrote."""
    match = _COMMAND.match(line)
    if not match:
        raise ValueError(f"no command: {line}")
    who, verb, rest = match["who"], match["verb"], match["rest"].split()
    return _command(who, verb, rest), float(match["at"])


def _command(who: str, verb: str, rest: list[str]) -> Command:
    match verb:
        case "tick":
            return Tick()
        case "leave":
            return Leave(int(who))
        case "skip":
            return Skip("host" if who == "host" else int(who))
        case "extend":
            return Extend("host" if who == "host" else int(who), int(rest[0]))
        case "warn":
            return Warn("host", int(rest[0]), *rest[1:])
        case "expel":
            return Expel("host", int(rest[0]), *rest[1:])
        case "draw":
            return Draw("host")
    serial = int(rest.pop()[1:]) if rest[-1].startswith("#") else None
    answer: Selection = tuple(int(word) if word.isdigit() else word for word in rest if word != "pass")
    return Answer(int(who), verb, answer, serial)


def said(answer: Selection | None) -> str:
    """An answer as it is written in a line."""
    return "-" if answer is None else " ".join(str(option) for option in answer) or "pass"


def stored_commands(text: str) -> list[tuple[Command, float]]:
    """The commands of a stored game, with the seconds since its start."""
    return [read(line) for line in text.splitlines() if line.startswith("> ")]


# Games as lines ------------------------------------------------------------------------------------------


def text_of(golden: Golden, commands: Iterable[tuple[Command, float]]) -> str:
    """The whole game as text. Commands that are refused by now say so."""
    return "\n".join(_lines(golden, commands)) + "\n"


def _lines(golden: Golden, commands: Iterable[tuple[Command, float]]) -> Iterator[str]:
    setup = golden.setup
    yield f"# {golden.name}: {setup.book}, {setup.seats} seats"
    yield f"# options: {dict(setup.options)}"
    yield "# Regenerate: python -m tests.engine.golden"
    yield ""
    first = golden.table.begin()
    game = first.game
    page = Page(game)
    yield from (_event(event) for event in first.events)
    yield from page.turn(game)
    for command, at in commands:
        yield ""
        yield written(command, at)
        events = decide(game, command, instant(game, command, at))
        if isinstance(events, Refused):
            yield f"  refused: {events.code}"
            continue
        for event in events:
            game = evolve(game, event)
        yield from (_event(event) for event in events)
        yield from page.turn(game)


def instant(game: Game, command: Command, at: float) -> float:
    """When a command came. A file has milliseconds; the clock comes exactly when something is due."""
    due = due_at(game)
    now = NOON + at
    return due if isinstance(command, Tick) and due and abs(due - now) < 0.001 else now


class Page:
    """What every seat saw last, so that only what changes is written."""

    def __init__(self, game: Game) -> None:
        self._seen: dict[str, dict[str, str]] = {}
        self._seats = [seat.number for seat in game.seats]

    def turn(self, game: Game) -> Iterator[str]:
        """The changes of the public view and of what each seat sees besides."""
        public = view_for(game, None)
        yield from self._changes("all", _public(public))
        for seat in self._seats:
            view = view_for(game, seat)
            mine = view.mine
            assert mine is not None
            assert (view.book, view.options, view.deck, view.differs) == (
                public.book,
                public.options,
                public.deck,
                public.differs,
            )
            assert _public(view) == _public(public), "what a seat sees of the table is what everybody sees"
            yield from self._changes(str(seat), _private(mine))

    def _changes(self, who: str, fields_now: dict[str, str]) -> Iterator[str]:
        before = self._seen.get(who, {})
        for name, value in fields_now.items():
            if before.get(name, "") != value:
                yield f"  see {who:>3}  {name}: {value or '-'}"
        self._seen[who] = fields_now


OF_ALL = {"book", "options", "differs", "deck", "day", "phase", "seats", "sheriff", "step", "result", "mine"}
OF_A_SEAT = {"number", "alive", "cards", "marks", "warnings"}
"""What of a view has lines of its own; whatever else there is follows."""


def _public(view: View) -> dict[str, str]:
    marked = [f"{seat.number}={'+'.join(seat.marks)}" for seat in view.seats if seat.marks]
    warned = [f"{seat.number}={seat.warnings}" for seat in view.seats if seat.warnings]
    shown = [f"{seat.number}={'+'.join(seat.cards)}" for seat in view.seats if seat.cards]
    more = {f"seat {seat.number}": _others(seat, OF_A_SEAT) for seat in view.seats}
    return {
        "time": f"{view.phase} {view.day}",
        "alive": _span([seat.number for seat in view.seats if seat.alive]),
        "shown": " ".join(shown),
        "marks": " ".join(marked),
        "warnings": " ".join(warned),
        "sheriff": str(view.sheriff or ""),
        "step": _step(view.step),
        "result": f"{view.result.camp} win, {_span(list(view.result.winners))}" if view.result else "",
        "table": _others(view, OF_ALL),
        **{name: text for name, text in more.items() if text},
    }


def _others(record: Any, known: set[str]) -> str:
    """What a record has besides."""
    values = (
        (field, getattr(record, field.name)) for field in _fields(record.__class__) if field.name not in known
    )
    told = ((field.name, value) for field, value in values if value != field.default and value not in ((), {}))
    return " ".join(f"{name}={_value(value, name)}" for name, value in told)


@cache
def _fields(kind: type[Any]) -> tuple[FieldInfo, ...]:
    return fields(kind)


def _step(step: StepView | None) -> str:
    if step is None:
        return ""
    parts = [f"#{step.serial} {step.kind}", step.name, f"until +{_seconds(step.deadline)}"]
    heavy = {seat: weight for seat, weight in step.weights.items() if weight != 1}
    parts.append(_others(step, {"kind", "name", "serial", "deadline", "weights"}))
    return " ".join(part for part in (*parts, f"weights={heavy}" if heavy else "") if part)


def _private(mine: Mine) -> dict[str, str]:
    return {
        "is": " ".join((*mine.roles, "" if mine.alive else "(dead)")).strip(),
        "told": ", ".join(_fact(fact) for fact in mine.facts),
        "asked": "; ".join(_prompt(prompt) for prompt in mine.prompts),
        "pack": ", ".join(f"{seat}: {said(answer)}" for seat, answer in mine.pack),
        "besides": _others(mine, {"seat", "alive", "roles", "facts", "prompts", "pack", "hears"}),
    }


def _prompt(prompt: Prompt) -> str:
    seats = [option for option in prompt.options if isinstance(option, int)]
    words = [option for option in prompt.options if isinstance(option, str)]
    count = "" if prompt.least == prompt.most == 1 else f" {prompt.least}-{prompt.most} of"
    options = " ".join(part for part in (_span(seats), *words, "pass" if prompt.optional else "") if part)
    answer = "" if prompt.answer is None else f" = {said(prompt.answer)}"
    return f"{prompt.action}{count} ({options}){answer}"


def _fact(fact: Fact) -> str:
    return f"{fact.about} {fact.what} ({fact.occasion} {fact.day})"


def _event(event: Event) -> str:
    values = (
        f"{field.name}={_value(getattr(event, field.name), field.name)}"
        for field in _fields(event.__class__)
        if field.name not in ("audience", "options") and getattr(event, field.name) != field.default
    )
    return f"  {_audience(event.audience):>9}  {type(event).__name__} {' '.join(values)}".rstrip()


def _audience(audience: Audience) -> str:
    if isinstance(audience, str):
        return {"everybody": "all", "nobody": "-"}[audience]
    return _span(list(audience))


def _value(value: Any, name: str = "") -> str:
    """A value in short; instants count from the start of the game."""
    if isinstance(value, float) and name in ("deadline", "at", "ends", "paused"):
        return f"+{_seconds(value)}" if value else "0"
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1000 else f"{value:.3f}"
    if isinstance(value, tuple):
        if value and all(isinstance(item, int) and not isinstance(item, bool) for item in value):
            return "[" + " ".join(str(item) for item in value) + "]"
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Fact):
        return f"{value.about} {value.what}"
    if hasattr(value, "__struct_fields__"):
        kept = [
            field for field in _fields(value.__class__) if getattr(value, field.name) not in (field.default, {})
        ]
        return "(" + " ".join(_field(value, field.name) for field in kept) + ")"
    return str(value) if value != "" else "''"


def _field(record: Any, name: str) -> str:
    """A field of a record inside an event: what comes first in it needs no name."""
    value = _value(getattr(record, name), name)
    return (
        value if name in ("number", "seat", "kind", "card", "action", "characters", "rank") else f"{name}={value}"
    )


def _seconds(instant: float) -> str:
    return f"{instant - NOON:.3f}".rstrip("0").rstrip(".")


def _span(numbers: list[int]) -> str:
    """Numbers in short: 1-4,6."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


# The script ----------------------------------------------------------------------------------------------


HOUSES = 150
"""How many ways of playing a game are tried before the best is kept."""


def commands_anew(golden: Golden) -> list[tuple[Command, float]]:
    """What the house does, with the seconds since the start: the shortest game in which the most is done."""
    played = (_played_by(golden, number) for number in range(HOUSES))
    return min(played, key=lambda commands: (-len(actions_in(commands)), len(commands)))


def _played_by(golden: Golden, number: int) -> list[tuple[Command, float]]:
    house = House(
        random.Random(number),
        host_rate=golden.host_rate,
        pass_rate=golden.pass_rate,
        standing_rate=golden.standing_rate,
    )
    moments = random_game(golden.table, house)
    return [(moment.command, round(moment.now - NOON, 3)) for moment in moments if moment.command]


def actions_in(commands: Iterable[tuple[Command, float]]) -> set[str]:
    """What is done in a game, passing apart."""
    return {command.action for command, _ in commands if isinstance(command, Answer) and command.answer}


def main(arguments: list[str]) -> int:
    """Write the games; with names of books, those of these books."""
    anew = "--anew" in arguments
    books = [argument for argument in arguments if not argument.startswith("-")]
    for golden in GAMES:
        if books and golden.setup.book not in books:
            continue
        golden.path.parent.mkdir(parents=True, exist_ok=True)
        stored = golden.path.exists() and not anew
        commands = stored_commands(golden.path.read_text()) if stored else commands_anew(golden)
        text = text_of(golden, commands)
        golden.path.write_text(text)
        unfinished = "" if " Ended " in text else ", which do not end it any more: play it --anew"
        sys.stdout.write(f"{golden.setup.book}/{golden.name}: {len(commands)} commands{unfinished}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
