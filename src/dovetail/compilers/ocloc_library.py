"""Intel's compiler for its GPUs as a library, in a child process that stays: `ocloc_child`.

`ocloc` itself is little more than a call of this library. Each run of it loads the compiler anew,
which takes longer than many a kernel. A child that stays does so once. It takes and gives files in
memory.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from dovetail.compilers.asking import ask_python_child, start_python_children
from dovetail.compilers.child import Finished
from dovetail.errors import FormatError
from dovetail.packing import packed, unpacked

_CHILD = "dovetail.compilers.ocloc_child"

_FOLDERS = ("lib/x86_64-linux-gnu", "lib64", "lib")
_NAMES = ("libocloc.so", "libocloc.so.1")

_STATUS = re.compile(rb"-?[0-9]{1,10}")


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
    library: str,
    words: Sequence[str],
    source: tuple[str, bytes],
    output: str,
    *,
    seconds: float | None,
    purpose: str = "",
) -> tuple[Finished, bytes | None]:
    """What `ocloc WORDS` makes of a file, both by name: how it ended, and the file if it was made.

    `NoAnswer` if a child cannot be started or takes too long.
    """
    name, content = source
    request = packed([content, *map(os.fsencode, (name, output, *words))])
    answer = ask_python_child(_CHILD, [library], request, seconds=seconds, purpose=purpose)
    if isinstance(answer, Finished):
        return answer, None
    return read_answer(answer)


def read_answer(answer: bytes) -> tuple[Finished, bytes | None]:
    """Return what a child answered: how it ended, and the file if it was made."""
    parts = unpacked(answer)
    if len(parts) < 2 or not _STATUS.fullmatch(parts[0]):
        raise FormatError(f"ocloc's process answered in {len(parts)} parts, without a status")
    said, log, *made = parts
    status = int(said)
    # A program's status is a byte.
    ended = Finished(status and (status & 0xFF or 1), log.decode(errors="replace"))
    return ended, made[0] if made else None


def start(library: str, count: int) -> None:
    """In a build, have so many children come up while there is nothing yet to ask them."""
    start_python_children(_CHILD, [library], count)
