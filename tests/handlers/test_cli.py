"""`nightfall verify`: what a player types at home to check a deal."""

from __future__ import annotations

import random
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import handlers
from engine import events as e
from handlers.cli import HONEST, NOT_HONEST, UNREADABLE, main
from tests.engine.simulation import random_game, tables

ROOT = Path(str(handlers.__file__)).parent.parent


def played(seats: int) -> tuple[str, str]:
    """The line and the hash of a game from its start to its end."""
    table, house = next(tables("classic", seats))
    events = [event for moment in random_game(table, house) for event in moment.events]
    (line,) = (event.line for event in events if isinstance(event, e.Ended))
    (published,) = (event.fingerprint for event in events if isinstance(event, e.Started))
    return line, published


@pytest.mark.parametrize("seats", [8, 12, 18])
def test_an_honest_game(seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    line, published = played(seats)
    for given in ([], [published], [published[:16]], [published.upper()], [f"{published[:16]}…"]):
        assert main(["verify", line, *given]) == HONEST
        said = capsys.readouterr()
        assert published in said.out
        assert "these very cards" in said.out
        assert ("the one published" in said.out) == bool(given)
        assert said.err == ""
    assert main(["verify", f"  {line}\n", published]) == HONEST


def test_another_hash(capsys: pytest.CaptureFixture[str]) -> None:
    line, published = played(8)
    other = ("0" if published[0] != "0" else "1") + published[1:]
    assert main(["verify", line, other]) == NOT_HONEST
    assert "IS NOT the one published" in capsys.readouterr().out


def test_another_deal(capsys: pytest.CaptureFixture[str]) -> None:
    line, published = played(8)
    seed = line.rpartition("|")[2]
    forged = line.replace(seed, "0" * 64)
    assert main(["verify", forged]) == NOT_HONEST
    assert "THE SEED DEALS OTHER CARDS" in capsys.readouterr().out
    assert main(["verify", forged, published]) == NOT_HONEST


def test_other_options_do_not_fit_the_published_hash() -> None:
    line, published = played(8)
    options = line.split("|")[2]
    assert main(["verify", line.replace(options, '{"vote_s":120}'), published]) == NOT_HONEST


@pytest.mark.parametrize("given", ["", "abc", "0" * 15, "0" * 65, "g" * 16, "０" * 16])
def test_a_hash_that_is_none(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    line, _ = played(8)
    assert main(["verify", line, given]) == UNREADABLE
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1


def test_whatever_is_no_line_gets_one_clear_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    line, _ = played(12)
    rng = random.Random(3)
    refused = 0
    for _ in range(400):
        parts = line.split("|")
        at = rng.randrange(8)
        parts[at] = rng.choice(("", "狼", "-", "0", "[]", "x y", "\udcff", parts[at][:-1], parts[at] + "z"))
        code = main(["verify", "|".join(parts)])
        said = capsys.readouterr()
        assert code in (HONEST, NOT_HONEST, UNREADABLE)
        if code == UNREADABLE:
            refused += 1
            assert said.out == ""
            assert said.err.count("\n") == 1
            assert said.err.endswith(".\n")
    assert refused > 200


@pytest.mark.parametrize("typed", [[], ["verify"], ["deal"], ["verify", "a", "b", "c"]])
def test_what_is_typed_wrong_ends_with_the_usage(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(typed)
    assert ended.value.code == UNREADABLE
    assert "usage: nightfall" in capsys.readouterr().err


def test_it_is_a_process_of_its_own_that_ends_with_its_verdict() -> None:
    line, published = played(9)
    for arguments, code in ((["verify", line, published], HONEST), (["verify", "x"], UNREADABLE)):
        command = [sys.executable, "-m", "handlers.cli", *arguments]
        assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == code


def test_the_script_is_declared() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert settings["project"]["scripts"] == {"nightfall": "handlers.cli:main"}
