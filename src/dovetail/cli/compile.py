"""`dovetail compile`: compile SYCL sources in a project with another compiler.

Build systems put it before each compiler's command. If the command has `-fsycl`, Dovetail's
compiler runs instead.
"""

from collections.abc import Sequence
from shutil import which

from dovetail.cli import cxx
from dovetail.driver.options import FSYCL
from dovetail.errors import UsageError
from dovetail.processes.response_file import replace_process

_USAGE = "usage: dovetail compile COMPILER ARGUMENT..."


def run(args: Sequence[str]) -> int:
    """See `dovetail compile --help`."""
    if not args:
        raise UsageError("no compiler was given", hint=_USAGE)
    if args[0] == "--help":
        print(
            f"{_USAGE}\n\nIf the arguments contain -fsycl, run 'dovetail c++ ARGUMENT...';\n"
            "otherwise run COMPILER ARGUMENT..."
        )
        return 0
    if FSYCL.spelling in args:
        return cxx.run(args[1:])
    compiler = which(args[0])
    if compiler is None:
        raise UsageError(f"there is no compiler '{args[0]}'", hint=_USAGE)
    replace_process([compiler, *args[1:]])
