"""The processes of a build: programs that run once, and workers that answer many requests.

Requests go to a worker's standard input and answers come from its standard output, see `messages`.
"""

import os
import subprocess
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Event, Timer
from typing import NamedTuple

from dovetail.errors import ToolFailed
from dovetail.files import naming_full_disk
from dovetail.processes.process import (
    SMALL_TASK_S,
    Finished,
    Processes,
    TimedOut,
    in_memory,
)
from dovetail.processes.running_tools import running

_MAX_LOG_SIZE = 16 << 10
"""Bytes at the end of a worker's output that are read."""


class WorkerCommand(NamedTuple):
    """The command of a worker; workers with equal commands are interchangeable."""

    name: str
    """For messages."""
    words: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()
    """Added to this process's environment."""
    is_reusable: bool = True
    """Whether it answers all requests of a build, and has a working directory of its own.

    Otherwise it answers one request, in the current directory.
    """


class Worker:
    """A process that answers requests."""

    def __init__(self, command: WorkerCommand, processes: Processes) -> None:
        """Start it as one of `processes`; `ToolFailed` on failure."""
        self.command = command
        self._processes = processes
        self._cpu_seconds_counted = 0.0
        self._had_request = False
        with ExitStack() as resources:
            # A file, unlike a pipe, need not be read concurrently.
            self._log = resources.enter_context(in_memory())
            folder = resources.enter_context(work_folder()) if command.is_reusable else None
            # Elsewhere, temporary files would remain when it is killed.
            temporary = {"TMPDIR": os.fspath(folder)} if folder else {}
            environment = {**dict(command.environment), **temporary}
            streams = (subprocess.PIPE, subprocess.PIPE, self._log)
            self.process = resources.enter_context(
                processes.started(command.words, streams, folder, environment)
            )
            self._resources = resources.pop_all()

    def ask(self, request: bytes, seconds: float | None) -> bytes | Finished:
        """Return its answer, or its exit status if it ended; `TimedOut` if it was killed."""
        # Imported late: most builds need no workers.
        from dovetail.processes.messages import receive, send

        assert self.process.stdin
        assert self.process.stdout
        # Output before the first request may explain why it cannot answer.
        if self._had_request:
            self._clear_log()
        self._had_request = True
        with self._killed_after(seconds):
            try:
                send(self.process.stdin, request)
                return receive(self.process.stdout)
            except (BrokenPipeError, EOFError):
                self._processes.reap(self.process)
                return Finished(self.process.returncode, errors=self.log())

    def log(self) -> bytes:
        """Return the end of its output since the last request was sent."""
        size = os.fstat(self._log.fileno()).st_size
        return os.pread(self._log.fileno(), _MAX_LOG_SIZE, max(0, size - _MAX_LOG_SIZE))

    def _clear_log(self) -> None:
        # Both processes share the file offset.
        os.lseek(self._log.fileno(), 0, os.SEEK_SET)
        os.ftruncate(self._log.fileno(), 0)

    def take_cpu_seconds(self) -> float:
        """Return its CPU time since the last call, in seconds."""
        try:
            # The result of clock_getcpuclockid(), which Python does not provide.
            now = time.clock_gettime(~self.process.pid << 3 | 2)
        except OSError:
            return 0.0
        before, self._cpu_seconds_counted = self._cpu_seconds_counted, now
        return now - before

    def close(self) -> None:
        """Kill it and remove its files."""
        # Part of a request may be unread.
        with suppress(BrokenPipeError):
            self._resources.close()

    @contextmanager
    def _killed_after(self, seconds: float | None) -> Generator[None]:
        """Kill the process and raise `TimedOut` if the context takes longer."""
        if seconds is None:
            yield
            return
        is_late = Event()

        def kill() -> None:
            is_late.set()
            self._processes.kill(self.process)

        timer = Timer(seconds, kill)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            if is_late.is_set():
                raise TimedOut(self.command.name, seconds)


class WorkerPool(Processes):
    """The processes of a build, including idle workers."""

    def __init__(self, *, reuses_workers: bool = True) -> None:
        super().__init__()
        self._reuses_workers = reuses_workers
        self._idle = defaultdict[WorkerCommand, list[Worker]](list)
        self._prepared = Counter[WorkerCommand]()
        """Numbers of workers that `prepare` started."""

    @contextmanager
    def current(self) -> Generator[None]:
        """Make this the `current_pool` of this thread."""
        before = _current.set(self)
        try:
            yield
        finally:
            _current.reset(before)

    def ask(
        self,
        command: WorkerCommand,
        request: bytes,
        *,
        seconds: float | None = SMALL_TASK_S,
        purpose: str = "",
    ) -> bytes | Finished:
        """Send a request to an idle or new worker, and return its answer.

        If the worker ended, return its exit status. `ToolFailed` if it cannot be started or exceeds
        `seconds`.
        """
        with running(command.name, seconds, purpose):
            with self._lock:
                idle = self._idle[command].pop() if self._idle[command] else None
            if idle:
                answer = self._asked(idle, request, seconds)
                # If it ended, an earlier request may be the reason: try a new worker.
                if isinstance(answer, bytes):
                    return answer
            return self._asked(self.new_worker(command), request, seconds)

    def prepare(self, command: WorkerCommand, count: int) -> None:
        """Start `count` workers in advance, and return at once.

        Steps with equal commands share them. Outside of a build, none is started.
        """
        with self._lock:
            missing = max(0, count - self._prepared[command]) if self._reuses_workers else 0
            self._prepared[command] += missing
        # Errors are reported by the first request.
        with suppress(ToolFailed):
            for _ in range(missing):
                self._add_idle(self.new_worker(command))

    def new_worker(self, command: WorkerCommand) -> Worker:
        return Worker(command, self)

    def take_cpu_seconds_of_idle(self) -> float:
        """Return the CPU time of idle workers since the last call, in seconds."""
        with self._lock:
            return sum(worker.take_cpu_seconds() for each in self._idle.values() for worker in each)

    def end(self) -> None:
        super().end()
        with self._lock:
            idle = [worker for each in self._idle.values() for worker in each]
            self._idle.clear()
        for worker in idle:
            worker.close()

    def _asked(self, worker: Worker, request: bytes, seconds: float | None) -> bytes | Finished:
        """Return a worker's answer, or how it ended; then keep it for reuse or end it."""
        answer = None
        try:
            answer = worker.ask(request, seconds)
            return answer
        finally:
            is_usable = isinstance(answer, bytes) and worker.command.is_reusable
            if is_usable and self._reuses_workers:
                self._add_idle(worker)
            else:
                worker.close()

    def _add_idle(self, worker: Worker) -> None:
        """Make a worker available for the next request, or close it if the build has ended."""
        with self._lock:
            if not self._are_ended:
                self._idle[worker.command].append(worker)
                return
        worker.close()


_current: ContextVar[WorkerPool] = ContextVar("pool")


def current_pool() -> WorkerPool:
    """Return the pool of this thread's build, or a new one outside of a build."""
    return _current.get(None) or WorkerPool(reuses_workers=False)


@contextmanager
def work_folder() -> Generator[Path]:
    """Create a temporary directory: some compilers leave files in their working directory."""
    with tempfile.TemporaryDirectory(prefix="dovetail-child-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with naming_full_disk(folder.parent):
            yield folder
