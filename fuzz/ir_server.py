"""A process that forks a child for each untrusted module, so that LLVM is loaded once.

Requests and answers are messages in the format of workers. A request is IR; the answer is the
child's exit status as text, a line break, and the reason why it rejects the IR.
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
        with tempfile.TemporaryFile() as output:
            child = os.fork()
            if not child:
                _read(data, output.fileno())
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            output.seek(0)
            send(sys.stdout.buffer, b"%d\n%b" % (status, output.read()))


def _read(data: bytes, output: int) -> NoReturn:
    """Read IR in a forked child as a worker does, and exit."""
    signal.alarm(SECONDS_PER_INPUT)
    limit_memory(ParseLimits().memory)
    try:
        os.write(output, refusal(data, "fuzz").encode())
    except BaseException:
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    serve()
