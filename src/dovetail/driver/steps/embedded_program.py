"""The step that embeds a device program in an object file, for programs and libraries."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from dovetail.driver.step import AnyStep, Job, SavedResults, Task
from dovetail.driver.steps.clang import FilesStep
from dovetail.driver.steps.packaging import Packaging
from dovetail.frontend import embed_command


class EmbeddedProgramFields(NamedTuple):
    """The program to embed."""

    program: Packaging
    can_be_unloaded: bool
    """Whether it becomes part of a library."""


class EmbeddedProgram(FilesStep, EmbeddedProgramFields):
    """Compile a generated source that embeds the program."""

    __slots__ = ()
    title = "embedding"
    makes = "object"
    side = "host"
    runs_command = True
    needs_reads = True

    def inputs(self) -> tuple[AnyStep, ...]:
        return (self.program,)

    def extra_key(self) -> tuple[str, ...]:
        # What the object records follows from these. To look it up takes longer than the rest of a
        # build without changes.
        return (sys.executable, sys.version)

    def job(self, place: Path, jobs: Mapping[AnyStep, Job]) -> Job:
        outputs = (place.with_suffix(".o"), place.with_suffix(".syclbin"))
        return Job(self, embed_command(outputs[0]), outputs)

    def run(self, task: Task) -> None:
        from dovetail.driver.tracing import run_traced
        from dovetail.interpreter import this_interpreter
        from dovetail.package import embedding_source

        file = task.job.outputs[1]
        file.write_bytes(task.results.of(self.program))
        source = embedding_source(file, this_interpreter(), can_be_unloaded=self.can_be_unloaded)
        _, task.reads = run_traced(task.session, task.job, None, source)

    def save(self, files: SavedResults, job: Job, result: None) -> None:
        files.copy(job.outputs[0], f"{files.program}.embedded.o")
