"""Base classes of steps that run clang."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.driver.cacheable_options import can_cache_compilation
from dovetail.driver.step import AnyStep, Result, Session, Step, Task
from dovetail.errors import CompileError, FormatError
from dovetail.frontend import (
    Flags,
    PrecompiledHeader,
    Source,
    is_redefinition,
    without_header,
)
from dovetail.packing import packed, unpacked

if TYPE_CHECKING:
    from dovetail.driver.steps.precompiled_header import PrecompileHeader

# Compilers of other languages may read files that they do not report.
_LANGUAGES = ("c++", "c++-cpp-output", "c", "cpp-output")


class SourceStep(Step[Result]):
    """A step that compiles or checks a source for one side."""

    __slots__ = ()
    runs_command = True
    reads_source = True
    needs_reads = True
    can_be_restored = True

    source: Source
    flags: Flags
    header: PrecompiledHeader | None
    """The precompiled header that clang uses."""
    precompile: "PrecompileHeader | None"
    """The step that makes the header, if it is not cached."""

    @property
    def header_path(self) -> Path | None:
        return self.header.path if self.header else None

    def inputs(self) -> tuple[AnyStep, ...]:
        return (self.precompile,) if self.precompile else ()

    def subject(self) -> str:
        return self.source.path

    def input_files(self) -> Iterator[tuple[str, str]]:
        yield self.source.path, self.source.language

    def is_cacheable(self) -> bool:
        return has_known_reads(self.source) and can_cache_compilation(self.flags)

    def named_files(self, identities: Mapping[AnyStep, str]) -> dict[Path, str]:
        if self.header is None:
            return {}
        known = sha256(self.header.identity.encode()).hexdigest()
        identity = identities[self.precompile] if self.precompile else known
        return {self.header.path: f"{self.header.path.name} {identity}"}

    def run_clang(self, task: Task, meanwhile: Callable[[], object] | None = None) -> None:
        """Run the command of the job; `meanwhile` is called once clang has started."""
        from dovetail.driver.tracing import run_traced

        job, text = task.job, b"" if self.source.is_file else self.source.text.encode()
        try:
            output, task.reads = run_traced(task.session, job, self.source, text, meanwhile)
        except CompileError as error:
            if self.header is None or not is_redefinition(error.message):
                raise
            job = job._replace(command=without_header(job.command))
            output, task.reads = run_traced(task.session, job, self.source, text)
        task.messages = output.messages


class FilesStep(Step[None]):
    """A step whose result is the files that its command writes."""

    __slots__ = ()
    can_be_restored = True

    def serialize(self, task: Task, result: None) -> bytes:
        return packed(file.read_bytes() for file in task.job.outputs)

    def deserialize(self, content: bytes, session: Callable[[], Session]) -> None:
        files, parts = session().jobs[self].outputs, unpacked(content)
        if len(files) != len(parts):
            raise FormatError(f"expected {len(files)} files, got {len(parts)}")
        for file, part in zip(files, parts, strict=True):
            file.write_bytes(part)


def has_known_reads(source: Source) -> bool:
    """Return whether the compiler of a source's language reports the files that it reads."""
    return source.language in _LANGUAGES
