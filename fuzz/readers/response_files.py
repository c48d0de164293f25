"""Response files: the arguments of a command line."""

from __future__ import annotations

import os
from random import Random

from dovetail.cli.response_files import expanded, split_arguments
from fuzz.reader import Reader
from fuzz.readers.text_edits import edited_lines

_WORDS = (b" ", b"'", b'"', b"\\", b"@", b"-o", b"\n", b"\t", b"a\\ b", b"\0", b"\xff")


def _seeds() -> list[bytes]:
    return [b"-O2 -fsycl a.cpp -o 'a b'\n", b'-DX="a \\" b" @other\n', b"\\'a b\\'"]


def _read(data: bytes) -> None:
    words = split_arguments(data.decode(errors="surrogateescape"))
    assert sum(map(len, words)) <= len(data)
    if any(word.startswith("@") for word in words):
        # It can name any file of this machine, whose content is not part of the input.
        return
    descriptor = os.memfd_create("words")
    try:
        os.write(descriptor, data)
        assert expanded([f"@/proc/self/fd/{descriptor}"]) == words
    finally:
        os.close(descriptor)


def _edit(data: bytes, random: Random) -> bytes:
    return edited_lines(data, random, _WORDS)


READER = Reader("response files", _seeds, _read, _edit, max_size=8 << 10)
