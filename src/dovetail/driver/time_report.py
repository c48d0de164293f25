"""The time that each step of a build took: `-ftime-report`."""

import json
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from dovetail.driver.job_listener import JobListener, Specialised, Spent
from dovetail.driver.step import AnyStep, Job

_HEAD = f"{'wall':>9} {'cpu':>9} {'share':>6}  step"
_ELSEWHERE = "elsewhere: Python's start, planning, writing"


@dataclass(frozen=True)
class TimedStep:
    """A step or a part of it, with its time."""

    name: str
    spent: Spent
    parts: list["TimedStep"] = field(default_factory=list["TimedStep"])
    """The parts that were timed separately."""


class TimeReport(JobListener):
    """Collects the time of each job."""

    needs_all = True

    def __init__(self) -> None:
        self._steps: list[TimedStep] = []
        self._parts: dict[AnyStep, list[TimedStep]] = {}
        self._lock = Lock()

    def intermediate_result(self, job: Job, made: object) -> None:
        if isinstance(made, Specialised):
            name = f"specializing image {made.image} for {', '.join(made.targets)}"
            with self._lock:
                self._parts.setdefault(job.step, []).append(TimedStep(name, made.spent))

    def finished(self, job: Job, made: object, spent: Spent) -> None:
        with self._lock:
            self._steps.append(TimedStep(job.step.label(), spent, self._parts.get(job.step, [])))

    @property
    def steps(self) -> list[TimedStep]:
        """The steps, longest first."""
        return sorted(self._steps, key=lambda step: -step.spent.wall)

    def text(self) -> str:
        """Return the report as a table."""
        steps, elapsed = self.steps, elapsed_in_process()
        wall = sum(step.spent.wall for step in steps)
        cpu = sum(step.spent.cpu for step in steps)
        busy = busy_seconds(step.spent for step in steps)
        lines = ["dovetail: where time went, in seconds", _HEAD]
        for step in steps:
            share = step.spent.wall / wall if wall else 0.0
            lines.append(f"{step.spent.wall:9.3f} {step.spent.cpu:9.3f} {share:6.1%}  {step.name}")
            for part in step.parts:
                taken = f"{part.spent.wall:9.3f} {part.spent.cpu:9.3f}"
                lines.append(f"{taken} {'':6}  of that: {part.name}")
        lines.append(f"{wall:9.3f} {cpu:9.3f} {'':6}  sum of {len(steps)} steps")
        at_once = f", {wall / busy:.1f} at once on average" if busy else ""
        lines.append(f"{busy:9.3f} {'':9} {'':6}  passed while steps ran{at_once}")
        lines.append(f"{elapsed - busy:9.3f} {'':9} {'':6}  {_ELSEWHERE}")
        lines.append(f"{elapsed:9.3f} {'':9} {'':6}  elapsed")
        return "\n".join(lines)

    def json(self) -> str:
        """Return the report as one line of JSON."""
        steps = self.steps
        first = min((step.spent.start for step in steps), default=0.0)
        rows = [_row(step, first) for step in steps]
        busy = busy_seconds(step.spent for step in steps)
        return json.dumps(
            {"steps": rows, "busy": round(busy, 6), "elapsed": round(elapsed_in_process(), 6)}
        )


def _row(step: TimedStep, first: float) -> dict[str, object]:
    """Return a step for JSON, with times relative to `first`."""
    row: dict[str, object] = {
        "step": step.name,
        "start": round(step.spent.start - first, 6),
        "wall": round(step.spent.wall, 6),
        "cpu": round(step.spent.cpu, 6),
    }
    return {**row, "parts": [_row(part, first) for part in step.parts]} if step.parts else row


def busy_seconds(spent: Iterable[Spent]) -> float:
    """Return how long at least one step was running."""
    busy, until = 0.0, 0.0
    for each in sorted(spent, key=lambda each: each.start):
        end = each.start + each.wall
        busy += max(0.0, end - max(each.start, until))
        until = max(until, end)
    return busy


def elapsed_in_process() -> float:
    """Return the time since this process was created, including Python's start."""
    # The third field follows the name, which is in parentheses; the start time is the 22nd.
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    started = int(fields[22 - 3]) / os.sysconf("SC_CLK_TCK")
    return time.clock_gettime(time.CLOCK_BOOTTIME) - started
