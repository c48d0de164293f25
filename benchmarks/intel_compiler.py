"""Intel's run-time compiler for SYCL, which comes with its runtime, in processes of its own."""

from pathlib import Path

from interop.intel_runtime import prepare_runtime

from benchmarks.kept_process import Side, kept_process

# What `make interop` fetches, so that it is there once.
FOLDER = Path(__file__).parents[1] / "build" / "interop" / "runtime"
SOURCE = Path(__file__).with_name("intel_compiler.cpp")


class IntelCompiler:
    """A program that compiles to object state; what it needs itself is put into `folder`."""

    def __init__(self, folder: Path) -> None:
        runtime = prepare_runtime(FOLDER)
        self._environment = runtime.environment
        self._program = folder / "intel_compiler"
        runtime.compile(SOURCE, self._program)

    def side(self, path: str) -> Side:
        """Compiles a file, in a new process each time, whose start does not count."""

        def compile_once() -> float:
            with kept_process([str(self._program)], self._environment) as process:
                return process.side(path)()

        return compile_once
