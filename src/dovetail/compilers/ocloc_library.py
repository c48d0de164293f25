"""Intel's compiler for its GPUs as a library, in a worker process: `ocloc_worker`.

`ocloc` itself is little more than a call of this library. Each run of it loads the compiler anew,
which takes longer than many a kernel. A worker does so once. It takes and gives files in memory.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from dovetail.errors import FormatError
from dovetail.packing import packed, unpacked
from dovetail.processes.pool import WorkerCommand, current_pool
from dovetail.processes.process import Finished
from dovetail.processes.python_command import python_command

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

    `ToolFailed` if a worker cannot be started or takes too long.
    """
    name, content = source
    request = packed([content, *map(os.fsencode, (name, output, *words))])
    worker = _worker(library)
    answer = current_pool().ask(worker, request, seconds=seconds, purpose=purpose)
    if isinstance(answer, Finished):
        return answer, None
    return read_answer(answer)


def read_answer(answer: bytes) -> tuple[Finished, bytes | None]:
    """Return what a worker answered: how ocloc ended, and the file if it was made."""
    parts = unpacked(answer)
    if len(parts) < 2 or not _STATUS.fullmatch(parts[0]):
        raise FormatError(f"ocloc's process answered in {len(parts)} parts, without a status")
    said, log, *made = parts
    status = int(said)
    # A program's status is a byte.
    ended = Finished(status and (status & 0xFF or 1), log)
    return ended, made[0] if made else None


def start(library: str, count: int) -> None:
    """In a build, let so many workers come up while there is nothing yet to ask them."""
    current_pool().prepare(_worker(library), count)


def _worker(library: str) -> WorkerCommand:
    return WorkerCommand("ocloc", python_command("dovetail.compilers.ocloc_worker", [library]))
