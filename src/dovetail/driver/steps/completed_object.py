"""The step that adds completed device code to a source's object file, for any linker."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from dovetail.driver.step import AnyStep, Job, Session, Step, Task
from dovetail.driver.steps.clang import has_known_reads
from dovetail.driver.steps.embedded_program import EmbeddedProgram
from dovetail.driver.steps.host_compile import HostCompile
from dovetail.errors import FormatError
from dovetail.frontend import Dependencies, join_objects_command
from dovetail.packing import packed, unpacked


class CompletedObjectFields(NamedTuple):
    """The parts of an object file."""

    host: HostCompile
    embedded: EmbeddedProgram
    output: Path
    dependencies: Dependencies


class CompletedObject(Step[dict[Path, bytes]], CompletedObjectFields):
    """Make an object that registers its device code itself, and its dependency file.

    The dependency file is the host compilation's: both sides read the same headers.
    """

    __slots__ = ()
    title = "completed object"
    makes = "object"
    runs_command = True
    can_be_restored = True

    def inputs(self) -> tuple[AnyStep, ...]:
        return (self.host, self.embedded)

    def subject(self) -> str:
        return self.host.subject()

    def is_cacheable(self) -> bool:
        return has_known_reads(self.host.source)

    def job(self, place: Path, jobs: Mapping[AnyStep, Job]) -> Job:
        compiled, *dependencies = jobs[self.host].outputs
        output = place.with_suffix(".o")
        # First: its initializer registers the device code.
        command = join_objects_command([jobs[self.embedded].outputs[0], compiled], output)
        return Job(self, command, (output,), (compiled, *dependencies))

    def run(self, task: Task) -> dict[Path, bytes]:
        task.session.tools.run(task.job.command, outputs=task.job.outputs)
        _, *dependencies = task.job.inputs
        contents = [file.read_bytes() for file in (*task.job.outputs, *dependencies)]
        return dict(zip(self._files(), contents, strict=False))

    def _files(self) -> list[Path]:
        """Return the paths of the object and of its dependency file."""
        return [self.output, self.dependencies.path(os.fspath(self.output))]

    def serialize(self, task: Task, result: dict[Path, bytes]) -> bytes:
        return packed(result.values())

    def deserialize(self, content: bytes, session: Callable[[], Session]) -> dict[Path, bytes]:
        parts = unpacked(content)
        count = 2 if self.dependencies.mode else 1
        if len(parts) != count:
            raise FormatError(f"expected an object in {count} files, got {len(parts)}")
        return dict(zip(self._files(), parts, strict=False))
