"""Edits of lines and words in text formats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from fuzz.edits import edited_bytes, edited_items

_WORD = re.compile(rb"\w+|\s+|.", re.DOTALL)
_REPEATS = (*(2, 3, 10, 30) * 5, 100, 1000, 20_000)
"""Quadratic algorithms show only in large inputs, which are slow to read; so most are small."""
_MAX_REPEATED = 30_000
_WINDOW = 2048


def edited_lines(data: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    """Return a text with a line removed, repeated or moved, or with a word of a line changed.

    `words` are the keywords of the format.
    """

    def edited_line(line: bytes, random: Random) -> bytes:
        return _edited_words(line, random, words)

    # Only a window: splitting a large text would take longer than reading it.
    begin = random.randrange(max(len(data) - _WINDOW, 0) + 1)
    window = data[begin : begin + _WINDOW]
    changed = b"\n".join(edited_items(window.split(b"\n"), random, edited_line))
    return data[:begin] + changed + data[begin + _WINDOW :]


def _edited_words(line: bytes, random: Random, words: Sequence[bytes]) -> bytes:
    parts = _WORD.findall(line) or [b""]
    match random.randrange(4):
        case 0:
            parts.insert(random.randrange(len(parts) + 1), random.choice(words))
        case 1:
            parts[random.randrange(len(parts))] = random.choice(words)
        case 2:
            begin = random.randrange(len(parts))
            end = begin + random.randint(1, 4)
            repeated = b"".join(parts[begin:end])
            parts[begin:end] = [(repeated * random.choice(_REPEATS))[:_MAX_REPEATED]]
        case _:
            parts = edited_items(parts, random, edited_bytes)
    return b"".join(parts)
