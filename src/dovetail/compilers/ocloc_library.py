"""Runs ocloc as a library in a worker process (`ocloc_worker`).

`ocloc` itself only calls this library. Each run loads the compiler, which takes longer than
compiling many kernels. A worker loads it once. Files are passed in memory.
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
    """Yield the libraries installed with the program at a path, best first."""
    # If the path is a symbolic link, the library may be beside the link or beside its target.
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
    """Run `ocloc WORDS` on a file; return its exit status and the output file, or None.

    `source` is the input's name and content, `output` the name of the output file. Raises
    `ToolFailed` if a worker cannot be started or exceeds the time limit.
    """
    name, content = source
    request = packed([content, *map(os.fsencode, (name, output, *words))])
    worker = _worker(library)
    answer = current_pool().ask(worker, request, seconds=seconds, purpose=purpose)
    if isinstance(answer, Finished):
        return answer, None
    return read_answer(answer)


def read_answer(answer: bytes) -> tuple[Finished, bytes | None]:
    """Decode a worker's answer: the exit status with the log, and the output file or None."""
    parts = unpacked(answer)
    if len(parts) < 2 or not _STATUS.fullmatch(parts[0]):
        raise FormatError(
            f"expected a status and a log from the ocloc worker, got {len(parts)} other parts"
        )
    status_text, log, *files = parts
    status = int(status_text)
    # An exit status is one byte.
    ended = Finished(status and (status & 0xFF or 1), log)
    return ended, files[0] if files else None


def start_workers(library: str, count: int) -> None:
    """Start workers of a build ahead of their first request."""
    current_pool().prepare(_worker(library), count)


def _worker(library: str) -> WorkerCommand:
    return WorkerCommand("ocloc", python_command("dovetail.compilers.ocloc_worker", [library]))
