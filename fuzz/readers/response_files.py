"""Response files: the words of a command line."""

from __future__ import annotations

import os
from random import Random

from dovetail.cli.response_files import expanded
from fuzz.reader import Reader
from fuzz.readers.text_edits import edited_lines

_WORDS = (
    b" ",
    b"'",
    b'"',
    b"\\",
    b"@",
    b"-o",
    b"\n",
    b"\t",
    b"a\\ b",
    b"@/dev/null",
    b"\0",
    b"\xff",
)


def _seeds() -> list[bytes]:
    return [b"-O2 -fsycl a.cpp -o 'a b'\n", b'-DX="a \\" b" @other\n', b"\\'a b\\'"]


def _read(data: bytes) -> None:
    descriptor = os.memfd_create("words")
    try:
        os.write(descriptor, data)
        words = expanded([f"@/proc/self/fd/{descriptor}"])
    finally:
        os.close(descriptor)
    assert sum(map(len, words)) <= len(data)


def _edit(data: bytes, random: Random) -> bytes:
    return edited_lines(data, random, _WORDS)


READER = Reader("response files", _seeds, _read, _edit, max_size=8 << 10)
