"""Running the programs that compile and link."""

import errno
import os
import select
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BufferedRandom
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from signal import SIGKILL, SIGSEGV
from threading import Lock, get_ident
from typing import NamedTuple

from dovetail.compilers.child import ending_of
from dovetail.errors import MEMORY_HINT, CompileError, ToolFailed, ToolMissing
from dovetail.files import full_disk, full_disk_reason
from dovetail.frontend.crashes import crash_in, stack_overflow
from dovetail.long_commands import shortened
from dovetail.printable import shell_command
from dovetail.running_tools import kill_tree, running, time_limit, timeout_hint

_SOME_ROOM = 1 << 20
"""Bytes. With less, a file that was being written may have found no room."""

_OUT_OF_MEMORY = ("LLVM ERROR: out of memory", "std::bad_alloc", "failed to map segment")
"""What clang, lld and their like say before they give up."""


class ToolOutput(NamedTuple):
    """What a program left on its streams."""

    output: bytes
    said: bytes
    """What it wrote to its standard error."""

    @property
    def messages(self) -> str:
        return self.said.decode(errors="replace").rstrip()


class Tools:
    """The programs that run for one request, in any thread, so that they can be ended together."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is where they are told to put their files."""
        self._folder = folder
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = Lock()
        self._are_ended = False
        self._cpu_seconds: dict[int, float] = defaultdict(float)
        self._cpu_seconds_counted = _cpu_seconds_of_children()

    def run(
        self,
        command: Sequence[str],
        standard_input: bytes = b"",
        more_environment: Mapping[str, str] | None = None,
        meanwhile: Callable[[], object] | None = None,
        *,
        makes: Iterable[Path] = (),
    ) -> ToolOutput:
        """Run a program that compiles or links; `CompileError` if it fails.

        Once it is started, `meanwhile` is called. `ToolFailed` if it runs for too long, or leaves
        one of the files empty that it `makes`, or does not write it.
        """
        limit = time_limit()
        # Files, not pipes: nobody has to read them while the program runs, so that we can wait for
        # it in the way that tells how much time it took.
        with _in_memory(standard_input) as given, _in_memory() as output, _in_memory() as written:
            child = self._start(command, (given, output, written), more_environment or {})
            in_time = True
            try:
                if meanwhile:
                    meanwhile()
            finally:
                with running(Path(command[0]).name, limit):
                    in_time = self._wait(child, limit)
            if not in_time:
                raise _too_slow(command, limit)
            made = ToolOutput(_content(output), _content(written))
            if child.returncode:
                self._refuse_full_disk(made.messages)
                raise _failure(command, child.returncode, made.messages)
            for path in makes:
                if not path.is_file() or not path.stat().st_size:
                    raise _nothing_made(command, path)
            return made

    def _refuse_full_disk(self, messages: str) -> None:
        """Raise an error that names the directory, if a program failed for want of room."""
        if self._folder is None:
            return
        reason = full_disk_reason(messages)
        # Linkers write through mapped memory, for which the system sends this signal.
        if not reason and "Bus error" in messages and _is_full(self._folder):
            reason = os.strerror(errno.ENOSPC)
        if reason:
            raise full_disk(self._folder.parent, reason)

    def end(self) -> None:
        """End what runs, and whatever would be started: nobody wants it any more."""
        with self._lock:
            self._are_ended = True
            for child in self._running:
                kill_tree(child.pid)

    def take_cpu_seconds(self) -> float:
        """What programs took that this thread has run since it asked last."""
        return self._cpu_seconds.pop(get_ident(), 0.0)

    def take_cpu_seconds_of_others(self) -> float:
        """What other children of this process took since anyone asked last.

        Such as those that validate code, or in which LLVM makes it.
        """
        with self._lock:
            before = self._cpu_seconds_counted
            self._cpu_seconds_counted = _cpu_seconds_of_children()
            return max(0.0, self._cpu_seconds_counted - before)

    def _start(
        self,
        command: Sequence[str],
        files: tuple[BufferedRandom, BufferedRandom, BufferedRandom],
        more_environment: Mapping[str, str],
    ) -> subprocess.Popen[bytes]:
        given, output, messages = files
        with self._lock:
            if self._are_ended:
                raise CompileError(f"'{command[0]}' was not started any more")
            words, response_file = shortened(command)
            try:
                child = subprocess.Popen(
                    words,
                    stdin=given,
                    stdout=output,
                    stderr=messages,
                    env={**os.environ, **more_environment},
                    pass_fds=() if response_file is None else (response_file,),
                )
            except OSError as error:
                raise ToolMissing(f"cannot start '{command[0]}': {error.strerror}") from None
            finally:
                if response_file is not None:
                    os.close(response_file)
            self._running.add(child)
        return child

    def _wait(self, child: subprocess.Popen[bytes], limit: float | None) -> bool:
        """Wait until the program has ended, and count its time; return whether it did in time."""
        in_time = _ends_within(child.pid, limit)
        if not in_time:
            kill_tree(child.pid)
        try:
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
            with self._lock:
                # Nobody kills it from here on: its number may be another's.
                self._running.discard(child)
                _, status, usage = os.wait4(child.pid, 0)
                seconds = usage.ru_utime + usage.ru_stime
                self._cpu_seconds[get_ident()] += seconds
                self._cpu_seconds_counted += seconds
            child.returncode = os.waitstatus_to_exitcode(status)
        except ChildProcessError:
            # This process was started by one that has no interest in how its children end.
            self._running.discard(child)
            child.wait()
        return in_time


