"""What steps that start clang or a linker have in common."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

from dovetail.driver.step import AnyStep, Session, Task
from dovetail.driver.step_words import are_plain_for_clang
from dovetail.errors import FormatError
from dovetail.frontend import Flags, PrecompiledHeader, Source
from dovetail.packing import packed, unpacked

# Compilers of other languages may read files that they do not report.
_LANGUAGES = ("c++", "c++-cpp-output", "c", "cpp-output")


def is_cacheable(source: Source, flags: Flags) -> bool:
    """Whether all that clang reads and writes for a source is known."""
    return has_known_reads(source) and are_plain_for_clang(flags)


def has_known_reads(source: Source) -> bool:
    """Whether the compiler of a source's language reports the files that it reads."""
    return source.language in _LANGUAGES


def run_clang(task: Task, source: Source, meanwhile: Callable[[], object] | None = None) -> None:
    """Compile a source, or check it; `meanwhile` is called once clang has started."""
    from dovetail.driver.tracing import run_traced

    text = b"" if source.is_file else source.text.encode()
    output, task.reads = run_traced(task.session, task.job, source, text, meanwhile)
    task.messages = output.messages


def header_identity(
    header: PrecompiledHeader | None, precompile: AnyStep | None, identities: Mapping[AnyStep, str]
) -> dict[Path, str]:
    """Return what stands for the path of a header in the key of a step that takes it."""
    if header is None:
        return {}
    known = sha256(header.identity.encode()).hexdigest()
    identity = identities[precompile] if precompile else known
    return {header.path: f"{header.path.name} {identity}"}


def pack_outputs(task: Task) -> bytes:
    """Return the files that a command left."""
    return packed(file.read_bytes() for file in task.job.outputs)


def unpack_outputs(step: AnyStep, content: bytes, session: Callable[[], Session]) -> None:
    """Write the files that a command left earlier."""
    files, parts = session().jobs[step].outputs, unpacked(content)
    if len(files) != len(parts):
        raise FormatError(f"{len(parts)} files instead of {len(files)}")
    for file, part in zip(files, parts, strict=True):
        file.write_bytes(part)
