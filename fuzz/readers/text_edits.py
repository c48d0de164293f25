"""Edits of texts: of their lines and of the words in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from fuzz.edits import edited_bytes, edited_items

_WORD = re.compile(rb"\w+|\s+|.", re.DOTALL)
_REPEATS = (2, 10, 100, 1000)


def edited_lines(data: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    """Return a text with a line removed, repeated or moved, or with a word of a line changed.

    `words` are those that mean something in the format.
    """

    def edited_line(line: bytes, random: Random) -> bytes:
        return _edited_words(line, random, words)

    return b"\n".join(edited_items(data.split(b"\n"), random, edited_line))


def _edited_words(line: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    parts = _WORD.findall(line) or [b""]
    match random.randrange(4):
        case 0:
            parts.insert(random.randrange(len(parts) + 1), random.choice(words))
        case 1:
            parts[random.randrange(len(parts))] = random.choice(words)
        case 2:
            parts[random.randrange(len(parts))] *= random.choice(_REPEATS)
        case _:
            parts = edited_items(parts, random, edited_bytes)
    return b"".join(parts)
