"""Whether a wait may block in the driver, where Ctrl-C does not reach Python's main thread.

Blocking is the fastest way to wait, on an idle machine as on a busy one: a CPU driver runs the
kernel in the thread that waits, and no other thread has to wake up. So it is done if all work
outstanding in the queue is expected to end before anyone notices that an interrupt is late: if
every kernel, over a range of about that size, was quick the last time. What has not been seen yet,
or what waits for other work, may take forever.

The queue itself does what each launch and each wait has to do, as every call takes its time.
"""

from collections.abc import Sequence
from math import inf, prod
from time import perf_counter

from dovetail.runtime.backend import Durations

LONGEST_BLOCK_S = 0.02
"""What may be expected of a wait that blocks."""

LONGEST_POLL_S = 0.001
"""What may be expected of work that a wait polls for: longer work is waited for in the driver."""

_MAX_RANGES = 256
"""How many ranges are remembered; beyond that, all are forgotten."""

_BYTES_PER_S = 1e9
"""What copies and fills reach at least, with a wide margin."""


class WaitPolicy:
    """The work of a queue that is outstanding, and how long it is expected to take.

    Threads share it. What they get wrong makes a wait interruptible that need not be, or the other
    way round, until all work is done.
    """

    __slots__ = ("expected", "newest", "since", "unknown")

    def __init__(self) -> None:
        self.expected = 0.0
        """Seconds that all outstanding work takes."""
        self.newest: object = None
        """The event of the work that was started last; None if no work is outstanding."""
        self.since = 0.0
        """When the oldest outstanding work was started."""
        self.unknown: list[tuple[Durations, tuple[int, ...]]] = []
        """Kernels and ranges whose durations will be known when all work is done."""

    def expect_unknown(
        self, durations: Durations, size: tuple[int, ...], after: Sequence[object]
    ) -> None:
        """Note a launch over a range that the kernel has no duration of, or that waits for others.

        A range of about the same size is expected to take as long.
        """
        seconds = durations.get(prod(size).bit_length(), inf)
        self.expected = inf if after else self.expected + seconds
        if not after:
            self.unknown.append((durations, size))

    def expect_transfer(self, size: int, after: Sequence[object]) -> None:
        """Note a copy, a fill or, of no bytes, a marker."""
        if self.newest is None:
            self.since = perf_counter()
        self.expected = inf if after else self.expected + size / _BYTES_PER_S

    def learn(self, seconds: float) -> None:
        """Note how long all outstanding work took, some of which was new or took too long."""
        is_quick = seconds < LONGEST_BLOCK_S
        for durations, size in self.unknown if is_quick else ():
            if len(durations) >= _MAX_RANGES:
                durations.clear()
            durations[size] = durations[prod(size).bit_length()] = seconds
        self.unknown = []
        # What took long against expectations may do so again.
        self.expected = 0.0 if is_quick else inf
