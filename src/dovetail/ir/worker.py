"""The process in which untrusted IR is read first; see `dovetail.ir.parsing`.

In: IR as a request, a name for it as an argument. Out: why LLVM refuses it, empty if it does not.
"""

import sys

from dovetail._native import Context, Module
from dovetail.errors import IRError
from dovetail.processes.messages import answer_stream, serve


def refusal(data: bytes, name: str) -> str:
    """Return why IR cannot be read or does not verify, empty if it does.

    A crash that LLVM survived is an error.
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
