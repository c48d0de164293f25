"""The step that compiles a source for the host."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.inputs import unique_prefix
from dovetail.driver.step import AnyStep, Job, Result, SavedResults, Task
from dovetail.driver.steps.clang import FilesStep, SourceStep
from dovetail.frontend import (
    Dependencies,
    Flags,
    PrecompiledHeader,
    Source,
    hides_symbols,
    host_compile_command,
    visible_main_command,
)

if TYPE_CHECKING:
    from dovetail.driver.steps.precompiled_header import PrecompileHeader


_HAS_FILES_BESIDE = ("-gsplit", "--coverage", "-coverage", "-fprofile-arcs", "-ftest-coverage")
"""How the options begin with which clang writes files beside an object."""


class HostSourceFields(NamedTuple):
    """A source, with the options of its host compilation."""

    source: Source
    flags: Flags
    header: PrecompiledHeader | None = None
    """The precompiled header that clang uses."""
    precompile: "PrecompileHeader | None" = None
    """The step that makes the header, if it is not cached."""
    output: Path | None = None
    """The path that clang would give the object."""
    is_for_object: bool = False
    """Whether the object is an output of the build, not linked into a program by it."""
    dependencies: Dependencies = Dependencies()
    """The dependency file to write for a build system."""


class HostSource(SourceStep[Result], HostSourceFields):
    """A step that compiles or checks a source for the host."""

    __slots__ = ()
    side = "host"
    not_in_key = ("output", "is_for_object", "dependencies")


class HostCompile(FilesStep, HostSource[None]):
    """Compile a source with clang to an object and, if requested, a dependency file."""

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
            dependencies=(*self._dependency_options(outputs), *self._files_beside(outputs[0])),
            unique_prefix=self.flags.unique_prefix or unique_prefix(self.source),
        )
        return Job(self, command, outputs, then=self._then(outputs[0]))

    def _then(self, compiled: Path) -> tuple[str, ...]:
        """Return the command that makes a hidden `main` visible: the runtime looks it up."""
        return visible_main_command(compiled) if hides_symbols(self.flags) else ()

    def _dependency_options(self, outputs: tuple[Path, ...]) -> tuple[str, ...]:
        if not self.dependencies.mode:
            return ()
        if self.is_for_object:
            return self.dependencies.options(os.fspath(self.output or ""), outputs[1])
        # Only build systems read dependency files, and these compile to objects.
        name = Path(self.source.path).with_suffix(".o").name
        return self.dependencies.options(name, self.dependencies.path(name))

    def _files_beside(self, compiled: Path) -> tuple[str, ...]:
        is_temporary = self.output is None and not self.is_for_object
        if is_temporary or not any(each.startswith(_HAS_FILES_BESIDE) for each in self.flags.host):
            return ()
        # Imported late: few builds have such options.
        from dovetail.frontend import files_beside_options

        return files_beside_options(self.flags.host, self.output or compiled)

    def is_cacheable(self) -> bool:
        # For a program, clang writes the dependency file itself, so it is not among the outputs.
        writes_elsewhere = bool(self.dependencies.mode) and not self.is_for_object
        return super().is_cacheable() and not writes_elsewhere

    def run(self, task: Task) -> None:
        self.run_clang(task)
        if task.job.then:
            task.session.tools.run(task.job.then)

    def save(self, files: SavedResults, job: Job, result: None) -> None:
        files.copy(job.outputs[0], f"{files.stem(self.source)}.host.o")
