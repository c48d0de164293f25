"""Settings taken from the environment, one row each.

Code reads a setting through its row when it needs it, never at import; `dovetail --help` prints
the rows, so the two cannot disagree.
"""

import os
from typing import NamedTuple


class Setting(NamedTuple):
    """One environment variable."""

    variable: str
    help: str
    default: str = ""

    def value(self) -> str:
        """What the environment says now, or the default."""
        return os.environ.get(self.variable) or self.default


CACHE = Setting(
    "DOVETAIL_CACHE",
    "off: built programs and steps of builds are neither looked for nor kept; headers still are",
    "on",
)
CACHE_DIR = Setting(
    "DOVETAIL_CACHE_DIR",
    "where built programs, headers, steps of builds and checked digests are kept"
    " (default: the user's cache folder)",
)
CACHE_SIZE = Setting(
    "DOVETAIL_CACHE_SIZE",
    "how large the cache may grow, such as 500M or 2G (default: 1G); see 'dovetail cache --help'",
    "1G",
)
DEVICE = Setting(
    "DOVETAIL_DEVICE",
    "use only these devices: opencl:cpu, opencl:gpu:1 (the second), or part of a name",
)
EMULATED_TARGET = Setting(
    "DOVETAIL_AS",
    "a target that devices stand for: they report its aspects and sub-group sizes",
)
TRACE = Setting(
    "DOVETAIL_TRACE",
    "images: tell which image is taken for a kernel, and why others are not",
)
LLVM_BIN = Setting(
    "DOVETAIL_LLVM_BIN",
    "folder of LLVM 22's programs, instead of the usual places",
)

TOOL_TIMEOUT = Setting(
    "DOVETAIL_TOOL_TIMEOUT",
    "seconds after which a compiler or linker that still runs is ended (default: 1800); 0: never",
    "1800",
)

SETTINGS = (CACHE, CACHE_DIR, CACHE_SIZE, DEVICE, EMULATED_TARGET, TRACE, LLVM_BIN, TOOL_TIMEOUT)
