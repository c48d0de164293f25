"""A process that forks a child for each piece of untrusted IR, so that LLVM is loaded once.

Requests and answers are messages as compilers in child processes have them: IR goes in; out comes
the child's exit status as text, a line break, and what the child wrote.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import tempfile

from dovetail.compilers.messages import receive, send
from dovetail.ir.child import main as read_ir
from dovetail.ir.untrusted import ChildStatus, ParseLimits
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
                _end_with(_status(data, said.fileno()))
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            said.seek(0)
            send(sys.stdout.buffer, b"%d\n%b" % (status, said.read()))


def _status(data: bytes, output: int) -> ChildStatus:
    """Do in a forked child what the reader's own child does."""
    signal.alarm(SECONDS_PER_INPUT)
    os.dup2(output, 1)
    sys.stdin = io.TextIOWrapper(io.BytesIO(data))
    sys.stdout = os.fdopen(1, "w")
    status = read_ir("fuzz", ParseLimits().memory)
    sys.stdout.flush()
    return status


def _end_with(status: int) -> None:
    os._exit(status)


if __name__ == "__main__":
    serve()
