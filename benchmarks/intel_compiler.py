"""Intel's run-time compiler for SYCL, which comes with its runtime, in a process of its own."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from interop.intel_runtime import prepare_runtime

from benchmarks.kept_process import KeptProcess, kept_process

# What `make interop` fetches, so that it is there once.
FOLDER = Path(__file__).parents[1] / "build" / "interop" / "runtime"
SOURCE = Path(__file__).with_name("intel_compiler.cpp")


@contextmanager
def intel_compiler(folder: Path) -> Generator[KeptProcess]:
    """A process whose rounds compile the file that they are named after, to object state.

    What it needs itself is put into `folder`.
    """
    runtime = prepare_runtime(FOLDER)
    program = folder / "intel_compiler"
    runtime.compile(SOURCE, program)
    with kept_process([str(program)], runtime.environment) as process:
        yield process
