"""Running clang, and turning what it left into artifacts."""

import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from dovetail.artifacts import DeviceModule
from dovetail.errors import CompileError, ToolMissing
from dovetail.facts import Facts, parse_facts
from dovetail.ir import Context, Module


@dataclass(frozen=True)
class ToolOutput:
    """What a program left on its streams."""

    output: bytes
    messages: str


class Tools:
    """The programs that run for one request, in any thread, so that they can be ended together."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = Lock()
        self._are_ended = False

    def run(self, command: Sequence[str], standard_input: bytes = b"") -> ToolOutput:
        """Run a program that compiles or links; `CompileError` if it fails."""
        child = self._start(command)
        try:
            output, written = child.communicate(standard_input)
        finally:
            self._running.discard(child)
        messages = written.decode(errors="replace").rstrip()
        if child.returncode < 0:
            name = Path(command[0]).name
            raise CompileError(
                f"{name} was ended by signal {-child.returncode}\n{messages}".rstrip(),
                hint=f"the command was: {shlex.join(command)}",
            )
        if child.returncode:
            raise CompileError(messages or f"'{command[0]}' failed without a message")
        return ToolOutput(output, messages)

    def end(self) -> None:
        """End what runs, and whatever would be started: nobody wants it any more."""
        with self._lock:
            self._are_ended = True
            for child in self._running:
                child.kill()

    def _start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        with self._lock:
            if self._are_ended:
                raise CompileError(f"'{command[0]}' was not started any more")
            try:
                child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
            except OSError as error:
                raise ToolMissing(f"cannot start '{command[0]}': {error.strerror}") from None
            self._running.add(child)
        return child


def run_clang(command: Sequence[str], standard_input: bytes = b"") -> str:
    """Run one clang command. Returns its warnings; raises `CompileError` with its errors."""
    return Tools().run(command, standard_input).messages


def load_device_module(
    context: Context, name: str, bitcode: Path, facts: Path, unit: str = ""
) -> DeviceModule:
    """What clang and the plugin have just written, so it need not be parsed in a child first."""
    module = Module.parse(context, bitcode.read_bytes(), name)
    return DeviceModule(module, load_facts(facts, unit))


def load_facts(facts: Path, unit: str = "") -> Facts:
    """What the plugin has just written about a source; `unit` tells it from all others."""
    return parse_facts(facts.read_bytes(), unit)
