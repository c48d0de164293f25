"""Waiting in a driver so that Ctrl-C gets through.

Python handles signals in its main thread, between two of its own instructions; a driver that waits
does not come back for that. So the main thread leaves long waits to another thread, and waits for
that one in a way that Python can interrupt. The work itself cannot be called back: whoever is
interrupted leaves it under way, and the other thread waits on.
"""

import os
import signal
from collections.abc import Callable
from threading import Lock, get_ident, main_thread

from dovetail.runtime.threads import run_in_thread

_SIGNAL_CHECK_S = 0.1

waits: int = 0
"""The number of threads that wait here, in a driver or for the thread that does."""


def waits_elsewhere() -> bool:
    """Whether the calling thread must not wait in a driver itself."""
    return get_ident() == main_thread().ident and callable(signal.getsignal(signal.SIGINT))


def wait_interruptibly(wait: Callable[[], object]) -> None:
    """Call `wait`, in this thread or another, and raise what it raises, or `KeyboardInterrupt`."""
    if not waits_elsewhere():
        _counted(wait)
        return
    job = _Job(wait)
    # Counted from here on: an interrupt may come before the other thread has begun.
    _under_way.add(job)
    try:
        run_in_thread(job.do)
    except BaseException:
        # It may never be begun; if it is after all, it counts itself.
        if not job.has_begun:
            _under_way.discard(job)
        raise
    _counted(job.result)


def someone_waits() -> bool:
    """Whether another thread is still in a driver, for the main thread or left by it.

    Python must not end then: C++ code that comes back to a Python that is gone ends the process.
    """
    return bool(_under_way)


def _counted(wait: Callable[[], object]) -> None:
    global waits
    waits += 1
    try:
        wait()
    finally:
        waits -= 1


class _Job:
    """Something to wait for."""

    def __init__(self, wait: Callable[[], object]) -> None:
        self._wait = wait
        self.has_begun = False
        self._failure: BaseException | None = None
        self._over = Lock()
        self._over.acquire()

    def do(self) -> None:
        self.has_begun = True
        _under_way.add(self)
        try:
            _counted(self._wait)
        except BaseException as error:
            self._failure = error
        _under_way.discard(self)
        self._over.release()

    def result(self) -> None:
        """Return when it is over; raise what it raised."""
        # A signal that comes just before Python blocks does not end the wait; Python sees it when
        # it looks again.
        while not self._over.acquire(timeout=_SIGNAL_CHECK_S):
            pass
        if self._failure is not None:
            raise self._failure


_under_way: set[_Job] = set()
# A child that was forked has no other threads.
os.register_at_fork(after_in_child=_under_way.clear)
