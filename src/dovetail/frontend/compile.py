"""Running clang, and turning what it left into artifacts."""

import subprocess
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from dovetail.artifacts import DeviceModule
from dovetail.errors import CompileError, ToolMissing
from dovetail.facts import Facts, parse_facts
from dovetail.ir import Context, Module


def run_clang(command: Sequence[str], standard_input: bytes = b"") -> str:
    """Run one clang command. Returns its warnings; raises `CompileError` with its errors."""
    try:
        finished = subprocess.run(
            command, input=standard_input, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
    except OSError as error:
        raise ToolMissing(f"cannot start '{command[0]}': {error.strerror}") from None
    messages = finished.stderr.decode(errors="replace").rstrip()
    if finished.returncode < 0:
        raise CompileError(
            f"clang was ended by signal {-finished.returncode}\n{messages}".rstrip(),
            hint=f"the command was: {' '.join(command)}",
        )
    if finished.returncode:
        raise CompileError(messages or f"'{command[0]}' failed without a message")
    return messages


def load_device_module(context: Context, name: str, bitcode: Path, facts: Path) -> DeviceModule:
    """What clang and the plugin have just written, so it need not be parsed in a child first."""
    module = Module.parse(context, bitcode.read_bytes(), name)
    return DeviceModule(module, load_facts(name, facts))


def load_facts(name: str, facts: Path) -> Facts:
    """What the plugin has just written about the source of that name."""
    unit = sha256(name.encode()).hexdigest()[:8]
    return parse_facts(facts.read_bytes(), unit)
