"""Intel's compiler for its GPUs as a library, in a child process that stays.

`ocloc` itself is little more than a call of this library. Each run of it loads the compiler anew,
which takes longer than many a kernel. A child that stays does so once. It takes and gives files in
memory.

This module is both: what asks such a child, and, started by name, the child itself.
"""

import ctypes
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from dovetail.compilers.staying import receive, send

if TYPE_CHECKING:
    from dovetail.compilers.child import Finished

_FOLDERS = ("lib/x86_64-linux-gnu", "lib64", "lib")
_NAMES = ("libocloc.so", "libocloc.so.1")

_LOG = "stdout.log"
"""The file in which the library says what the program would print."""

_COMPILER = "libigc.so.1"

_Bytes = ctypes.POINTER(ctypes.c_uint8)


def libraries_beside(program: str) -> Iterator[str]:
    """Libraries that were installed with the program of that path, best first."""
    # A link may stand in a folder of links: what it leads to was installed with its library.
    for prefix in dict.fromkeys((Path(program).parent.parent, Path(program).resolve().parents[1])):
        for folder in _FOLDERS:
            for name in _NAMES:
                library = prefix / folder / name
                if library.is_file():
                    yield os.fspath(library)


def invoke(
    library: str, words: Sequence[str], source: tuple[str, bytes], output: str, *, seconds: float
) -> "tuple[Finished, bytes | None]":
    """What `ocloc WORDS` makes of a file, both by name: how it ended, and the file if it was made.

    `NoAnswer` if a child cannot be started or takes too long.
    """
    # The child itself asks no other.
    from dovetail.compilers.asking import ask_python_child
    from dovetail.compilers.child import Finished

    name, content = source
    request = json.dumps((words, name, output)).encode() + b"\n" + content
    answer = ask_python_child(__name__, [library], request, seconds=seconds)
    if isinstance(answer, Finished):
        return answer, None
    line, _, made = answer.partition(b"\n")
    status, log, is_made = json.loads(line)
    # A program's status is a byte.
    return Finished(status and (status & 0xFF or 1), log), made if is_made else None


def start(library: str, count: int) -> None:
    """In a build, have so many children come up while there is nothing yet to ask them."""
    from dovetail.compilers.asking import start_python_children

    start_python_children(__name__, [library], count)


def _answer(library: ctypes.CDLL, request: bytes) -> tuple[int, bytes]:
    """Status and answer."""
    line, _, content = request.partition(b"\n")
    words, name, output = json.loads(line)
    status, files = _call(library, words, name, content)
    # It puts the folder before the names of what it makes.
    made = next((data for path, data in files.items() if Path(path) == Path(output)), None)
    facts = (status, files.get(_LOG, b"").decode(errors="replace"), made is not None)
    return status, json.dumps(facts).encode() + b"\n" + (made or b"")


def _call(
    library: ctypes.CDLL, words: Sequence[str], name: str, content: bytes
) -> tuple[int, dict[str, bytes]]:
    """Status, and the files that were made by name; see ocloc_api.h."""
    arguments = [os.fsencode(word) for word in ("ocloc", *words)]
    source = (ctypes.c_uint8 * len(content)).from_buffer_copy(content)
    count = ctypes.c_uint32()
    data = ctypes.POINTER(_Bytes)()
    sizes = ctypes.POINTER(ctypes.c_uint64)()
    names = ctypes.POINTER(ctypes.c_char_p)()
    made = tuple(map(ctypes.byref, (count, data, sizes, names)))
    status: int = library.oclocInvoke(
        len(arguments),
        (ctypes.c_char_p * len(arguments))(*arguments),
        1,
        (_Bytes * 1)(ctypes.cast(source, _Bytes)),
        (ctypes.c_uint64 * 1)(len(content)),
        (ctypes.c_char_p * 1)(os.fsencode(name)),
        *(0, None, None, None),
        *made,
    )
    files = {
        os.fsdecode(names[n] or b""): ctypes.string_at(data[n], sizes[n])
        for n in range(count.value)
    }
    library.oclocFreeOutput(*made)
    return status, files


def answer_all(library: ctypes.CDLL, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Until there are no more requests, or one has failed."""
    status = 0
    # Whatever a failure leaves in the library is not for the modules of others.
    while status == 0:
        try:
            request = receive(requests)
        except EOFError:
            return
        status, answer = _answer(library, request)
        send(answers, answer)


if __name__ == "__main__":
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What the library prints is no part of an answer.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    library = ctypes.CDLL(sys.argv[1])
    with suppress(OSError):
        # It loads this one, most of it all, when it compiles for the first time.
        ctypes.CDLL(_COMPILER)
    answer_all(library, sys.stdin.buffer, answers)
    # Leave without the library's own clean-up, for which nobody waits.
    os._exit(0)
