"""The steps that precompile the SYCL headers, and compile the bodies of the host's header."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.step import AnyStep, Job, Session, Step, Task
from dovetail.frontend import (
    PrecompiledHeader,
    bodies_command,
    header_read_set,
    headers_can_be_stored,
    precompile_command,
    precompile_input,
    store_bodies,
    store_precompiled,
    weaken_command,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail.frontend.read_set import ReadSet


class PrecompileHeaderFields(NamedTuple):
    """The header to precompile."""

    header: PrecompiledHeader


class PrecompileHeader(Step[str], PrecompileHeaderFields):
    """Precompile a header. The result is its identity, or empty if it is not cached."""

    __slots__ = ()
    title = "precompile header"
    makes = "precompiled header"
    runs_command = True
    can_be_cached = False  # headers have a separate kind of entry
    identity_in_command = True

    def inputs(self) -> tuple[AnyStep, ...]:
        return ()

    def subject(self) -> str:
        return f"of the {self.header.side}"

    def about(self) -> tuple[str, ...]:
        return (self.header.side,)

    def job(self, place: Path, jobs: "Mapping[AnyStep, Job]") -> Job:
        outputs = (place.with_suffix(".pch"), place.with_suffix(".d"))
        return Job(self, precompile_command(self.header, *outputs), outputs)

    def run(self, task: Task) -> str:
        session = task.session
        users = [job for job in session.jobs.values() if self._is_used_by(job.step)]
        # A build that links objects needs only the bodies.
        if not users and not headers_can_be_stored():
            return ""
        made, _ = task.job.outputs
        session.tools.run(task.job.command, precompile_input(), outputs=task.job.outputs)
        reads = _reads(task)
        if store_precompiled(self.header, made, reads):
            return reads.identity if reads else ""
        for job in users:
            session.jobs[job.step] = _with_header(job, self.header.path, made)
        return ""

    def _is_used_by(self, step: AnyStep) -> bool:
        return self in step.inputs() and not isinstance(step, HeaderBodies)

    def serialize(self, task: Task, result: str) -> bytes | None:
        return result.encode() if result else None


class HeaderBodiesFields(NamedTuple):
    """The step that precompiles the header."""

    precompiled: PrecompileHeader


class HeaderBodies(Step[None], HeaderBodiesFields):
    """Compile the bodies of a header's functions, and store the header with them."""

    __slots__ = ()
    title = "compile header's bodies"
    makes = "object"
    side = "host"
    runs_command = True
    can_be_cached = False
    identity_in_command = True

    def inputs(self) -> tuple[AnyStep, ...]:
        return (self.precompiled,)

    def subject(self) -> str:
        return self.precompiled.subject()

    def job(self, place: Path, jobs: "Mapping[AnyStep, Job]") -> Job:
        outputs = (place.with_suffix(".o"), place.with_suffix(".d"))
        command = bodies_command(self.precompiled.header, *outputs)
        return Job(self, command, outputs, then=weaken_command(outputs[0]))

    def run(self, task: Task) -> None:
        identity = task.results.of(self.precompiled)
        made, _ = task.job.outputs
        task.session.tools.run(task.job.command, precompile_input(), outputs=task.job.outputs)
        task.session.tools.run(task.job.then)
        if headers_can_be_stored():
            store_bodies(self.precompiled.header, made, identity, _reads(task))

    def serialize(self, task: Task, result: None) -> bytes:
        return task.job.outputs[0].read_bytes()


def _with_header(job: Job, cached: Path, made: Path) -> Job:
    """Return a job that uses the header `made` instead of the one in the cache."""
    words = {os.fspath(cached): os.fspath(made)}
    return job._replace(command=tuple(words.get(word, word) for word in job.command))


def _reads(task: Task) -> "ReadSet | None":
    """Return the read set of a header and of its bodies; None if it is unknown."""
    from dovetail.driver.tracing import search_folders

    session: Session = task.session
    search = search_folders(session, task.job)
    if search is None:
        return None
    needed = [session.jobs[each].outputs[1] for each in task.job.step.inputs()]
    dependencies = [file for file in (*needed, task.job.outputs[1]) if file.exists()]
    return header_read_set(dependencies, search, session.started)
