"""Run compilers and linkers."""

import errno
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from signal import SIGKILL, SIGSEGV

from dovetail.errors import MEMORY_HINT, CompileError, ToolFailed
from dovetail.files import full_disk, full_disk_reason
from dovetail.printable import shell_command
from dovetail.processes.pool import current_pool
from dovetail.processes.process import Finished
from dovetail.processes.running_tools import time_limit

_FULL_DISK_BYTES = 1 << 20
"""With less free space, the disk may have been full when a tool wrote a file."""

_OUT_OF_MEMORY = ("LLVM ERROR: out of memory", "std::bad_alloc", "failed to map segment")
"""Messages of clang, lld and similar tools that fail to allocate memory."""


class Tools:
    """Runs compilers and linkers for one request."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is where the tools write their files."""
        self._folder = folder

    def run(
        self,
        command: Sequence[str],
        standard_input: bytes = b"",
        more_environment: Mapping[str, str] | None = None,
        meanwhile: Callable[[], object] | None = None,
        *,
        outputs: Iterable[Path] = (),
    ) -> Finished:
        """Run a tool; raise `CompileError` if it exits with an error.

        `meanwhile` is called once the tool has started. Raise `ToolFailed` if it exceeds its time
        limit, or if one of its `outputs` is missing or empty afterwards.
        """
        try:
            finished = current_pool().run(
                command,
                stdin=standard_input,
                environment=more_environment or {},
                seconds=time_limit(),
                meanwhile=meanwhile,
                outputs=outputs,
                response_file=True,
            )
        except ToolFailed as error:
            hint = "\n".join(filter(None, (error.hint, _shown(command))))
            raise ToolFailed(error.message, hint=hint) from None
        if finished.status:
            self._refuse_full_disk(finished.messages)
            raise _failure(command, finished)
        return finished

    def _refuse_full_disk(self, messages: str) -> None:
        """Raise an error that names the directory if a tool failed because the disk is full."""
        if self._folder is None:
            return
        reason = full_disk_reason(messages)
        # Linkers write through mapped memory; the system then reports a full disk by SIGBUS.
        if not reason and "Bus error" in messages and _is_full(self._folder):
            reason = os.strerror(errno.ENOSPC)
        if reason:
            raise full_disk(self._folder.parent, reason)


def _is_full(folder: Path) -> bool:
    state = os.statvfs(folder)
    return state.f_bavail * state.f_frsize < _FULL_DISK_BYTES


def _failure(command: Sequence[str], finished: Finished) -> CompileError:
    """Return the error for a tool that failed."""
    # Imported late, since tools rarely fail.
    from dovetail.frontend.crashes import parse_crash, stack_overflow

    status, messages = finished.status, finished.messages
    is_short_of_memory = status == -SIGKILL or any(word in messages for word in _OUT_OF_MEMORY)
    crash = None if is_short_of_memory else parse_crash(command, messages)
    if crash:
        return crash
    if status == -SIGSEGV and "-x" in command:
        return stack_overflow(command, messages)
    hint = MEMORY_HINT if is_short_of_memory else ""
    if status > 0:
        return CompileError(messages or f"'{command[0]}' failed without a message", hint=hint)
    ended = f"{Path(command[0]).name} was ended by {finished.termination}"
    return CompileError(f"{ended}\n{messages}".rstrip(), hint=f"{hint}\n{_shown(command)}".lstrip())


def _shown(command: Sequence[str]) -> str:
    return f"the command was: {shell_command(command)}"


def run_clang(command: Sequence[str], standard_input: bytes = b"") -> str:
    """Run a clang command and return its warnings; raise `CompileError` with its errors."""
    return Tools().run(command, standard_input).messages
