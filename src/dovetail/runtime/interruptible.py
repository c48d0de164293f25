"""Waits in a driver that Ctrl-C can interrupt.

Python handles signals in its main thread, between bytecode instructions, so not while that thread
waits in a driver. The main thread therefore leaves long waits to another thread, and waits for that
one in a way that Python can interrupt. The work itself cannot be canceled: after an interrupt it
stays in flight, and the other thread waits on.
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
    """Return whether the calling thread must not wait in a driver itself."""
    return get_ident() == main_thread().ident and callable(signal.getsignal(signal.SIGINT))


def wait_interruptibly(wait: Callable[[], object]) -> None:
    """Call `wait`, in this thread or another, and raise what it raises, or `KeyboardInterrupt`."""
    if not waits_elsewhere():
        _counted(wait)
        return
    job = _Job(wait)
    # Added now: an interrupt may come before the other thread has begun.
    _unfinished.add(job)
    try:
        run_in_thread(job.do)
    except BaseException:
        # The job may never begin; if it does, it adds itself.
        if not job.has_begun:
            _unfinished.discard(job)
        raise
    _counted(job.result)


def has_unfinished_waits() -> bool:
    """Return whether another thread is still in a driver, for or after a wait of the main thread.

    Python must not exit then: C++ code that returns to a finalized interpreter ends the process.
    """
    return bool(_unfinished)


def _counted(wait: Callable[[], object]) -> None:
    """Call `wait`, and count it as unfinished meanwhile."""
    global waits
    waits += 1
    try:
        wait()
    finally:
        waits -= 1


class _Job:
    """A wait in another thread."""

    def __init__(self, wait: Callable[[], object]) -> None:
        self._wait = wait
        self.has_begun = False
        self._failure: BaseException | None = None
        self._over = Lock()
        self._over.acquire()

    def do(self) -> None:
        self.has_begun = True
        _unfinished.add(self)
        try:
            _counted(self._wait)
        except BaseException as error:
            self._failure = error
        _unfinished.discard(self)
        self._over.release()

    def result(self) -> None:
        """Return when the wait is over; raise what it raised."""
        # A signal that comes just before Python blocks does not end `acquire`; Python handles it
        # after the timeout.
        while not self._over.acquire(timeout=_SIGNAL_CHECK_S):
            pass
        if self._failure is not None:
            raise self._failure


_unfinished: set[_Job] = set()
# A forked child has no other threads.
os.register_at_fork(after_in_child=_unfinished.clear)
