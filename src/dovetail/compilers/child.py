"""Running a compiler as a child process, in a folder of its own and for a limited time."""

import os
import signal
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Generator, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import IO, NamedTuple

from dovetail.compilers.staying import StayingChild
from dovetail.errors import DovetailError
from dovetail.files import naming_full_disk
from dovetail.running_tools import kill_tree, running, time_limit, timeout_hint

SECONDS = 60.0
"""For small things: whatever takes longer hangs."""

_LAST_WORDS = 300
"""Characters of a log that go into a reason."""

_LOG = "log"
"""The file, in its folder, for what a child says that stays."""


class NoAnswer(DovetailError):
    """A child process could not be started or did not end in time."""


class Finished(NamedTuple):
    """How a child process ended."""

    status: int
    """The exit status; the negated number of the signal that ended it."""
    log: str
    """Standard output and standard error."""

    @property
    def ending(self) -> str:
        return ending_of(self.status)

    def told_of(self, name: str) -> str:
        """That the program of that name failed, how, and what it said."""
        log = self.log.strip()
        failed = f"{name} failed ({self.ending})"
        if self.status == 0:
            failed = f"{name} ended without an error, but made nothing"
        return f"{failed}:\n{log}" if log else f"{failed} and said nothing"

    @property
    def last_words(self) -> str:
        return " ".join(self.log.split())[-_LAST_WORDS:] or "it said nothing"


def ending_of(status: int) -> str:
    """Return how a program ended: its exit status, or the signal if `status` is negative."""
    if status >= 0:
        return f"status {status}"
    if status == -signal.SIGKILL:
        return "SIGKILL, which the system sends when memory runs out"
    try:
        return signal.Signals(-status).name
    except ValueError:
        # A real-time signal has no name.
        return f"signal {-status}"


class Children:
    """The compilers that run for one build, in any thread, so that they can be ended together."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._idle: dict[Hashable, list[StayingChild]] = defaultdict(list)
        """Those that stay and have nothing to do, by how they were started."""
        self._prepared = Counter[Hashable]()
        """How many were wanted before anyone asked, by the same."""
        self._lock = Lock()
        self._are_ended = False

    @contextmanager
    def current(self) -> Generator[None]:
        """What this thread starts meanwhile belongs here."""
        before = _current.set(self)
        try:
            yield
        finally:
            _current.reset(before)

    def end(self) -> None:
        """End what runs, and whatever would be started: nobody wants it any more."""
        with self._lock:
            self._are_ended = True
            for child in self._running:
                if child.poll() is None:
                    kill_tree(child.pid)
            idle = [*self._all_idle()]
            self._idle.clear()
        for child in idle:
            child.end()

    def take_cpu_seconds_of_idle(self) -> float:
        """What those that stay took since this was asked last, or they were started."""
        with self._lock:
            return sum(child.take_cpu_seconds() for child in self._all_idle())

    @contextmanager
    def started(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        log: IO[bytes] | int = subprocess.STDOUT,
    ) -> "Generator[subprocess.Popen[bytes]]":
        """A child with pipes for what it reads and says, until this is left.

        `NoAnswer` if it cannot be started, or nobody wants it any more.
        """
        child = self._start(command, folder, environment, log)
        with child:
            try:
                yield child
            finally:
                # Whatever came between, nothing is left behind.
                if child.poll() is None:
                    kill_tree(child.pid)
                with self._lock:
                    self._running.discard(child)

    def staying(self, command: Sequence[str], environment: Mapping[str, str]) -> StayingChild:
        """A new child that takes requests, in a folder of its own; `NoAnswer` as above."""
        with ExitStack() as resources:
            folder = resources.enter_context(work_folder())
            log = resources.enter_context((folder / _LOG).open("ab+"))
            # What it makes elsewhere for a while would be left behind if it is ended meanwhile.
            within = {**environment, "TMPDIR": os.fspath(folder)}
            child = resources.enter_context(self.started(command, folder, within, log))
            return StayingChild(child, log, resources.pop_all().close)

    def take_idle(self, key: Hashable) -> StayingChild | None:
        """The one that was kept last under that key, which has ended if something ended it."""
        with self._lock:
            kept = self._idle[key]
            return kept.pop() if kept else None

    def to_prepare(self, key: Hashable, count: int) -> int:
        """How many to start for there to be `count` before anyone asks; they are counted as there.

        Several steps may want them, and all use the same.
        """
        with self._lock:
            missing = max(0, count - self._prepared[key])
            self._prepared[key] += missing
            return missing

    def keep(self, key: Hashable, child: StayingChild) -> None:
        """A child that has answered may be asked again, until the end."""
        with self._lock:
            if not self._are_ended:
                self._idle[key].append(child)
                return
        child.end()

    def _all_idle(self) -> Iterator[StayingChild]:
        return chain.from_iterable(self._idle.values())

    def _start(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        log: IO[bytes] | int,
    ) -> "subprocess.Popen[bytes]":
        with self._lock:
            if self._are_ended:
                raise NoAnswer(f"'{command[0]}' was not started any more")
            try:
                child = subprocess.Popen(
                    command,
                    cwd=folder,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    # Answers are read from messages, which must not be translated.
                    env={**os.environ, "LC_ALL": "C", **environment},
                )
            except OSError as error:
                raise NoAnswer(f"cannot start '{command[0]}': {error.strerror}") from None
            self._running.add(child)
            return child


_current: ContextVar[Children] = ContextVar("children")


def children_of_build() -> Children | None:
    """Where a child of this thread belongs, if it works for a build."""
    return _current.get(None)


@contextmanager
def work_folder() -> Generator[Path, None, None]:
    """A folder that is removed afterwards: some compilers litter where they run."""
    with tempfile.TemporaryDirectory(prefix="dovetail-child-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with naming_full_disk(folder.parent):
            yield folder


def run_child(
    command: Sequence[str],
    folder: Path,
    *,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    seconds: float | None = SECONDS,
    purpose: str = "",
) -> Finished:
    """Run a command to its end; `NoAnswer` if it cannot be started or takes too long."""
    children = children_of_build() or Children()
    with children.started(command, folder, environment or {}) as child:
        try:
            with running(tool_name(command), seconds, purpose):
                log, _ = child.communicate(stdin, seconds)
        except subprocess.TimeoutExpired:
            raise too_late(command, seconds) from None
    return Finished(child.returncode, log.decode(errors="replace"))


def too_late(command: Sequence[str], seconds: float | None) -> NoAnswer:
    """What is to be raised about a child that has used up its time."""
    hint = timeout_hint() if seconds == time_limit() else ""
    return NoAnswer(f"{tool_name(command)} was still at it after {seconds:g} s", hint=hint)


def tool_name(command: Sequence[str]) -> str:
    """Return the name of the program that a command starts, or of the module that Python runs."""
    is_module = command[1:2] == ["-m"]
    return command[2].rpartition(".")[2] if is_module else Path(command[0]).name


def made_file(path: Path, tool: str) -> bytes:
    """Return what a program has written; `NoAnswer` if that is nothing."""
    if not path.is_file() or not path.stat().st_size:
        raise NoAnswer(f"{tool} ended without an error, but did not write '{path.name}'")
    return path.read_bytes()
