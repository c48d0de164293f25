"""Response files for commands that are longer than the system allows."""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

MAX_COMMAND_BYTES = 64 << 10
"""LLVM's own programs use a response file from this size on.

Linux allows 128 KiB for a single word, and a quarter of the stack size for all of them with the
environment; other systems allow less.
"""


def shortened(command: Sequence[str]) -> tuple[list[str], int | None]:
    """Return an equivalent command that can be started, and the descriptor of a file that it needs.

    A command that is too long becomes `PROGRAM @FILE`, which clang and all of LLVM's programs
    accept. The file is anonymous: the program inherits its descriptor, and the caller closes it.
    """
    if sum(len(word) + 1 for word in command) <= MAX_COMMAND_BYTES:
        return list(command), None
    file = os.memfd_create("response-file")
    with os.fdopen(os.dup(file), "wb") as stream:
        stream.writelines(os.fsencode(f"{_quoted(word)}\n") for word in command[1:])
    return [command[0], f"@/proc/self/fd/{file}"], file


def replace_process(command: Sequence[str]) -> NoReturn:
    """Replace this process by a command, with its messages, exit status and signals."""
    sys.stdout.flush()
    sys.stderr.flush()
    arguments, response_file = shortened(command)
    if response_file is not None:
        os.set_inheritable(response_file, True)
    os.execv(command[0], arguments)


def _quoted(word: str) -> str:
    """Quote a word for a GNU response file: within quotes, only `"` and backslash are escaped."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
