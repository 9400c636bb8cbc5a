"""Golden games, played again from their stored commands and compared line by line."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from engine import RULE_BOOKS
from tests.engine.golden import FOLDER, GAMES, Golden, actions_in, read, stored_commands, text_of, written
from tests.engine.simulation import actions_of


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_a_golden_game_is_what_it_was(golden: Golden) -> None:
    """A difference is a change that players notice, or a mistake."""
    text = golden.path.read_text()
    lines = text_of(golden, stored_commands(text)).splitlines()
    for number, (stored, now) in enumerate(zip_longest(text.splitlines(), lines), start=1):
        if stored != now:
            pytest.fail(
                f"{golden.path.relative_to(FOLDER)}, line {number}\n  stored: {stored}\n  now:    {now}\n"
                "If that is meant: python -m tests.engine.golden, and read the difference."
            )


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.name)
def test_a_golden_game_comes_to_its_end(golden: Golden) -> None:
    text = golden.path.read_text()
    assert "\n        all  Ended " in text, "python -m tests.engine.golden --anew"
    assert "refused:" not in text


def test_every_book_has_a_golden_game_and_every_file_is_one() -> None:
    assert {golden.setup.book for golden in GAMES} == set(RULE_BOOKS)
    assert {golden.path for golden in GAMES} == set(FOLDER.rglob("*.txt"))


@pytest.mark.parametrize("book", RULE_BOOKS)
def test_every_role_of_a_book_acts_in_its_golden_games(book: str) -> None:
    rules = RULE_BOOKS[book]
    can_do = actions_of(rules, usual=True)
    played = (stored_commands(golden.path.read_text()) for golden in GAMES if golden.setup.book == book)
    done = {action for commands in played for action in actions_in(commands)}
    assert can_do - done == set()


@pytest.mark.parametrize(
    "line",
    [
        "> +12.5 3 seer.check 1",
        "> +0 6 cupid.link 1 5 #2",
        "> +3 4 witch.heal yes",
        "> +3 4 witch.poison pass #7",
        "> +60 clock tick",
        "> +61 5 leave",
        "> +61 host skip",
        "> +61 3 skip",
        "> +61 3 extend 30",
        "> +70 2 wolf.kill 3a",
        "> +61 host extend 30",
        "> +61 host warn 5",
        "> +61 host warn 5 oath",
        "> +61 host expel 5",
        "> +61 host draw",
    ],
)
def test_a_command_is_read_as_it_is_written(line: str) -> None:
    command, at = read(line)
    assert written(command, at) == line
