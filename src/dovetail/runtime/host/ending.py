"""Waiting until no other thread is in a driver, before the process ends.

Drivers clean up while the process ends, and crash if a thread is still using them. The program's
threads cannot be stopped, but they reach drivers only through the runtime, which counts them.
"""

from inspect import currentframe
from time import monotonic, sleep
from traceback import walk_stack

from dovetail.runtime import interruptible, threads
from dovetail.runtime.host import guard

TIMEOUT_S = 2.0
POLL_INTERVAL_S = 0.001
QUIET_POLLS = 3
"""How many polls in a row must find no other thread."""


def wait_for_other_threads() -> None:
    """Return when no other thread is in the runtime, or after `TIMEOUT_S`."""
    until = monotonic() + TIMEOUT_S
    # The process may be ended in a host task, or by a signal's handler during a call.
    own = sum(frame.f_code in threads.counting_code for frame, _ in walk_stack(currentframe()))
    quiet_polls = 0
    while quiet_polls < QUIET_POLLS and monotonic() < until:
        # Threads about to enter wait for Python's lock and are counted once this releases it.
        sleep(POLL_INTERVAL_S)
        quiet_polls = quiet_polls + 1 if threads_inside() <= own else 0


def threads_inside() -> int:
    """Return how many threads are in the runtime, where they may use a driver.

    Threads in `wait_interruptibly` may be left behind, so they do not count.
    """
    return guard.calls + threads.jobs - interruptible.waits
