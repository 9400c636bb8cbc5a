"""`.env`: lines of KEY=VALUE, so that a secret need not stand in the shell's history."""

import re
from pathlib import Path

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class BadLineError(Exception):
    """A line that cannot be read; the text says which, not what is in it."""


def read_env(path: Path) -> dict[str, str]:
    """Return what stands in a file, nothing if there is none.

    Empty lines and lines that begin with # are skipped. Space around key and value is not part of them, nor is
    a pair of quotes around the value; nothing else is special.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        raise BadLineError(f"{path.name} is not UTF-8 text") from None
    found = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, separator, value = (part.strip() for part in line.partition("="))
        if not separator or not _KEY.fullmatch(key):
            raise BadLineError(f"{path.name}, line {number}: KEY=VALUE is expected")
        quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
        found[key] = value[1:-1] if quoted else value
    return found
