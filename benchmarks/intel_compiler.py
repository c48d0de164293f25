"""Rounds of Intel's run-time compiler, in separate processes."""

from pathlib import Path

from interop.intel_compiler import prepare_compiler

from benchmarks.persistent_process import Side, persistent_process


class IntelCompiler:
    """A program that compiles to object state; it is built in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._compiler = prepare_compiler(folder)

    def side(self, path: str) -> Side:
        """Return a side that compiles a file in a new process, without the process's start."""
        command = [str(self._compiler.program)]

        def compile_once() -> float:
            with persistent_process(command, self._compiler.environment) as process:
                return process.side(path)()

        return compile_once
