"""`@file` on a command line: the words of that file, quoted as clang and GNU's tools have it."""

import re
from collections.abc import Sequence
from pathlib import Path

from dovetail.errors import UsageError
from dovetail.files import RESPONSE_FILE, read_bytes

# A part of a word: an escaped character, a text in quotes, or characters that mean themselves.
_PART = (
    r"""(?s)\\(?P<escaped>.)|'(?P<single>(?:\\.|[^'\\])*)'|"(?P<double>(?:\\.|[^"\\])*)\""""
    r"|(?P<plain>[^\s\\'\"]+|[\\'\"])"
)
_ESCAPE = r"(?s)\\(.)"

# Files may name files; one that names itself would do so for ever.
_MOST_FILES = 1000


def expanded(words: Sequence[str]) -> list[str]:
    """The words with those of the files in their places; a file that is not there stays a word."""
    waiting, found, files = list(reversed(words)), list[str](), 0
    while waiting:
        word = waiting.pop()
        text = _text(word[1:]) if word.startswith("@") and word != "@" else None
        if text is None:
            found.append(word)
            continue
        files += 1
        if files > _MOST_FILES:
            raise UsageError(f"'{word}' names itself, or more than {_MOST_FILES} files are named")
        waiting += reversed(split_words(text))
    return found


def split_words(text: str) -> list[str]:
    """The words of a file."""
    words: list[list[str]] = []
    end = -1
    for part in re.finditer(_PART, text):
        # What follows at once goes on with the same word.
        if part.start() != end:
            words.append([])
        words[-1].append(_value(part))
        end = part.end()
    return list(map("".join, words))


def _value(part: re.Match[str]) -> str:
    if part["escaped"] is not None:
        return part["escaped"]
    quoted = part["single"] if part["single"] is not None else part["double"]
    return part["plain"] if quoted is None else re.sub(_ESCAPE, r"\1", quoted)


def _text(path: str) -> str | None:
    try:
        Path(path).stat()
    except (OSError, ValueError):
        return None
    return read_bytes(path, RESPONSE_FILE).decode(errors="surrogateescape")
