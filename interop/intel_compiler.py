"""Intel's run-time compiler for SYCL, which is part of its runtime, as a separate program."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from interop.intel_headers import fetch_headers
from interop.intel_runtime import prepare_runtime

FOLDER = Path(__file__).parents[1] / "build" / "interop"
SOURCE = Path(__file__).with_name("intel_compiler.cpp")


@dataclass(frozen=True)
class IntelCompiler:
    """The program built from `intel_compiler.cpp`, and its environment."""

    program: Path
    environment: dict[str, str]

    def compile(self, outputs: Mapping[Path, Path]) -> None:
        """Compile sources to SYCLBIN files."""
        lines = "".join(f"{source}\t{output}\n" for source, output in outputs.items())
        subprocess.run(
            [self.program],
            env=self.environment,
            input=lines,
            text=True,
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=300,
        )


def prepare_compiler(folder: Path) -> IntelCompiler:
    """Build the program in `folder`; download the compiler if necessary."""
    # The content of a kernel bundle is available since release 2026.2.0, which lacks the OpenCL
    # adapter; the adapter of 2026.1.2 works with it.
    runtime = prepare_runtime(FOLDER / "runtime")
    headers = fetch_headers(FOLDER / "headers")
    newest = replace(runtime, folder=headers, adapters=runtime.folder)
    program = folder / "intel_compiler"
    newest.compile(SOURCE, program)
    return IntelCompiler(program, newest.environment)
