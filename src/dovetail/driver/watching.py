"""Watching jobs as they are done: what is shown, kept and timed of them is no affair of theirs."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dovetail.driver.bind import Job
from dovetail.driver.slots import all_cores
from dovetail.frontend import Tools


def title_of(job: Job) -> str:
    """What a job does, with what, for people to read."""
    action = job.action
    of = action.source.path if action.source else action.target.name if action.target else ""
    side = f"of the {action.header.side}" if action.header and not action.source else ""
    return " ".join(filter(None, (action.phase, of, side)))


@dataclass(frozen=True)
class Spent:
    """The time that a job took, in seconds."""

    start: float
    """By `time.monotonic`."""
    wall: float
    cpu: float
    """Of this process and of programs that it started for the job."""


class Watcher:
    """Is told of jobs, each by the thread that does it. This one does nothing about it."""

    def planned(self, jobs: Sequence[Job]) -> None:
        """These are going to be done, unless one fails."""

    def started(self, job: Job) -> None:
        """The job begins."""

    def made_meanwhile(self, job: Job, made: Any) -> None:
        """Something that stays inside of a job is there."""

    def finished(self, job: Job, made: Any, spent: Spent) -> None:
        """The job is done. Whoever needs what it made waits until this returns."""


class Watchers(Watcher):
    """Tells several."""

    def __init__(self, *watchers: Watcher) -> None:
        self._watchers = watchers

    def planned(self, jobs: Sequence[Job]) -> None:
        for each in self._watchers:
            each.planned(jobs)

    def started(self, job: Job) -> None:
        for each in self._watchers:
            each.started(job)

    def made_meanwhile(self, job: Job, made: Any) -> None:
        for each in self._watchers:
            each.made_meanwhile(job, made)

    def finished(self, job: Job, made: Any, spent: Spent) -> None:
        for each in self._watchers:
            each.finished(job, made, spent)


@dataclass(frozen=True)
class Manner:
    """How a request is carried out, whatever comes of it."""

    watcher: Watcher = field(default_factory=Watcher)
    at_once: int = field(default_factory=all_cores)
    """How many things are done at a time."""


class Stopwatch:
    """What a thread spends from now on for a job."""

    def __init__(self, job: Job, tools: Tools) -> None:
        self._job = job
        self._tools = tools
        tools.take_cpu_seconds()
        self._cpu = time.thread_time()
        self._start = time.monotonic()

    def spent(self) -> Spent:
        """Until now."""
        wall = time.monotonic() - self._start
        cpu = time.thread_time() - self._cpu + self._tools.take_cpu_seconds()
        if self._job.in_process:
            # No other step has children that are not started by `tools`.
            cpu += self._tools.take_cpu_seconds_of_others()
        return Spent(self._start, wall, cpu)
