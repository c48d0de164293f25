"""The process in which untrusted IR is read first; see `dovetail.ir.untrusted`.

In: the IR on standard input, a name for it and a limit of memory as arguments. Out: a `ChildStatus`
as exit status or death by a signal, and for REFUSED the reason on standard output.
"""

import resource
import sys

from dovetail._native import Context, Module
from dovetail.errors import IRError
from dovetail.ir.untrusted import ChildStatus


def main(name: str, memory: int) -> ChildStatus:
    """Read standard input as IR and verify it."""
    _limit(resource.RLIMIT_AS, memory)
    _limit(resource.RLIMIT_CORE, 0)
    context = Context()
    try:
        Module.parse(context, sys.stdin.buffer.read(), name).verify()
    except IRError as error:
        if context.is_poisoned:
            return ChildStatus.CRASHED
        sys.stdout.buffer.write(str(error).encode())
        return ChildStatus.REFUSED
    return ChildStatus.ACCEPTED


def _limit(kind: int, wanted: int) -> None:
    _, hard = resource.getrlimit(kind)
    value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(kind, (value, value))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
