"""Checks that a program compiles with given headers, without errors and warnings."""

from __future__ import annotations

import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from interop.intel_headers import CLANG, IntelHeaders


@dataclass(frozen=True)
class HeaderResult:
    """The result for one program."""

    program: Path
    messages: str
    seconds: float

    @property
    def accepted(self) -> bool:
        """Whether there are no messages about the program."""
        return not self.messages


def check_syntax(program: Path, headers: IntelHeaders) -> HeaderResult:
    """Compile one program. Warnings count if they are about the program itself."""
    start = time.perf_counter()
    command = [CLANG, *headers.options, "-fsyntax-only", str(program)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    about_program = re.search(
        rf"^{re.escape(str(program))}:\d+:\d+: (warning|error):", finished.stderr, re.MULTILINE
    )
    rejected = finished.returncode != 0 or about_program
    messages = (finished.stderr or f"exit status {finished.returncode}") if rejected else ""
    return HeaderResult(program, messages, time.perf_counter() - start)
