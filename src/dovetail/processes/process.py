"""Starting child processes, waiting for them with a timeout, and killing them together."""

import os
import select
import signal
import subprocess
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BufferedRandom
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from threading import Lock, get_ident
from types import MappingProxyType
from typing import NamedTuple

from dovetail.errors import ToolFailed
from dovetail.processes.response_file import shortened
from dovetail.processes.running_tools import running, time_limit, timeout_hint

SMALL_TASK_S = 60.0
"""Timeout for small tasks, in seconds; one that takes longer hangs."""

_UNTRANSLATED = MappingProxyType({"LC_ALL": "C"})
"""Environment of programs whose messages are parsed."""

_MAX_EXCERPT = 300
"""Characters at the end of a log that are quoted in messages."""

Process = subprocess.Popen[bytes]

Streams = tuple[BufferedRandom | int, BufferedRandom | int, BufferedRandom | int]
"""Standard input, output and error, as passed to `subprocess`."""


class TimedOut(ToolFailed):
    """A process exceeded its time limit."""

    def __init__(self, name: str, seconds: float | None) -> None:
        hint = timeout_hint() if seconds == time_limit() else ""
        super().__init__(f"{name} was still running after {seconds:g} s and was killed", hint=hint)


class Finished(NamedTuple):
    """The exit status and the output of a process."""

    status: int
    """The exit status, or the negated number of the signal that ended it."""
    output: bytes = b""
    errors: bytes = b""
    """Standard error."""

    @property
    def termination(self) -> str:
        if self.status >= 0:
            return f"status {self.status}"
        if self.status == -signal.SIGKILL:
            return "SIGKILL, which the system sends when memory runs out"
        try:
            return signal.Signals(-self.status).name
        except ValueError:
            # A real-time signal has no name.
            return f"signal {-self.status}"

    @property
    def messages(self) -> str:
        return self.errors.decode(errors="replace").rstrip()

    @property
    def log(self) -> str:
        """Standard output, then standard error."""
        return (self.output + self.errors).decode(errors="replace").strip()

    @property
    def log_excerpt(self) -> str:
        return " ".join(self.log.split())[-_MAX_EXCERPT:] or "no output"

    def failure(self, name: str) -> str:
        """Return a message that the program of that name failed, with its status and output."""
        failed = f"{name} failed ({self.termination})"
        if self.status == 0:
            failed = f"{name} ended without an error, but wrote no output file"
        return f"{failed}:\n{self.log}" if self.log else f"{failed}; it printed no message"


