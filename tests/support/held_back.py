"""Work that does not finish until a test permits it."""

from collections.abc import Generator
from contextlib import contextmanager

from dovetail.runtime import Queue


@contextmanager
def held_back(queue: Queue) -> Generator[None]:
    """Keep work that is submitted to the queue in this context in flight until its end."""
    gate = queue.device.native.new_gate()
    queue.pending.queue.marker([gate.event])
    # A test may drop the queue, and want it gone.
    del queue
    try:
        yield
    finally:
        gate.open()
