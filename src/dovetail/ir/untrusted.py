"""Files that nobody vouches for.

In: bytes that claim to be textual IR or bitcode. Out: a `Module`, or an `IRError`. LLVM's readers
trust their input, and a damaged file can crash them or make them ask for all memory; so a child
process reads and verifies the bytes first, and only what it survived is read here.
"""

import subprocess
from enum import IntEnum
from typing import NamedTuple

from dovetail._native import Context, Module
from dovetail.errors import IRError
from dovetail.python_child import python_child


class ChildStatus(IntEnum):
    """How the child process ends; Python's own failures have 1 and 2."""

    ACCEPTED = 0
    REFUSED = 3
    CRASHED = 4


class ParseLimits(NamedTuple):
    """What the child process may use."""

    memory: int = 4 << 30
    """Bytes of address space. LLVM and Python take 0.5 GiB before the first byte is read."""
    seconds: float = 120.0


def parse_untrusted(
    data: bytes,
    name: str,
    context: Context | None = None,
    *,
    limits: ParseLimits | None = None,
) -> Module:
    """Parse `data`, in a fresh context unless one is given; `name` is for messages."""
    _try_in_child(data, name, limits or ParseLimits())
    return Module.parse(context or Context(), data, name)


def _try_in_child(data: bytes, name: str, limits: ParseLimits) -> None:
    command = python_child("dovetail.ir.child", [name, str(limits.memory)])
    try:
        child = subprocess.run(
            command,
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=limits.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        message = f"{name}: malformed: LLVM was still reading it after {limits.seconds:g} s"
        raise IRError(message) from None
    if child.returncode == ChildStatus.ACCEPTED:
        return
    if child.returncode == ChildStatus.REFUSED:
        raise IRError(child.stdout.decode(errors="replace"))
    raise IRError(
        f"{name}: malformed: it crashed LLVM's parser",
        hint="make the file anew: it is damaged, was written by another version of LLVM, or "
        f"takes more than {limits.memory >> 20} MiB to read",
    )
