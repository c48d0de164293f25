"""Starting child processes, waiting for them for a limited time, and ending them together."""

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
from dovetail.processes.running import running, time_limit, timeout_hint

SMALL_TASK_S = 60.0
"""For small tasks: whatever takes longer hangs."""

_UNTRANSLATED = MappingProxyType({"LC_ALL": "C"})
"""For programs whose messages are searched."""

_LAST_WORDS = 300
"""Characters of a log that go into a reason."""

Process = subprocess.Popen[bytes]

Streams = tuple[BufferedRandom | int, BufferedRandom | int, BufferedRandom | int]
"""Standard input, output and error, as `subprocess` takes them."""


class TimedOut(ToolFailed):
    """A process used up its time."""

    def __init__(self, name: str, seconds: float | None) -> None:
        hint = timeout_hint() if seconds == time_limit() else ""
        super().__init__(f"{name} was still running after {seconds:g} s and was ended", hint=hint)


class Finished(NamedTuple):
    """How a process ended, and what it printed."""

    status: int
    """The exit status; the negated number of the signal that ended it."""
    output: bytes = b""
    errors: bytes = b""
    """What it wrote to standard error."""

    @property
    def ending(self) -> str:
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
        """What it wrote to both streams."""
        return (self.output + self.errors).decode(errors="replace").strip()

    @property
    def last_words(self) -> str:
        return " ".join(self.log.split())[-_LAST_WORDS:] or "it said nothing"

    def failure(self, name: str) -> str:
        """Return that the program of that name failed, how, and what it printed."""
        failed = f"{name} failed ({self.ending})"
        if self.status == 0:
            failed = f"{name} ended without an error, but made nothing"
        return f"{failed}:\n{self.log}" if self.log else f"{failed} and said nothing"


class Processes:
    """Processes that run for one purpose, in any thread, so that they can be ended together."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: set[Process] = set()
        self._are_ended = False
        self._cpu_seconds: dict[int, float] = {}
        """What was taken by programs that have ended, by thread, for threads that are timed."""
        self._cpu_seconds_counted = _cpu_seconds_of_children()

    def end(self) -> None:
        """Kill what runs, and refuse to start more."""
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
        """Run a program to its end; once it is started, call `meanwhile`.

        `ToolFailed` if it cannot be started, takes too long, or ends without an error although one
        of its `outputs` is empty or missing.
        """
        name = Path(command[0]).name
        # Files, not pipes: nobody has to read them while the program runs, so that we can wait for
        # it in the way that tells how much time it took.
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
            _require_made(outputs, name, folder)
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
        """Start a process; it is killed, with all that it started, when the context is left.

        `environment` is added to this process's. A command that is too long becomes a response
        file, if the program takes one.
        """
        with self._start(command, streams, folder, environment, response_file) as process:
            try:
                yield process
            finally:
                with self._lock:
                    _kill(process)
                    self._running.discard(process)

    def kill(self, process: Process) -> None:
        """Kill a process, and all that it started."""
        with self._lock:
            _kill(process)

    def reap(self, process: Process) -> None:
        """Wait for a process to end, and count the CPU time that it took."""
        try:
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            # Afterwards its number may be another's, so nobody may be about to kill it.
            with self._lock:
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                if get_ident() in self._cpu_seconds:
                    seconds = usage.ru_utime + usage.ru_stime
                    self._cpu_seconds[get_ident()] += seconds
                    self._cpu_seconds_counted += seconds
        except ChildProcessError:
            # This process was started by one that has no interest in how its children end.
            process.wait()

    def time_thread(self) -> None:
        """Count what this thread runs from now on apart from what others do."""
        self._cpu_seconds[get_ident()] = 0.0

    def take_cpu_seconds(self) -> float:
        """Return the CPU time of programs that this thread ran since `time_thread`, in seconds."""
        return self._cpu_seconds.pop(get_ident(), 0.0)

    def take_cpu_seconds_of_others(self) -> float:
        """Return the CPU time of other child processes since the last call, in seconds.

        Such as those that validate code, or in which LLVM makes it.
        """
        with self._lock:
            before = self._cpu_seconds_counted
            self._cpu_seconds_counted = _cpu_seconds_of_children()
            return max(0.0, self._cpu_seconds_counted - before)

    def _start(
        self,
        command: Sequence[str],
        streams: Streams,
        folder: Path | None,
        environment: Mapping[str, str],
        response_file: bool,
    ) -> Process:
        with self._lock:
            if self._are_ended:
                raise ToolFailed(f"'{command[0]}' is not started, as the build has ended")
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


def _require_made(files: Iterable[Path], name: str, folder: Path | None) -> None:
    """Raise `ToolFailed` if the program of that name left a file empty, or did not write it."""
    for path in files:
        made = folder / path if folder else path
        if not made.is_file() or not made.stat().st_size:
            raise ToolFailed(f"{name} ended without an error, but did not write '{path}'")


def _ends_within(process: int, seconds: float | None) -> bool:
    """Wait until a child has ended, and leave it to be reaped; return whether it has."""
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


def _cpu_seconds_of_children() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _kill(process: Process) -> None:
    if process.returncode is None:
        _kill_tree(process.pid)


def _kill_tree(process: int) -> None:
    """Kill a process that has not been reaped, and all that it started."""
    # Clang starts linkers, and compilers can be scripts.
    started = [*children_of(process)]
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
    for each in started:
        _kill_tree(each)


def children_of(process: int) -> Iterator[int]:
    """Return the processes that a process has started and that have not ended."""
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            yield from map(int, (task / "children").read_text().split())


def in_memory(content: bytes = b"") -> BufferedRandom:
    """Return a file without a name that begins with its content."""
    file = os.fdopen(os.memfd_create("stream"), "w+b")
    file.write(content)
    file.seek(0)
    return file


def _content(file: BufferedRandom) -> bytes:
    """Return what others have written into a file."""
    file.seek(0)
    return file.read()