def _ends_within(process: int, seconds: float | None) -> bool:
    """Wait until a child has ended, which stays to be waited for; return whether it has."""
    try:
        file = os.pidfd_open(process)
    except OSError:
        # It is gone: nobody in this process has an interest in how its children end.
        return True
    try:
        poll = select.poll()
        poll.register(file, select.POLLIN)
        return bool(poll.poll(None if seconds is None else seconds * 1000))
    finally:
        os.close(file)


def _too_slow(command: Sequence[str], limit: float | None) -> ToolFailed:
    return ToolFailed(
        f"{Path(command[0]).name} was still running after {limit:g} s and was ended",
        hint=f"{timeout_hint()}\nthe command was: {shell_command(command)}",
    )


def _nothing_made(command: Sequence[str], path: Path) -> ToolFailed:
    return ToolFailed(
        f"{Path(command[0]).name} ended without an error, but did not write '{path}'",
        hint=f"the command was: {shell_command(command)}",
    )


def _is_full(folder: Path) -> bool:
    state = os.statvfs(folder)
    return state.f_bavail * state.f_frsize < _SOME_ROOM


def _failure(command: Sequence[str], status: int, messages: str) -> CompileError:
    """What is to be raised about a program that has failed."""
    is_short_of_memory = status == -SIGKILL or any(word in messages for word in _OUT_OF_MEMORY)
    crash = None if is_short_of_memory else crash_in(command, messages)
    if crash:
        return crash
    if status == -SIGSEGV and "-x" in command:
        return stack_overflow(command, messages)
    hint = MEMORY_HINT if is_short_of_memory else ""
    if status > 0:
        return CompileError(messages or f"'{command[0]}' failed without a message", hint=hint)
    ended = f"{Path(command[0]).name} was ended by {ending_of(status)}"
    said = f"the command was: {shell_command(command)}"
    return CompileError(f"{ended}\n{messages}".rstrip(), hint=f"{hint}\n{said}".lstrip())


def _cpu_seconds_of_children() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _in_memory(content: bytes = b"") -> BufferedRandom:
    """A file without a name that begins with its content."""
    file = os.fdopen(os.memfd_create("stream"), "w+b")
    file.write(content)
    file.seek(0)
    return file


def _content(file: BufferedRandom) -> bytes:
    """What others have written into it."""
    file.seek(0)
    return file.read()


def run_clang(command: Sequence[str], standard_input: bytes = b"") -> str:
    """Run one clang command. Returns its warnings; raises `CompileError` with its errors."""
    return Tools().run(command, standard_input).messages
