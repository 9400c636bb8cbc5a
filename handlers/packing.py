"""Records as few bytes.

What all records have in common – the names of their fields, the books' usual options – stands in a dictionary
that none of them has to repeat. A packed record names its dictionary (RFC 1950: the checksum behind the first two
bytes). So one stays as it is while anything is stored that was packed with it; a better one is a file beside it.
"""

from __future__ import annotations

import zlib
from pathlib import Path

_WORDS = Path(__file__).with_suffix(".dictionary").read_bytes()
_DICTIONARIES = {zlib.adler32(words).to_bytes(4, "big"): words for words in (_WORDS,)}
_LEVEL = 6


def squeeze(raw: bytes) -> bytes:
    """The bytes, packed."""
    packer = zlib.compressobj(_LEVEL, zdict=_WORDS)
    return packer.compress(raw) + packer.flush()


def unsqueeze(packed: bytes) -> bytes:
    """The bytes that `squeeze` was given. Raises KeyError for a dictionary that there is not."""
    unpacker = zlib.decompressobj(zdict=_DICTIONARIES[packed[2:6]])
    return unpacker.decompress(packed) + unpacker.flush()
