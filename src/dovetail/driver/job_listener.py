"""How a plan is executed: listeners of its jobs, and the number of parallel steps."""

import os
from collections.abc import Sequence
from typing import NamedTuple

from dovetail.driver.step import Job


class Spent(NamedTuple):
    """The time that a job took, in seconds."""

    start: float
    """The value of `time.monotonic` at its start."""
    wall: float
    cpu: float
    """The CPU time of this process and of the programs that it ran for the job."""


class Specialised(NamedTuple):
    """The SPIR-V of a conditional image, specialized for some targets."""

    image: int
    """The image's number."""
    targets: tuple[str, ...]
    code: bytes
    spent: Spent


class JobListener:
    """Receives events of jobs, each in the thread that runs it. This one ignores them."""

    needs_all = False
    """Whether every job has to run, even if its outcome is cached."""

    def planned(self, jobs: Sequence[Job]) -> None:
        """The plan has these jobs. Each runs unless it is cached or another one fails."""

    def cached(self, job: Job) -> None:
        """The outcome of the job is cached, so it does not run."""

    def started(self, job: Job) -> None:
        """The job starts."""

    def intermediate_result(self, job: Job, made: object) -> None:
        """The job has an intermediate result."""

    def finished(self, job: Job, made: object, spent: Spent) -> None:
        """The job has finished. Steps that need its result wait until this returns."""


class JobListeners(JobListener):
    """Passes events to several listeners."""

    def __init__(self, *listeners: JobListener) -> None:
        self._listeners = listeners
        self.needs_all = any(each.needs_all for each in listeners)

    def planned(self, jobs: Sequence[Job]) -> None:
        for each in self._listeners:
            each.planned(jobs)

    def cached(self, job: Job) -> None:
        for each in self._listeners:
            each.cached(job)

    def started(self, job: Job) -> None:
        for each in self._listeners:
            each.started(job)

    def intermediate_result(self, job: Job, made: object) -> None:
        for each in self._listeners:
            each.intermediate_result(job, made)

    def finished(self, job: Job, made: object, spent: Spent) -> None:
        for each in self._listeners:
            each.finished(job, made, spent)


def all_cores() -> int:
    """Return the number of CPU cores that this process may use."""
    return len(os.sched_getaffinity(0))


class ExecutionOptions(NamedTuple):
    """How a plan is executed; does not affect its result."""

    listener: JobListener = JobListener()
    parallelism: int = 0
    """The maximum number of parallel steps; 0 for the number of cores."""
