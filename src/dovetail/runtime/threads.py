"""Threads of the runtime's own, for what the host does while the program goes on.

There are as many as are busy at once: what they do may wait for each other in any way, so none can
be made to wait for a free one. Those that have nothing to do are kept.
"""

from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

Job: TypeAlias = Callable[[], None]


def run_in_thread(job: Job) -> None:
    """Have `job` called by another thread; it must not raise."""
    try:
        worker = _idle.pop()
    except IndexError:
        try:
            worker = _Worker()
        except RuntimeError:
            # The system has no more threads. This one may have to wait now, but it goes on.
            job()
            return
    worker.jobs.put(job)


class _Worker:
    def __init__(self) -> None:
        self.jobs: SimpleQueue[Job] = SimpleQueue()
        # The process does not wait for threads when it ends, but for work.
        Thread(target=self._run, name="dovetail-host", daemon=True).start()

    def _run(self) -> None:
        while True:
            job = self.jobs.get()
            job()
            # What it used must not stay until the next one.
            del job
            _idle.append(self)


_idle: deque[_Worker] = deque()
"""Threads that have nothing to do."""
