"""A child process that stays, and answers one request after the other.

Requests go to its standard input and answers come from its standard output, see `messages`.
Whatever else it says goes to its standard error, which is a file: nobody has to read it meanwhile.
"""

import subprocess
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from threading import Event, Timer
from typing import IO

from dovetail.compilers.messages import receive, send


class StayingChild:
    """One that was started, with pipes for what it reads and answers."""

    def __init__(
        self, process: "subprocess.Popen[bytes]", log: IO[bytes], end: Callable[[], None]
    ) -> None:
        """`log` is what it appends to as its standard error."""
        self.process = process
        self._log = log
        self._end = end
        self._cpu_seconds_counted = 0.0

    def ask(self, request: bytes, seconds: float | None) -> bytes:
        """Its answer; `EOFError` if it ends instead, `TimeoutError` if it had to be ended."""
        assert self.process.stdin
        assert self.process.stdout
        self._log.truncate(0)
        with _killed_after(seconds, self.process):
            try:
                send(self.process.stdin, request)
                return receive(self.process.stdout)
            except (BrokenPipeError, EOFError):
                self.process.wait()
                raise EOFError from None

    def log(self) -> str:
        """What it said beside its answer since it was asked last."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def take_cpu_seconds(self) -> float:
        """What it took since this was asked last."""
        try:
            # What clock_getcpuclockid() makes of a process, which Python does not offer.
            now = time.clock_gettime(~self.process.pid << 3 | 2)
        except OSError:
            return 0.0
        before, self._cpu_seconds_counted = self._cpu_seconds_counted, now
        return now - before

    def end(self) -> None:
        """Whatever it does, and leave nothing of it behind."""
        # It may have left the rest of a request unread.
        with suppress(BrokenPipeError):
            self._end()


@contextmanager
def _killed_after(seconds: float | None, process: "subprocess.Popen[bytes]") -> Generator[None]:
    """`TimeoutError` in place of whatever comes of what takes longer."""
    if seconds is None:
        yield
        return
    is_late = Event()

    def kill() -> None:
        is_late.set()
        process.kill()

    timer = Timer(seconds, kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if is_late.is_set():
            raise TimeoutError
