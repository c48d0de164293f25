"""Steps that a compiler or a linker does, and their files."""

from collections.abc import Callable

from dovetail.driver.binding import Job
from dovetail.driver.doing.bench import Bench, Task
from dovetail.driver.doing.plain import HostLibrary
from dovetail.driver.doing.tracing import reads_of_linker, run_traced
from dovetail.errors import FormatError
from dovetail.package import library_source
from dovetail.packing import packed, unpacked


def run_clang(task: Task, meanwhile: Callable[[], object] | None = None) -> None:
    """Compile a source, or look at it; once clang is started, `meanwhile` is called."""
    source = task.source
    text = b"" if source.is_file else source.text.encode()
    output, task.reads = run_traced(task.bench, task.job, source, text, meanwhile)
    task.messages = output.messages


def link_host(task: Task) -> HostLibrary:
    """Link the host's side, and see what of archives was taken for it."""
    library, dependencies = task.job.outputs
    linked = task.bench.tools.run(task.job.command, makes=task.job.outputs)
    task.messages = linked.messages
    if task.bench.trace:
        task.reads = reads_of_linker(task.bench, task.job, dependencies)
    ours = f"{task.bench.folder}/"
    names = linked.output.decode(errors="surrogateescape").split("\n")
    taken = frozenset(name for name in names if not name.startswith(ours))
    return HostLibrary(library.read_bytes(), taken)


def embed(task: Task) -> None:
    """Compile a source that has the program in it."""
    (program,) = task.inputs
    _, file = task.job.outputs
    file.write_bytes(program)
    _, task.reads = run_traced(task.bench, task.job, None, library_source(file))


def freeze_files(task: Task, made: None) -> bytes:
    return packed(file.read_bytes() for file in task.job.outputs)


def thaw_files(job: Job, content: bytes, bench: Callable[[], Bench]) -> None:
    files, parts = bench().jobs[job.action].outputs, unpacked(content)
    if len(files) != len(parts):
        raise FormatError(f"{len(parts)} files instead of {len(files)}")
    for file, part in zip(files, parts, strict=True):
        file.write_bytes(part)
