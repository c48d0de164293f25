"""Whether a wait may block in the driver, where Ctrl-C does not reach Python's main thread.

Blocking is the fastest way to wait, on an idle and on a busy machine: a CPU driver runs the kernel
in the waiting thread, and no other thread has to wake up. So a wait blocks if all outstanding work
of the queue is expected to end before a user notices the delay of an interrupt: if every kernel,
over a range of about the same size, was quick the last time. New work, and work that waits for
other work, may take forever.

The queue contains the code for each launch and wait itself, to save calls.
"""

from collections.abc import Sequence
from math import inf, prod
from time import perf_counter

from dovetail.runtime.backend import Durations

LONGEST_BLOCK_S = 0.02
"""The maximum expected duration of a wait that blocks."""

LONGEST_POLL_S = 0.001
"""The maximum expected duration of work that a wait polls for."""

_MAX_RANGES = 256
"""The maximum number of recorded ranges; beyond it, all are dropped."""

_BYTES_PER_S = 1e9
"""The minimum throughput of copies and fills, with a wide margin."""


class ExpectedDurations:
    """The outstanding work of a queue, and its expected duration.

    Threads share it without a lock. Errors only affect whether waits are interruptible, until all
    work is done.
    """

    __slots__ = ("newest", "seconds", "since", "unknown")

    def __init__(self) -> None:
        self.seconds = 0.0
        """The expected seconds for all outstanding work."""
        self.newest: object = None
        """The event of the work that was started last; None if no work is outstanding."""
        self.since = 0.0
        """When the oldest outstanding work was started."""
        self.unknown: list[tuple[Durations, tuple[int, ...]]] = []
        """Kernels and ranges whose durations are learned when all work is done."""

    def expect_unknown(
        self, durations: Durations, size: tuple[int, ...], after: Sequence[object]
    ) -> None:
        """Record a launch over a range without a known duration, or with dependencies.

        A range of about the same size is expected to take as long.
        """
        seconds = durations.get(prod(size).bit_length(), inf)
        self.seconds = inf if after else self.seconds + seconds
        if not after:
            self.unknown.append((durations, size))

    def expect_transfer(self, size: int, after: Sequence[object]) -> None:
        """Record a copy, a fill, or a marker, which has 0 bytes."""
        if self.newest is None:
            self.since = perf_counter()
        self.seconds = inf if after else self.seconds + size / _BYTES_PER_S

    def learn(self, seconds: float) -> None:
        """Record the duration of all outstanding work, if some of it was new or slow."""
        is_quick = seconds < LONGEST_BLOCK_S
        for durations, size in self.unknown if is_quick else ():
            if len(durations) >= _MAX_RANGES:
                durations.clear()
            durations[size] = durations[prod(size).bit_length()] = seconds
        self.unknown = []
        # Work that was unexpectedly slow may be so again.
        self.seconds = 0.0 if is_quick else inf
