"""The console script `nightfall`.

The other verbs are for whoever runs the bot. To check a deal `verify` needs nothing but the line that the end of
a game shows, and the hash that its start has published. `nightfall simulate` plays games among house players.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence

from engine import LineRefused, verify
from handlers import operating
from handlers.house.command import declare

HONEST, NOT_HONEST, UNREADABLE = 0, 1, 2

_HASH = re.compile(r"[0-9a-f]{16,64}")

_WRONG = {
    "parts": "This is no line of Nightfall's: it should have eight parts between seven bars.",
    "format": "This line has a format that this version does not know.",
    "book": "This line names a rule book that this version does not know.",
    "options": "The options in this line are none that a game of its book can have.",
    "seats": "The number of seats in this line is none that its book plays with.",
    "deck": "The deck in this line is none that its book deals.",
    "deal": "The deal in this line names no cards.",
    "centre": "The centre in this line names no cards.",
    "seed": "The seed in this line is not 64 hexadecimal digits.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked for; the number of the process's end."""
    parser = argparse.ArgumentParser(prog="nightfall", description="The moderator for Werewolf.")
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    check = verbs.add_parser("verify", help="check the deal of a finished game")
    check.add_argument("line", metavar="LINE", help="the sealed line that the end of the game shows, in quotes")
    check.add_argument("hash", metavar="HASH", nargs="?", help="the seal from its start: 16 digits of it, or more")
    check.set_defaults(run=lambda given: _verify(given.line.strip(), given.hash))
    simulation = verbs.add_parser("simulate", help="play games among house players and count who wins")
    declare(simulation)
    simulation.set_defaults(run=_simulate)
    operating.add_verbs(verbs)
    given = parser.parse_args(arguments)
    ended: int = given.run(given)
    return ended


def _simulate(given: argparse.Namespace) -> int:
    from handlers.house.simulate import run

    return run(given)


def _verify(line: str, published: str | None) -> int:
    wanted = published.strip().rstrip("…").lower() if published is not None else ""
    if published is not None and not _HASH.fullmatch(wanted):
        return _refuse("The hash should be 16 to 64 hexadecimal digits.")
    try:
        verdict = verify(line)
    except LineRefused as refused:
        return _refuse(_WRONG[refused.part])
    says = [f"SHA-256  {verdict.fingerprint}"]
    sealed = verdict.fingerprint.startswith(wanted)
    if published is not None:
        says.append("seal     it is the one published" if sealed else "seal     IT IS NOT the one published")
    if verdict.honest:
        says.append("deal     the seed deals these very cards")
    else:
        again = " ".join(verdict.dealt_again)
        centre = " ".join(verdict.centre_again) or "nothing"
        says.append(f"deal     THE SEED DEALS OTHER CARDS: {again}; in the centre {centre}")
    sys.stdout.write("\n".join(says) + "\n")
    return HONEST if sealed and verdict.honest else NOT_HONEST


def _refuse(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return UNREADABLE


if __name__ == "__main__":
    sys.exit(main())
