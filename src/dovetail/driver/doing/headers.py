"""Making precompiled headers, and compiling the bodies that belong to them."""

import os
from pathlib import Path

from dovetail.driver.actions import Phase
from dovetail.driver.binding import Job
from dovetail.driver.doing.bench import Task
from dovetail.driver.doing.tracing import search_folders
from dovetail.frontend import (
    PrecompiledHeader,
    header_reads,
    headers_can_be_stored,
    precompile_input,
    store_bodies,
    store_precompiled,
)
from dovetail.frontend.reads import Reads


def precompile(task: Task) -> str:
    """Make a header; returns its identity, empty if it has none or is not in the cache."""
    users = _users(task)
    # Whoever links objects wants only the bodies.
    if not users and not headers_can_be_stored():
        return ""
    made, _ = task.job.outputs
    task.bench.tools.run(task.job.command, precompile_input(), makes=task.job.outputs)
    reads = _reads(task)
    if store_precompiled(_header(task), made, reads):
        return reads.identity if reads else ""
    for job in users:
        task.bench.jobs[job.action] = _taking(job, _header(task).path, made)
    return ""


def _users(task: Task) -> list[Job]:
    """Return the jobs that take the header which the task makes."""
    path = _header(task).path
    return [
        job
        for job in task.bench.jobs.values()
        if job.action.header
        and job.action.header.path == path
        and job.action.phase not in (Phase.PRECOMPILE, Phase.BODIES)
    ]


def _taking(job: Job, cached: Path, made: Path) -> Job:
    """Return a job that takes a header from where it was made instead of from the cache."""
    words = {os.fspath(cached): os.fspath(made)}
    return job._replace(command=tuple(words.get(word, word) for word in job.command))


def compile_bodies(task: Task) -> None:
    """Make the bodies, which complete the header."""
    (identity,) = task.inputs
    made, _ = task.job.outputs
    task.bench.tools.run(task.job.command, precompile_input(), makes=task.job.outputs)
    task.bench.tools.run(task.job.then)
    if headers_can_be_stored():
        store_bodies(_header(task), made, identity, _reads(task))


def freeze_identity(task: Task, made: str) -> bytes | None:
    return made.encode() if made else None


def freeze_bodies(task: Task, made: None) -> bytes:
    return task.job.outputs[0].read_bytes()


def _header(task: Task) -> PrecompiledHeader:
    assert task.action.header
    return task.action.header


def _reads(task: Task) -> Reads | None:
    """What was read for it, and for what it goes with."""
    search = search_folders(task.bench, task.job)
    if search is None:
        return None
    needed = [task.bench.jobs[each].outputs[1] for each in task.action.inputs]
    dependencies = [file for file in (*needed, task.job.outputs[1]) if file.exists()]
    return header_reads(dependencies, search, task.bench.started)
