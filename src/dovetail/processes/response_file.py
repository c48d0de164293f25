"""Commands that are longer than the system allows: their words go into a response file."""

import os
from collections.abc import Sequence

MAX_COMMAND_BYTES = 64 << 10
"""LLVM's own programs start others with a response file from this size on.

Linux allows 128 KiB for a single word, and for all of them, with the environment, a quarter of the
stack; other systems less.
"""


def shortened(command: Sequence[str]) -> tuple[list[str], int | None]:
    """Return a command that can be started in place of `command`, and a file that it needs, if any.

    A command that is too long becomes `PROGRAM @FILE`, which clang and all of LLVM's programs
    understand. The file has no name, so nothing is left behind: the program has to inherit its
    descriptor, and the caller closes it.
    """
    if sum(len(word) + 1 for word in command) <= MAX_COMMAND_BYTES:
        return list(command), None
    file = os.memfd_create("response-file")
    with os.fdopen(os.dup(file), "wb") as stream:
        stream.writelines(os.fsencode(f"{_quoted(word)}\n") for word in command[1:])
    return [command[0], f"@/proc/self/fd/{file}"], file


def _quoted(word: str) -> str:
    """Return a word as GNU's response files have it: in quotes, only `"` and a backslash differ."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
