"""Work that is under way when Python ends.

Memory that work uses must not go before the work is done, so Python waits for it. A user who has
interrupted the program does not want to wait: then the process ends as it does when nobody handles
the interrupt, and the system takes back what the work was using.
"""

import atexit
import os
import signal
import sys
import time
from contextlib import suppress
from typing import Protocol
from weakref import WeakSet

from dovetail.runtime.interruptible import someone_waits

GRACE_PERIOD_S = 0.2
"""Seconds that work gets to finish after an interrupt; a process that ends by itself is better."""
POLL_INTERVAL_S = 0.005


class PendingWork(Protocol):
    """What is waited for."""

    @property
    def is_idle(self) -> bool: ...

    def settle(self) -> None: ...


_watched: WeakSet[PendingWork] = WeakSet()
# A child that was forked has neither the drivers' threads nor their work.
os.register_at_fork(after_in_child=_watched.clear)


def settle_before_python_ends(work: PendingWork) -> None:
    """Wait for the work when Python ends, if it is still there."""
    if not _watched:
        # Once for all: registering a function again would call it twice, which does no harm.
        atexit.register(_end)
    _watched.add(work)


def _end() -> None:
    watched = list(_watched)
    try:
        if not _was_interrupted():
            for work in watched:
                work.settle()
            while someone_waits():
                time.sleep(POLL_INTERVAL_S)
            return
    except KeyboardInterrupt:
        pass
    until = time.monotonic() + GRACE_PERIOD_S
    while someone_waits() or not all(work.is_idle for work in watched):
        if time.monotonic() > until:
            _die_of_interrupt()
        time.sleep(POLL_INTERVAL_S)


def _was_interrupted() -> bool:
    """Whether Python ends since nobody has handled an interrupt."""
    kind: object = getattr(sys, "last_type", None)
    return kind is KeyboardInterrupt


def _die_of_interrupt() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)
