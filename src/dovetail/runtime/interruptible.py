"""Waiting in a driver so that Ctrl-C gets through.

Python handles signals in its main thread, between two of its own instructions; a driver that waits
does not come back for that. So the main thread leaves long waits to another thread, and waits for
that one in a way that Python can interrupt. The work itself cannot be called back: whoever is
interrupted leaves it under way, and the other thread waits on.
"""

import signal
from collections import deque
from collections.abc import Callable
from threading import Lock, Thread, get_ident, main_thread


def wait_interruptibly(wait: Callable[[], None]) -> None:
    """Call `wait`, in this thread or another, and raise what it raises, or `KeyboardInterrupt`."""
    if get_ident() != main_thread().ident or not _python_handles_interrupts():
        wait()
        return
    try:
        waiter = _idle.pop()
    except IndexError:
        waiter = _Waiter()
    waiter.wait(wait)


def _python_handles_interrupts() -> bool:
    return callable(signal.getsignal(signal.SIGINT))


class _Job:
    """Something to wait for."""

    def __init__(self, wait: Callable[[], None]) -> None:
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


class _Waiter:
    """A thread that waits for others."""

    def __init__(self) -> None:
        self._job: _Job | None = None
        self._has_job = Lock()
        self._has_job.acquire()
        # Nobody waits for it when Python ends: it may itself wait for something that never comes.
        Thread(target=self._run, name="dovetail-waiter", daemon=True).start()

    def wait(self, wait: Callable[[], None]) -> None:
        job = self._job = _Job(wait)
        self._has_job.release()
        job.result()

    def _run(self) -> None:
        while True:
            self._has_job.acquire()
            job, self._job = self._job, None
            # It is free again, or will be as soon as it has done this one.
            if job is not None:
                job.do()
            del job
            _idle.append(self)


_idle: deque[_Waiter] = deque()
"""Threads that have nothing to wait for."""
