"""Commands of Dovetail on a terminal."""

import os
import pty
import subprocess
import sys
import termios
from pathlib import Path
from typing import IO


def on_terminal(
    *words: str, folder: Path, kind: str = "xterm", output: IO[bytes] | None = None
) -> str:
    """What a command writes if its standard error is a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    command = [sys.executable, "-m", "dovetail", *words]
    environment = {**os.environ, "TERM": kind}
    with subprocess.Popen(command, stdout=output, stderr=theirs, cwd=folder, env=environment):
        os.close(theirs)
        written = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            written += piece
    os.close(ours)
    return written.decode()
