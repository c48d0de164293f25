"""How a request is carried out: who watches its jobs, and how many are done at a time.

What is shown, kept and timed of jobs is no affair of theirs.
"""

import os
from collections.abc import Sequence
from typing import NamedTuple

from dovetail.driver.binding import Job


def title_of(job: Job) -> str:
    """What a job does, with what, for people to read."""
    action = job.action
    of = action.source.path if action.source else action.target.name if action.target else ""
    side = f"of the {action.header.side}" if action.header and not action.source else ""
    return " ".join(filter(None, (action.phase, of, side)))


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
    """Is told of jobs, each by the thread that does it. This one does nothing about it."""

    needs_all = False
    """Whether every job is to be done, although what it makes may be kept from earlier."""

    def planned(self, jobs: Sequence[Job]) -> None:
        """These are going to be done, unless one fails or what it makes is kept."""

    def kept(self, job: Job) -> None:
        """The job was done earlier, and need not be now."""

    def started(self, job: Job) -> None:
        """The job begins."""

    def made_meanwhile(self, job: Job, made: object) -> None:
        """Something that stays inside of a job is there."""

    def finished(self, job: Job, made: object, spent: Spent) -> None:
        """The job is done. Whoever needs what it made waits until this returns."""


class Watchers(Watcher):
    """Tells several."""

    def __init__(self, *watchers: Watcher) -> None:
        self._watchers = watchers
        self.needs_all = any(each.needs_all for each in watchers)

    def planned(self, jobs: Sequence[Job]) -> None:
        for each in self._watchers:
            each.planned(jobs)

    def kept(self, job: Job) -> None:
        for each in self._watchers:
            each.kept(job)

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


class Manner(NamedTuple):
    """How a request is carried out, whatever comes of it."""

    watcher: Watcher = Watcher()
    at_once: int = 0
    """How many things are done at a time; 0 for as many as there are cores."""
