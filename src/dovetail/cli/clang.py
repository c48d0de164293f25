"""Becoming clang."""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from dovetail.processes.response_file import shortened
from dovetail.resources import CLANG, tool_path


def become_clang(words: Sequence[str]) -> NoReturn:
    """From here on this process is clang: its messages, its exit status, its signals."""
    clang = tool_path(CLANG)
    sys.stdout.flush()
    sys.stderr.flush()
    command, response_file = shortened([clang, *words])
    if response_file is not None:
        os.set_inheritable(response_file, True)
    os.execv(clang, command)
