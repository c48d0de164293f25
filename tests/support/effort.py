"""The processor time of work, which other work on the machine hardly affects."""

import time
from collections.abc import Callable


def effort(work: Callable[[], object]) -> float:
    """Return the processor seconds that this thread needs for the work: the least of five runs.

    They are meaningful only in comparison with another effort on the same machine.
    """
    return min(_once(work) for _ in range(5))


def _once(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start
