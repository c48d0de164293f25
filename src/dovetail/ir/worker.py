"""The child process that parses untrusted IR for `dovetail.ir.parsing`.

A request is IR, whose name is a command-line argument; the response is LLVM's error, or empty.
"""

import sys

from dovetail._native import Context, Module
from dovetail.errors import IRError
from dovetail.processes.messages import answer_stream, serve


def refusal(data: bytes, name: str) -> str:
    """Return LLVM's error about IR that cannot be parsed or verified, or an empty string.

    Raise `IRError` if LLVM crashed.
    """
    context = Context()
    try:
        Module.parse(context, data, name).verify()
    except IRError as error:
        if context.is_poisoned:
            raise
        return str(error)
    return ""


if __name__ == "__main__":
    serve(answer_stream(), lambda request: (refusal(request, sys.argv[1]).encode(), False))
