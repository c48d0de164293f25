"""What work costs, in a measure that other work on the machine hardly changes."""

import time
from collections.abc import Callable


def effort(work: Callable[[], object]) -> float:
    """The processor's seconds that this thread takes for the work, at the best of five times.

    They mean something only beside another effort of the same machine.
    """
    return min(_once(work) for _ in range(5))


def _once(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start
