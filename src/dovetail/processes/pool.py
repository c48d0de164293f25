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
from dovetail.processes.messages import receive, send
from dovetail.processes.process import (
    SMALL_TASK_S,
    Finished,
    Processes,
    TimedOut,
    in_memory,
)
from dovetail.processes.running import running

_MAX_LOG = 16 << 10
"""Bytes of what a worker printed that are read, from its end."""


class WorkerCommand(NamedTuple):
    """How a worker is started; those with equal commands do the same."""

    name: str
    """For messages."""
    words: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that are added to this process's."""
    is_reusable: bool = True
    """Whether it answers all requests of a build, and works in a directory of its own.

    Else it answers one request, in the current directory.
    """


class Worker:
    """A process that answers requests."""

    def __init__(self, command: WorkerCommand, processes: Processes) -> None:
        """Start it as one of `processes`; `ToolFailed` if that is not possible."""
        self.command = command
        self._processes = processes
        self._cpu_seconds_counted = 0.0
        self._was_asked = False
        with ExitStack() as resources:
            # A file, which nobody has to read meanwhile.
            self._log = resources.enter_context(in_memory())
            folder = resources.enter_context(work_folder()) if command.is_reusable else None
            # Temporary files elsewhere would be left behind when it is killed.
            temporary = {"TMPDIR": os.fspath(folder)} if folder else {}
            environment = {**dict(command.environment), **temporary}
            streams = (subprocess.PIPE, subprocess.PIPE, self._log)
            self.process = resources.enter_context(
                processes.started(command.words, streams, folder, environment)
            )
            self._resources = resources.pop_all()

    def ask(self, request: bytes, seconds: float | None) -> bytes | Finished:
        """Return its answer, or how it ended; `TimedOut` if it had to be ended."""
        assert self.process.stdin
        assert self.process.stdout
        # What it printed before the first request may say why it cannot answer.
        if self._was_asked:
            self._clear_log()
        self._was_asked = True
        with self._killed_after(seconds):
            try:
                send(self.process.stdin, request)
                return receive(self.process.stdout)
            except (BrokenPipeError, EOFError):
                self._processes.reap(self.process)
                return Finished(self.process.returncode, errors=self.log())

    def log(self) -> bytes:
        """Return what it printed since the last request was sent, at most the end of it."""
        size = os.fstat(self._log.fileno()).st_size
        return os.pread(self._log.fileno(), _MAX_LOG, max(0, size - _MAX_LOG))

    def _clear_log(self) -> None:
        # Both processes share the position in the log.
        os.lseek(self._log.fileno(), 0, os.SEEK_SET)
        os.ftruncate(self._log.fileno(), 0)

    def take_cpu_seconds(self) -> float:
        """Return the CPU time that it took since the last call, in seconds."""
        try:
            # What clock_getcpuclockid() makes of a process, which Python does not offer.
            now = time.clock_gettime(~self.process.pid << 3 | 2)
        except OSError:
            return 0.0
        before, self._cpu_seconds_counted = self._cpu_seconds_counted, now
        return now - before

    def close(self) -> None:
        """Kill it, and remove its files."""
        # It may have left the rest of a request unread.
        with suppress(BrokenPipeError):
            self._resources.close()

    @contextmanager
    def _killed_after(self, seconds: float | None) -> Generator[None]:
        """Raise `TimedOut` in place of whatever comes of what takes longer."""
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
    """The processes of a build, and the workers that wait for its next request."""

    def __init__(self, *, reuses_workers: bool = True) -> None:
        super().__init__()
        self._reuses_workers = reuses_workers
        self._idle = defaultdict[WorkerCommand, list[Worker]](list)
        self._prepared = Counter[WorkerCommand]()
        """How many workers were wanted before there was a request."""

    @contextmanager
    def current(self) -> Generator[None]:
        """Let what this thread starts meanwhile be of this pool, see `current_pool`."""
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
        """Return what an idle worker answers, or else a new one; or how the worker ended.

        `ToolFailed` if it cannot be started or takes too long.
        """
        with running(command.name, seconds, purpose):
            with self._lock:
                idle = self._idle[command].pop() if self._idle[command] else None
            if idle:
                answer = self._asked(idle, request, seconds)
                # What an earlier request left behind may have ended it.
                if isinstance(answer, bytes):
                    return answer
            return self._asked(self.new_worker(command), request, seconds)

    def prepare(self, command: WorkerCommand, count: int) -> None:
        """Let so many workers come up for the first requests, and return at once.

        All steps that want some share them. Outside of a build there are none.
        """
        with self._lock:
            missing = max(0, count - self._prepared[command]) if self._reuses_workers else 0
            self._prepared[command] += missing
        # Whoever asks them learns what is wrong with them.
        with suppress(ToolFailed):
            for _ in range(missing):
                self._keep(self.new_worker(command))

    def new_worker(self, command: WorkerCommand) -> Worker:
        return Worker(command, self)

    def take_cpu_seconds_of_idle(self) -> float:
        """Return the CPU time that idle workers took since the last call, in seconds."""
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
        answer = None
        try:
            answer = worker.ask(request, seconds)
            return answer
        finally:
            is_of_use = isinstance(answer, bytes) and worker.command.is_reusable
            if is_of_use and self._reuses_workers:
                self._keep(worker)
            else:
                worker.close()

    def _keep(self, worker: Worker) -> None:
        """Let a worker answer the next request, unless the build has ended."""
        with self._lock:
            if not self._are_ended:
                self._idle[worker.command].append(worker)
                return
        worker.close()


_current: ContextVar[WorkerPool] = ContextVar("pool")


def current_pool() -> WorkerPool:
    """Return the pool of the build that this thread works for; without one, a pool of its own."""
    return _current.get(None) or WorkerPool(reuses_workers=False)


@contextmanager
def work_folder() -> Generator[Path]:
    """Make a directory that is removed afterwards: some compilers litter where they run."""
    with tempfile.TemporaryDirectory(prefix="dovetail-child-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with naming_full_disk(folder.parent):
            yield folder
