"""Rounds of Intel's run-time compiler, in processes of their own."""

from pathlib import Path

from interop.intel_compiler import prepare_compiler

from benchmarks.kept_process import Side, kept_process


class IntelCompiler:
    """A program that compiles to object state; what it needs itself is put into `folder`."""

    def __init__(self, folder: Path) -> None:
        self._compiler = prepare_compiler(folder)

    def side(self, path: str) -> Side:
        """Compiles a file, in a new process each time, whose start does not count."""
        command = [str(self._compiler.program)]

        def compile_once() -> float:
            with kept_process(command, self._compiler.environment) as process:
                return process.side(path)()

        return compile_once
