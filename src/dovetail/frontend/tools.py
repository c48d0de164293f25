"""Running the programs that compile and link."""

import os
import shlex
import subprocess
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from io import BufferedRandom
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from signal import SIGSEGV
from threading import Lock, get_ident
from typing import NamedTuple

from dovetail.errors import CompileError, ToolMissing
from dovetail.frontend.crashes import crash_in, stack_overflow


class ToolOutput(NamedTuple):
    """What a program left on its streams."""

    output: bytes
    messages: str


class Tools:
    """The programs that run for one request, in any thread, so that they can be ended together."""

    def __init__(self) -> None:
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
    ) -> ToolOutput:
        """Run a program that compiles or links; `CompileError` if it fails.

        Once it is started, `meanwhile` is called.
        """
        # Files, not pipes: nobody has to read them while the program runs, so that we can wait for
        # it in the way that tells how much time it took.
        with _in_memory(standard_input) as given, _in_memory() as output, _in_memory() as written:
            child = self._start(command, (given, output, written), more_environment or {})
            try:
                if meanwhile:
                    meanwhile()
            finally:
                self._wait(child)
            messages = _content(written).decode(errors="replace").rstrip()
            if child.returncode and (crash := crash_in(command, messages)):
                raise crash
            if child.returncode == -SIGSEGV and "-x" in command:
                raise stack_overflow(command, messages)
            if child.returncode < 0:
                name = Path(command[0]).name
                raise CompileError(
                    f"{name} was ended by signal {-child.returncode}\n{messages}".rstrip(),
                    hint=f"the command was: {shlex.join(command)}",
                )
            if child.returncode:
                raise CompileError(messages or f"'{command[0]}' failed without a message")
            return ToolOutput(_content(output), messages)

    def end(self) -> None:
        """End what runs, and whatever would be started: nobody wants it any more."""
        with self._lock:
            self._are_ended = True
            for child in self._running:
                child.kill()

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
            try:
                child = subprocess.Popen(
                    command,
                    stdin=given,
                    stdout=output,
                    stderr=messages,
                    env={**os.environ, **more_environment},
                )
            except OSError as error:
                raise ToolMissing(f"cannot start '{command[0]}': {error.strerror}") from None
            self._running.add(child)
        return child

    def _wait(self, child: subprocess.Popen[bytes]) -> None:
        """Wait until the program has ended, and count its time."""
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
