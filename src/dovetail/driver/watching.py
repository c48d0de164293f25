"""How a plan is executed: who watches its jobs, and how many run in parallel."""

import os
from collections.abc import Sequence
from typing import NamedTuple

from dovetail.driver.step import Job


class Spent(NamedTuple):
    """The time that a job took, in seconds."""

    start: float
    """By `time.monotonic`."""
    wall: float
    cpu: float
    """Of this process and of programs that it started for the job."""


class Specialised(NamedTuple):
    """The SPIR-V of a conditional image as it is compiled for some targets."""

    image: int
    """Its number."""
    targets: tuple[str, ...]
    code: bytes
    spent: Spent


class Watcher:
    """Receives events of jobs, each in the thread that runs it. This one ignores them."""

    needs_all = False
    """Whether every job has to run, although its outcome may be in the cache."""

    def planned(self, jobs: Sequence[Job]) -> None:
        """These are going to run, unless one fails or its outcome is in the cache."""

    def cached(self, job: Job) -> None:
        """The outcome of the job is in the cache: it does not run."""

    def started(self, job: Job) -> None:
        """The job begins."""

    def made_meanwhile(self, job: Job, made: object) -> None:
        """Something that stays inside of a job is there."""

    def finished(self, job: Job, made: object, spent: Spent) -> None:
        """The job is done. Steps that need its result wait until this returns."""


class Watchers(Watcher):
    """Passes events on to several."""

    def __init__(self, *watchers: Watcher) -> None:
        self._watchers = watchers
        self.needs_all = any(each.needs_all for each in watchers)

    def planned(self, jobs: Sequence[Job]) -> None:
        for each in self._watchers:
            each.planned(jobs)

    def cached(self, job: Job) -> None:
        for each in self._watchers:
            each.cached(job)

    def started(self, job: Job) -> None:
        for each in self._watchers:
            each.started(job)

    def made_meanwhile(self, job: Job, made: object) -> None:
        for each in self._watchers:
            each.made_meanwhile(job, made)

    def finished(self, job: Job, made: object, spent: Spent) -> None:
        for each in self._watchers:
            each.finished(job, made, spent)


def all_cores() -> int:
    """As many as this process may use."""
    return len(os.sched_getaffinity(0))


class ExecutionOptions(NamedTuple):
    """How a plan is executed, whatever comes of it."""

    watcher: Watcher = Watcher()
    parallelism: int = 0
    """How many steps run in parallel; 0 for as many as there are cores."""
