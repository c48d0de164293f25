"""Linker scripts in place of libraries."""

from __future__ import annotations

from random import Random

from dovetail.driver.linker_script import is_linker_script, script_inputs
from fuzz.reader import Reader
from fuzz.readers.text_edits import edited_lines

_WORDS = (
    *(b"INPUT", b"GROUP", b"AS_NEEDED", b"(", b")", b",", b'"', b"/*", b"*/", b"-lm", b"\0"),
    *(b"/* INPUT(a) */", b"\xff", b" "),
)


def _seeds() -> list[bytes]:
    return [
        b"/* GNU ld script */\nOUTPUT_FORMAT(elf64-x86-64)\n"
        b"GROUP ( /lib/libc.so.6 /usr/lib/libc_nonshared.a AS_NEEDED ( -lm ) )\n",
        b'INPUT("a b.o", libx.a -ly)\n',
    ]


def _read(data: bytes) -> None:
    content = memoryview(data)
    if is_linker_script(content):
        names = list(script_inputs(content))
        assert sum(map(len, names)) <= len(data)


def _edit(data: bytes, random: Random) -> bytes:
    return edited_lines(data, random, _WORDS)


READER = Reader("linker scripts", _seeds, _read, _edit, max_size=32 << 10)
