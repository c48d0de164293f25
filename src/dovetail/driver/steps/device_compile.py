"""The step that compiles a source for devices: the front-end."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.device_compilations import known_targets
from dovetail.driver.step import AnyStep, Job, Result, SavedResults, Task
from dovetail.driver.steps.clang import FilesStep, SourceStep
from dovetail.errors import CompileError
from dovetail.frontend import (
    Dependencies,
    Flags,
    PrecompiledHeader,
    Source,
    check_command,
    compile_command,
)
from dovetail.targets import Target
from dovetail.targets.ir_family import IRFamily

if TYPE_CHECKING:
    from dovetail.driver.steps.precompiled_header import PrecompileHeader


class DeviceSourceFields(NamedTuple):
    """A source, with the options and targets of its device compilation."""

    source: Source
    flags: Flags
    family: IRFamily
    unique_prefix: str
    """The prefix of unique names in the source's device code."""
    header: PrecompiledHeader | None = None
    """The precompiled header that clang uses."""
    precompile: "PrecompileHeader | None" = None
    """The step that makes the header, if it is not cached."""
    targets: tuple[Target, ...] = ()
    """The target, if the code may depend on it; otherwise empty."""
    dependencies: Dependencies = Dependencies()
    """The dependency file to write for a build system."""


class DeviceSource(SourceStep[Result], DeviceSourceFields):
    """A step that compiles or checks a source for devices."""

    __slots__ = ()
    side = "device"
    not_in_key = ("dependencies",)

    def about(self) -> tuple[str, ...]:
        return (self.side, self.family)

    def check_command(self, facts: Path) -> tuple[str, ...]:
        """Return the command that checks the source without generating code."""
        return check_command(
            self.source,
            self.flags,
            header=self.header_path,
            facts=facts,
            family=self.family,
            own_targets=self.targets,
        )


class DeviceCompile(FilesStep, DeviceSource[None]):
    """Compile a source with clang, and check it against the rules of SYCL.

    The result is files: bitcode, facts and, if requested, a dependency file.
    """

    __slots__ = ()
    title = "front-end"
    makes = "bitcode and facts"

    def job(self, place: Path, jobs: Mapping[AnyStep, Job]) -> Job:
        outputs = (place.with_suffix(".bc"), place.with_suffix(".facts.json"))
        words: tuple[str, ...] = ()
        if self.dependencies.mode:
            outputs = (*outputs, place.with_suffix(".d"))
            words = (self.dependencies.mode, "-MF", os.fspath(outputs[2]))
        command = compile_command(
            self.source,
            self.flags,
            header=self.header_path,
            bitcode=outputs[0],
            facts=outputs[1],
            dependencies=words,
            family=self.family,
            own_targets=self.targets,
        )
        return Job(self, command, outputs)

    def run(self, task: Task) -> None:
        try:
            self.run_clang(task, meanwhile=task.session.preload)
        except CompileError as error:
            # Imported late, since clang rarely crashes.
            from dovetail.frontend.crashes import ClangCrashed

            # Code that SYCL forbids on devices is a likely cause of the crash: report it too.
            if isinstance(error, ClangCrashed) and task.job.outputs[1].exists():
                self._report(task)
            raise
        self._report(task)

    def _report(self, task: Task) -> None:
        """Print warnings and errors about the device code of the source."""
        from dovetail.driver.reporting import report_source
        from dovetail.facts_json import load_facts

        facts = load_facts(task.job.outputs[1], self.unique_prefix)
        table = known_targets(self.flags.configured_targets, self.targets)
        report_source(task, facts, self.source, self.flags, table)

    def save(self, files: SavedResults, job: Job, result: None) -> None:
        stem = f"{files.stem(self.source)}.device.{self.family}"
        files.copy(job.outputs[0], f"{stem}.bc")
        files.copy(job.outputs[1], f"{stem}.facts.json")
