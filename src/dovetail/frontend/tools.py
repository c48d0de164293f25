"""Running the programs that compile and link."""

import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from dovetail.errors import CompileError, ToolMissing


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

    def run(
        self,
        command: Sequence[str],
        standard_input: bytes = b"",
        more_environment: Mapping[str, str] | None = None,
    ) -> ToolOutput:
        """Run a program that compiles or links; `CompileError` if it fails."""
        child = self._start(command, {**os.environ, **(more_environment or {})})
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

    def _start(
        self, command: Sequence[str], environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        with self._lock:
            if self._are_ended:
                raise CompileError(f"'{command[0]}' was not started any more")
            try:
                child = subprocess.Popen(
                    command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment
                )
            except OSError as error:
                raise ToolMissing(f"cannot start '{command[0]}': {error.strerror}") from None
            self._running.add(child)
        return child


def run_clang(command: Sequence[str], standard_input: bytes = b"") -> str:
    """Run one clang command. Returns its warnings; raises `CompileError` with its errors."""
    return Tools().run(command, standard_input).messages
