"""Waiting in a driver so that Ctrl-C gets through.

Python handles signals in its main thread, between two of its own instructions; a driver that waits
does not come back for that. So the main thread leaves long waits to another thread, and waits for
that one in a way that Python can interrupt. The work itself cannot be called back: whoever is
interrupted leaves it under way, and the other thread waits on.
"""

import signal
from collections.abc import Callable
from threading import Lock, get_ident, main_thread

from dovetail.runtime.threads import run_in_thread


def waits_elsewhere() -> bool:
    """Whether the calling thread must not wait in a driver itself."""
    return get_ident() == main_thread().ident and callable(signal.getsignal(signal.SIGINT))


def wait_interruptibly(wait: Callable[[], object]) -> None:
    """Call `wait`, in this thread or another, and raise what it raises, or `KeyboardInterrupt`."""
    if not waits_elsewhere():
        wait()
        return
    job = _Job(wait)
    run_in_thread(job.do)
    job.result()


class _Job:
    """Something to wait for."""

    def __init__(self, wait: Callable[[], object]) -> None:
        self._wait = wait
        self._failure: BaseException | None = None
        self._over = Lock()
        self._over.acquire()

    def do(self) -> None:
        try:
            self._wait()
        except BaseException as error:
            self._failure = error
        self._over.release()

    def result(self) -> None:
        """Return when it is over; raise what it raised."""
        self._over.acquire()
        if self._failure is not None:
            raise self._failure
