"""Running clang, and turning what it left into artifacts."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from dovetail.artifacts import DeviceModule
from dovetail.errors import CompileError
from dovetail.facts import parse_facts
from dovetail.frontend.command import Source
from dovetail.ir import Context, Module


def run_clang(command: Sequence[str], standard_input: bytes = b"") -> str:
    """Run one clang command. Returns its warnings; raises `CompileError` with its errors."""
    finished = subprocess.run(
        command, input=standard_input, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    messages = finished.stderr.decode(errors="replace").rstrip()
    if finished.returncode < 0:
        raise CompileError(
            f"clang was ended by signal {-finished.returncode}\n{messages}".rstrip(),
            hint=f"the command was: {' '.join(command)}",
        )
    if finished.returncode:
        raise CompileError(messages)
    return messages


def compile_device(
    context: Context, command: Sequence[str], source: Source, *, bitcode: Path, facts: Path
) -> tuple[DeviceModule, str]:
    """Run the front-end's command. Returns the device module, and clang's warnings."""
    warnings = run_clang(command, b"" if source.is_file else source.text.encode())
    # Clang wrote this bitcode a moment ago, so it need not be parsed in a process of its own.
    module = Module.parse(context, bitcode.read_bytes(), source.path)
    return DeviceModule(module, parse_facts(facts.read_bytes())), warnings
