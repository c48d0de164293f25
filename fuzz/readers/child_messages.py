"""Messages of compilers in child processes."""

from __future__ import annotations

import io
from contextlib import suppress
from random import Random

from dovetail.assertion_record import RECORD_SIZE, FailedAssertion
from dovetail.compilers.ocloc_library import read_answer
from dovetail.compilers.opencl_cpu import (
    BUILT,
    Compilation,
    packed as packed_compilation,
    unpacked as unpacked_compilation,
)
from dovetail.errors import DovetailError, FormatError
from dovetail.frontend import join_messages
from dovetail.frontend.dependencies import dependency_paths, merge_dependencies
from dovetail.packing import packed, unpacked
from dovetail.processes.messages import receive, send
from fuzz.edits import edited_bytes, edited_field, edited_items
from fuzz.reader import Reader

_SIZE_BYTES = 8


def _seeds() -> list[bytes]:
    answers = [
        packed([b"0", b"log", b"made"]),
        packed([b"-11", b"log"]),
        packed_compilation(Compilation(BUILT, "2026.2", b"code")),
        b"a.o: a.cpp \\\n  b\\ c.h $$d.h\nb.h:\n",
        b"a.cpp:1:2: error: no\na.cpp:1:2: note: here\n1 error generated.\n",
        bytes(RECORD_SIZE),
    ]
    return [_message(answer) for answer in answers]


def _message(answer: bytes) -> bytes:
    stream = io.BytesIO()
    send(stream, answer)
    return stream.getvalue()


def _read(data: bytes) -> None:
    try:
        answer = receive(io.BytesIO(data))
    except EOFError:
        raise FormatError("the child has ended") from None
    for read_answer_as in (unpacked, read_answer, unpacked_compilation):
        with suppress(DovetailError):
            read_answer_as(answer)
    text = answer.decode(errors="surrogateescape")
    dependency_paths(text)
    merge_dependencies(text, [text], phony=True)
    join_messages([text])
    if len(answer) == RECORD_SIZE:
        str(FailedAssertion.read(answer))


def _edit(data: bytes, random: Random) -> bytes:
    if random.random() < 0.1:
        return edited_field(data, 0, _SIZE_BYTES, random)
    answer = data[_SIZE_BYTES:]
    try:
        changed = packed(edited_items(unpacked(answer), random, edited_bytes))
    except DovetailError:
        changed = edited_bytes(answer, random)
    return _message(changed)


READER = Reader("answers of compilers and builds in child processes", _seeds, _read, _edit)
