"""A process that forks a child for each piece of untrusted IR, so that LLVM is loaded once.

Requests and answers are messages as workers have them: IR goes in; out comes the child's exit
status as text, a line break, and why it refuses the IR.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from typing import NoReturn

from dovetail.ir import ParseLimits
from dovetail.ir.worker import refusal
from dovetail.processes.messages import receive, send
from dovetail.processes.python_command import limit_memory
from fuzz.limits import SECONDS_PER_INPUT


def serve() -> None:
    """Answer requests until there are no more."""
    while True:
        try:
            data = receive(sys.stdin.buffer)
        except EOFError:
            return
        with tempfile.TemporaryFile() as said:
            child = os.fork()
            if not child:
                _read(data, said.fileno())
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            said.seek(0)
            send(sys.stdout.buffer, b"%d\n%b" % (status, said.read()))


def _read(data: bytes, output: int) -> NoReturn:
    """Do in a forked child what a worker does, and end."""
    signal.alarm(SECONDS_PER_INPUT)
    limit_memory(ParseLimits().memory)
    try:
        os.write(output, refusal(data, "fuzz").encode())
    except BaseException:
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    serve()
