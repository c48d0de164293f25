"""Worker threads for what the host does, and for long waits.

There are as many workers as are busy at once: jobs may wait for each other in any way, so no job
can wait for a free worker. Idle workers are kept.
"""

from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from types import CodeType
from typing import TypeAlias

Job: TypeAlias = Callable[[], None]

jobs: int = 0
"""The number of jobs that have begun and not returned."""
counting_code: set[CodeType] = set()
"""The code of functions that count the calling thread as in the runtime."""


def run_in_thread(job: Job) -> None:
    """Have `job` called by another thread; it must not raise."""
    try:
        worker = _idle.pop()
    except IndexError:
        try:
            worker = _Worker()
        except RuntimeError:
            # The system has no more threads, so the caller runs the job, which may block.
            job()
            return
    worker.jobs.put(job)


class _Worker:
    def __init__(self) -> None:
        self.jobs: SimpleQueue[Job] = SimpleQueue()
        # The process does not wait for threads when it ends, but for work.
        Thread(target=self._run, name="dovetail-host", daemon=True).start()

    def _run(self) -> None:
        """Run jobs forever; after each, be idle again."""
        global jobs
        while True:
            job = self.jobs.get()
            jobs += 1
            try:
                job()
            finally:
                jobs -= 1
            # What it used must not stay until the next one.
            del job
            _idle.append(self)


counting_code.add(_Worker._run.__code__)  # pyright: ignore[reportPrivateUsage]
_idle: deque[_Worker] = deque()
"""Workers that have nothing to do."""
