"""Running a compiler as a child process, in a folder of its own and for a limited time."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from dovetail.errors import DovetailError

SECONDS = 60.0
"""For small things: whatever takes longer hangs."""

_LAST_WORDS = 300
"""Characters of a log that go into a reason."""


class NoAnswer(DovetailError):
    """A child process could not be started or did not end in time."""


@dataclass(frozen=True)
class Finished:
    """How a child process ended."""

    status: int
    """The exit status; the negated number of the signal that ended it."""
    log: str
    """Standard output and standard error."""

    @property
    def ending(self) -> str:
        if self.status < 0:
            return signal.Signals(-self.status).name
        return f"status {self.status}"

    @property
    def last_words(self) -> str:
        return " ".join(self.log.split())[-_LAST_WORDS:] or "it said nothing"


class Children:
    """The compilers that run for one build, in any thread, so that they can be ended together."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
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
                child.kill()

    def start(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> "subprocess.Popen[bytes]":
        """A child with a pipe for what it reads and one for all that it says.

        `NoAnswer` if nobody wants it any more.
        """
        with self._lock:
            if self._are_ended:
                raise NoAnswer(f"'{command[0]}' was not started any more")
            child = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment,
            )
            self._running.add(child)
            return child

    def forget(self, child: "subprocess.Popen[bytes]") -> None:
        """It has ended, or nobody waits for it."""
        with self._lock:
            self._running.discard(child)


_current: ContextVar[Children] = ContextVar("children")


@contextmanager
def work_folder() -> Generator[Path, None, None]:
    """A folder that is removed afterwards: some compilers litter where they run."""
    with tempfile.TemporaryDirectory(prefix="dovetail-child-", ignore_cleanup_errors=True) as name:
        yield Path(name)


def run_child(
    command: Sequence[str],
    folder: Path,
    *,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
) -> Finished:
    """Run a command to its end; `NoAnswer` if it cannot be started or takes too long."""
    children = _current.get(None) or Children()
    try:
        # Answers are read from messages, which must not be translated.
        in_english = {**os.environ, "LC_ALL": "C", **(environment or {})}
        child = children.start(command, folder, in_english)
    except OSError as error:
        raise NoAnswer(f"cannot start '{command[0]}': {error.strerror}") from None
    with child:
        try:
            log, _ = child.communicate(stdin, seconds)
        except subprocess.TimeoutExpired:
            name = Path(command[0]).name
            raise NoAnswer(f"{name} was still at it after {seconds:.0f} s") from None
        finally:
            # Whatever came between, nothing is left behind.
            child.kill()
            children.forget(child)
    return Finished(child.returncode, log.decode(errors="replace"))
