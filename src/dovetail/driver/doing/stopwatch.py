"""What a job takes."""

import time

from dovetail.driver.actions import Phase
from dovetail.driver.binding import Job
from dovetail.driver.watching import Spent
from dovetail.processes.pool import WorkerPool


class Stopwatch:
    """What a thread spends from now on for a job."""

    def __init__(self, job: Job, processes: WorkerPool) -> None:
        self._job = job
        self._processes = processes
        processes.time_thread()
        self._cpu = time.thread_time()
        self._start = time.monotonic()

    def spent(self) -> Spent:
        """Until now."""
        wall = time.monotonic() - self._start
        cpu = time.thread_time() - self._cpu + self._processes.take_cpu_seconds()
        if self._job.in_process:
            # No other step has children that this thread does not wait for.
            cpu += self._processes.take_cpu_seconds_of_others()
        if self._job.action.phase is Phase.GENERATE:
            # Compilers may have come up earlier, but for this.
            cpu += self._processes.take_cpu_seconds_of_idle()
        return Spent(self._start, wall, cpu)
