"""Becoming clang."""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from dovetail.resources import CLANG, tool_path


def become_clang(words: Sequence[str]) -> NoReturn:
    """From here on this process is clang: its messages, its exit status, its signals."""
    clang = tool_path(CLANG)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(clang, [clang, *words])