class Processes:
    """A group of processes, started by any thread, that can be killed together."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: set[Process] = set()
        self._are_ended = False
        self._cpu_seconds: dict[int, float] = {}
        """CPU time of programs that have ended, by thread, for threads with `time_thread`."""
        self._cpu_seconds_counted = _cpu_seconds_of_children()

    def end(self) -> None:
        """Kill running processes; further ones cannot be started."""
        with self._lock:
            self._are_ended = True
            for process in self._running:
                _kill(process)

    def run(
        self,
        command: Sequence[str],
        *,
        stdin: bytes = b"",
        folder: Path | None = None,
        environment: Mapping[str, str] = _UNTRANSLATED,
        seconds: float | None = SMALL_TASK_S,
        purpose: str = "",
        meanwhile: Callable[[], object] | None = None,
        outputs: Iterable[Path] = (),
        response_file: bool = False,
    ) -> Finished:
        """Run a program to its end, and call `meanwhile` while it runs.

        `ToolFailed` if it cannot be started, takes too long, or succeeds although one of its
        `outputs` is empty or missing.
        """
        name = Path(command[0]).name
        # Files, not pipes: they need not be read while the program runs, so this thread can wait
        # with `os.wait4`, which returns the CPU time.
        with in_memory(stdin) as given, in_memory() as output, in_memory() as errors:
            streams = (given, output, errors)
            with (
                self.started(command, streams, folder, environment, response_file) as process,
                running(name, seconds, purpose),
            ):
                if meanwhile:
                    meanwhile()
                if not _ends_within(process.pid, seconds):
                    raise TimedOut(name, seconds)
                self.reap(process)
            finished = Finished(process.returncode, _content(output), _content(errors))
        if not finished.status:
            _require_outputs(outputs, name, folder)
        return finished

    @contextmanager
    def started(
        self,
        command: Sequence[str],
        streams: Streams,
        folder: Path | None,
        environment: Mapping[str, str],
        response_file: bool = False,
    ) -> Generator[Process]:
        """Start a process, and kill it with its descendants at the end of the context.

        `environment` is added to this process's. With `response_file`, the words of a command that
        is too long are passed in a response file.
        """
        with self._start(command, streams, folder, environment, response_file) as process:
            try:
                yield process
            finally:
                with self._lock:
                    _kill(process)
                    self._running.discard(process)

    def kill(self, process: Process) -> None:
        """Kill a process and its descendants."""
        with self._lock:
            _kill(process)

    def reap(self, process: Process) -> None:
        """Wait for a process to end, and add up its CPU time."""
        try:
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            # After this its PID may be reused, so no other thread may be killing it meanwhile.
            with self._lock:
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                if get_ident() in self._cpu_seconds:
                    seconds = usage.ru_utime + usage.ru_stime
                    self._cpu_seconds[get_ident()] += seconds
                    self._cpu_seconds_counted += seconds
        except ChildProcessError:
            # SIGCHLD was ignored when this process was started, so children are reaped at once.
            process.wait()

    def time_thread(self) -> None:
        """Count the CPU time of programs that this thread runs from now on separately."""
        self._cpu_seconds[get_ident()] = 0.0

    def take_cpu_seconds(self) -> float:
        """Return the CPU seconds of this thread's programs since `time_thread`; stop counting."""
        return self._cpu_seconds.pop(get_ident(), 0.0)

    def take_cpu_seconds_of_others(self) -> float:
        """Return the CPU time of other child processes since the last call, in seconds.

        For example, those that validate code, or in which LLVM generates it.
        """
        with self._lock:
            previous = self._cpu_seconds_counted
            self._cpu_seconds_counted = _cpu_seconds_of_children()
            return max(0.0, self._cpu_seconds_counted - previous)

    def _start(
        self,
        command: Sequence[str],
        streams: Streams,
        folder: Path | None,
        environment: Mapping[str, str],
        response_file: bool,
    ) -> Process:
        """Start a process and record it as running; raise `ToolFailed` if the build has ended."""
        with self._lock:
            if self._are_ended:
                raise ToolFailed(f"'{command[0]}' was not started, because the build has ended")
            words, file = shortened(command) if response_file else (command, None)
            stdin, stdout, stderr = streams
            try:
                process = subprocess.Popen(
                    words,
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    cwd=folder,
                    env={**os.environ, **environment},
                    pass_fds=() if file is None else (file,),
                )
            except OSError as error:
                raise ToolFailed(f"cannot start '{command[0]}': {error.strerror}") from None
            finally:
                if file is not None:
                    os.close(file)
            self._running.add(process)
            return process


def _require_outputs(outputs: Iterable[Path], name: str, folder: Path | None) -> None:
    """Raise `ToolFailed` if an output of the program of that name is empty or missing."""
    for path in outputs:
        output = folder / path if folder else path
        if not output.is_file() or not output.stat().st_size:
            raise ToolFailed(f"{name} ended without an error, but did not write '{path}'")


def _ends_within(process: int, seconds: float | None) -> bool:
    """Wait until a child has ended, without reaping it; return False on timeout."""
    try:
        file = os.pidfd_open(process)
    except OSError:
        # It was already reaped: SIGCHLD is ignored.
        return True
    try:
        poll = select.poll()
        poll.register(file, select.POLLIN)
        return bool(poll.poll(None if seconds is None else seconds * 1000))
    finally:
        os.close(file)


def _cpu_seconds_of_children() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _kill(process: Process) -> None:
    if process.returncode is None:
        _kill_tree(process.pid)


def _kill_tree(process: int) -> None:
    """Kill a process that has not been reaped, and its descendants."""
    # Clang starts linkers, and compilers can be scripts.
    children = [*children_of(process)]
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
    for child in children:
        _kill_tree(child)


def children_of(process: int) -> Iterator[int]:
    """Return the PIDs of the children of a process that have not ended."""
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            yield from map(int, (task / "children").read_text().split())


def in_memory(content: bytes = b"") -> BufferedRandom:
    """Return an anonymous file with this content, positioned at its start."""
    file = os.fdopen(os.memfd_create("stream"), "w+b")
    file.write(content)
    file.seek(0)
    return file


def _content(file: BufferedRandom) -> bytes:
    """Return the whole content of a file."""
    file.seek(0)
    return file.read()
