"""Compile a source for the host."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from dovetail.driver.inputs import unique_prefix
from dovetail.driver.step import AnyStep, Job, Result, SavedResults, Task
from dovetail.driver.steps.clang import FilesStep, SourceStep
from dovetail.driver.steps.precompiled_header import PrecompileHeader
from dovetail.frontend import (
    Dependencies,
    Flags,
    PrecompiledHeader,
    Source,
    coverage_options,
    host_compile_command,
)


class HostSourceFields(NamedTuple):
    """A source, and how it is compiled."""

    source: Source
    flags: Flags
    header: PrecompiledHeader | None = None
    """The precompiled header that clang takes."""
    precompile: PrecompileHeader | None = None
    """The step that makes it, if it is not in the cache."""
    output: Path | None = None
    """Where clang would put the object."""
    is_for_object: bool = False
    """Whether the result is an object file for the user, rather than for this program."""
    dependencies: Dependencies = Dependencies()
    """Which headers are to be listed for a build system."""


class HostSource(SourceStep[Result], HostSourceFields):
    """A step that reads a source for the host."""

    __slots__ = ()
    side = "host"
    not_in_key = ("output", "is_for_object", "dependencies")


class HostCompile(FilesStep, HostSource[None]):
    """Have clang compile a source. The result is an object file."""

    __slots__ = ()
    title = "host compilation"
    makes = "object"

    def job(self, place: Path, jobs: Mapping[AnyStep, Job]) -> Job:
        outputs = (place.with_suffix(".o"),)
        if self.is_for_object and self.dependencies.mode:
            outputs = (*outputs, place.with_suffix(".d"))
        command = host_compile_command(
            self.source,
            self.flags,
            header=self.header_path,
            output=outputs[0],
            dependencies=(*self._dependency_words(outputs), *self._coverage_words(outputs[0])),
            unique_prefix=self.flags.unique_prefix or unique_prefix(self.source),
        )
        return Job(self, command, outputs)

    def _dependency_words(self, outputs: tuple[Path, ...]) -> tuple[str, ...]:
        if not self.dependencies.mode:
            return ()
        if self.is_for_object:
            return self.dependencies.options(os.fspath(self.output or ""), outputs[1])
        # Only build systems read such a file, and these compile to objects.
        name = Path(self.source.path).with_suffix(".o").name
        return self.dependencies.options(name, self.dependencies.path(name))

    def _coverage_words(self, made: Path) -> tuple[str, ...]:
        if self.output is None and not self.is_for_object:
            return ()
        return coverage_options(self.flags, self.output or made)

    def is_cacheable(self) -> bool:
        # Else it writes the list of headers where nobody collects it.
        writes_elsewhere = bool(self.dependencies.mode) and not self.is_for_object
        return super().is_cacheable() and not writes_elsewhere

    def run(self, task: Task) -> None:
        self.run_clang(task)

    def save(self, files: SavedResults, job: Job, result: None) -> None:
        files.copy(job.outputs[0], f"{files.stem(self.source)}.host.o")
