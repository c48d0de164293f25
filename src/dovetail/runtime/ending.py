"""Waiting for device work when Python exits.

Memory must outlive the work that uses it, so Python waits for the work. After an interrupt it waits
only for a moment: then the process terminates by SIGINT, and the system frees the memory.
"""

import atexit
import os
import signal
import sys
import time
from contextlib import suppress
from typing import Protocol
from weakref import WeakSet

from dovetail.runtime.interruptible import has_unfinished_waits

GRACE_PERIOD_S = 0.2
"""How long to wait for work after an interrupt, for a regular exit."""
POLL_INTERVAL_S = 0.005


class PendingWork(Protocol):
    """Work that has to finish before Python exits."""

    @property
    def is_idle(self) -> bool: ...

    def settle(self) -> None: ...


_registered: WeakSet[PendingWork] = WeakSet()
# A forked child has neither the drivers' threads nor their work.
os.register_at_fork(after_in_child=_registered.clear)


def settle_before_python_ends(work: PendingWork) -> None:
    """Register the work, so that Python waits for it at exit if the object still exists."""
    if not _registered:
        # Registered for the first work; registering it twice does no harm.
        atexit.register(_wait_at_exit)
    _registered.add(work)


def _wait_at_exit() -> None:
    """Wait for all registered work.

    After an interrupt, terminate the process if that takes longer than the grace period.
    """
    pending = list(_registered)
    try:
        if not _was_interrupted():
            for work in pending:
                work.settle()
            while has_unfinished_waits():
                time.sleep(POLL_INTERVAL_S)
            return
    except KeyboardInterrupt:
        pass
    until = time.monotonic() + GRACE_PERIOD_S
    while has_unfinished_waits() or not all(work.is_idle for work in pending):
        if time.monotonic() > until:
            _terminate_by_sigint()
        time.sleep(POLL_INTERVAL_S)


def _was_interrupted() -> bool:
    """Whether Python exits because of an unhandled interrupt."""
    kind: object = getattr(sys, "last_type", None)
    return kind is KeyboardInterrupt


def _terminate_by_sigint() -> None:
    """Flush the streams, then end the process by SIGINT, without exit handlers."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)
