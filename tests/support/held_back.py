"""Work that is not done before a test lets it."""

from collections.abc import Generator
from contextlib import contextmanager

from dovetail.runtime import Queue


@contextmanager
def held_back(queue: Queue) -> Generator[None]:
    """Whatever is given to the queue meanwhile is under way until the end."""
    gate = queue.device.native.new_gate()
    queue.pending.queue.marker([gate.event])
    # A test may drop the queue, and want it gone.
    del queue
    try:
        yield
    finally:
        gate.open()
