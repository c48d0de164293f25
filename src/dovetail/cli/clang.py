"""Replace this process by clang."""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from dovetail.processes.response_file import shortened
from dovetail.resources import CLANG, tool_path


def exec_clang(args: Sequence[str]) -> NoReturn:
    """Replace this process by clang, with its messages, exit status and signals."""
    clang = tool_path(CLANG)
    sys.stdout.flush()
    sys.stderr.flush()
    command, response_file = shortened([clang, *args])
    if response_file is not None:
        os.set_inheritable(response_file, True)
    os.execv(clang, command)
