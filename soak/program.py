"""The load from C++: a SYCL program in its own process."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from dovetail.driver import RunRequest, build_executable
from dovetail.frontend import Source
from soak import memory
from soak.report import Report

_SOURCE = Path(__file__).with_name("program.cpp")


def soak_program(seconds: float, threads: int, queues: int) -> Report:
    """Build the program and run it."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        build_executable(RunRequest((Source.from_file(_SOURCE),), output=program))
        command = [sys.executable, "-m", "dovetail", "run", str(program), "--"]
        command += [str(seconds), str(threads), str(queues)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            process.stdout.readline()
            early, late = memory.watch(seconds, lambda: memory.in_use(process.pid))
            output, _ = process.communicate()
    lines = output.splitlines()
    faults = [line.removeprefix("WRONG: ") for line in lines if line.startswith("WRONG: ")]
    if process.returncode and not faults:
        faults.append(f"the program ended with status {process.returncode}")
    return Report("from C++", lines[-1] if lines else "no output", faults, early, late)
