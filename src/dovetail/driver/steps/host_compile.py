"""Compile a source for the host."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from dovetail.driver.commands import (
    header_identity,
    is_cacheable,
    pack_outputs,
    run_clang,
    unpack_outputs,
)
from dovetail.driver.inputs import unique_prefix
from dovetail.driver.step import AnyStep, Job, Result, SavedResults, Session, Step, Task
from dovetail.driver.steps.precompiled_header import PrecompileHeader
from dovetail.frontend import (
    Dependencies,
    Flags,
    PrecompiledHeader,
    Source,
    coverage_words,
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


class HostSource(Step[Result], HostSourceFields):
    """What steps have in common that read a source for the host."""

    __slots__ = ()
    side = "host"
    runs_command = True
    reads_source = True
    needs_reads = True
    can_be_restored = True
    not_in_key = ("output", "is_for_object", "dependencies")

    def inputs(self) -> tuple[AnyStep, ...]:
        return (self.precompile,) if self.precompile else ()

    def subject(self) -> str:
        return self.source.path

    def input_files(self) -> Iterator[tuple[str, str]]:
        yield self.source.path, self.source.language

    def is_cacheable(self) -> bool:
        return is_cacheable(self.source, self.flags)

    def named_files(self, identities: Mapping[AnyStep, str]) -> dict[Path, str]:
        return header_identity(self.header, self.precompile, identities)


class HostCompile(HostSource[None]):
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
            header=self.header.path if self.header else None,
            output=outputs[0],
            dependencies=(*self._dependency_words(outputs), *self._coverage_words(outputs[0])),
            unique_prefix=self.flags.unique_prefix or unique_prefix(self.source),
        )
        return Job(self, command, outputs)

    def _dependency_words(self, outputs: tuple[Path, ...]) -> tuple[str, ...]:
        if not self.dependencies.mode:
            return ()
        if self.is_for_object:
            return self.dependencies.words(os.fspath(self.output or ""), outputs[1])
        # Only build systems read such a file, and these compile to objects.
        name = Path(self.source.path).with_suffix(".o").name
        return self.dependencies.words(name, self.dependencies.path(name))

    def _coverage_words(self, made: Path) -> tuple[str, ...]:
        if self.output is None and not self.is_for_object:
            return ()
        return coverage_words(self.flags, self.output or made)

    def is_cacheable(self) -> bool:
        # Else it writes the list of headers where nobody collects it.
        writes_elsewhere = bool(self.dependencies.mode) and not self.is_for_object
        return super().is_cacheable() and not writes_elsewhere

    def run(self, task: Task) -> None:
        run_clang(task, self.source)

    def serialize(self, task: Task, result: None) -> bytes:
        return pack_outputs(task)

    def deserialize(self, content: bytes, session: Callable[[], Session]) -> None:
        unpack_outputs(self, content, session)

    def save(self, files: SavedResults, job: Job, result: None) -> None:
        files.copy(job.outputs[0], f"{files.stem(self.source)}.host.o")
