"""The step that adds completed device code to a source's object file, for any linker."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from dovetail.driver.step import AnyStep, Job, Task
from dovetail.driver.steps.embedded_program import EmbeddedProgram
from dovetail.driver.steps.host_compile import HostCompile
from dovetail.driver.steps.source_object import SourceObject
from dovetail.frontend import Dependencies, join_objects_command


class CompletedObjectFields(NamedTuple):
    """The parts of an object file."""

    host: HostCompile
    embedded: EmbeddedProgram
    output: Path
    dependencies: Dependencies


class CompletedObject(SourceObject, CompletedObjectFields):
    """Make an object that registers its device code itself, and its dependency file.

    The dependency file is the host compilation's: both sides read the same headers.
    """

    __slots__ = ()
    title = "completed object"

    def inputs(self) -> tuple[AnyStep, ...]:
        return (self.host, self.embedded)

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
        return self.named(contents)
