"""Running a compiler as a child process, in a folder of its own and for a limited time."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

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
    program = Path(command[0]).name
    try:
        finished = subprocess.run(
            command,
            cwd=folder,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            # Answers are read from messages, which must not be translated.
            env={**os.environ, "LC_ALL": "C", **(environment or {})},
        )
    except subprocess.TimeoutExpired:
        raise NoAnswer(f"{program} was still at it after {seconds:.0f} s") from None
    except OSError as error:
        raise NoAnswer(f"cannot start '{command[0]}': {error.strerror}") from None
    return Finished(finished.returncode, finished.stdout.decode(errors="replace"))
