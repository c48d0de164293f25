"""Settings from environment variables, one row each.

Settings are read when they are needed, never at import. `dovetail --help` prints the rows.
"""

import os
from typing import NamedTuple


class Setting(NamedTuple):
    """One environment variable."""

    variable: str
    help: str
    default: str = ""

    def value(self) -> str:
        """Return the current value in the environment, or the default."""
        return os.environ.get(self.variable) or self.default


CACHE = Setting(
    "DOVETAIL_CACHE",
    "off: do not cache built programs and build steps; headers are still cached",
    "on",
)
CACHE_DIR = Setting(
    "DOVETAIL_CACHE_DIR",
    "folder of the cache of built programs, headers, build steps and digests of validated code"
    " (default: the user's cache folder)",
)
CACHE_SIZE = Setting(
    "DOVETAIL_CACHE_SIZE",
    "size limit of the cache, such as 500M or 2G (default: 1G); see 'dovetail cache --help'",
    "1G",
)
DEVICE = Setting(
    "DOVETAIL_DEVICE",
    "use only these devices: opencl:cpu, opencl:gpu:1 (the second), or part of a name",
)
EMULATED_TARGET = Setting(
    "DOVETAIL_AS",
    "a target that devices emulate: they report its aspects and sub-group sizes",
)
DEVICE_CONFIG_FILES = Setting(
    "DOVETAIL_DEVICE_CONFIG",
    "YAML files, separated by ':', that add or change targets for DOVETAIL_AS",
)
RUNTIME = Setting(
    "DOVETAIL_RUNTIME",
    "a Python interpreter with Dovetail, or a virtual environment; programs load it instead of the"
    " one that linked them",
)
TRACE = Setting(
    "DOVETAIL_TRACE",
    "images: show which image is chosen for a kernel, and why others are not",
)
LLVM_BIN = Setting(
    "DOVETAIL_LLVM_BIN",
    "folder of LLVM 22's programs, instead of PATH and the default folder",
)

TOOL_TIMEOUT = Setting(
    "DOVETAIL_TOOL_TIMEOUT",
    "time limit of a compiler or linker in seconds (default: 1800); 0: no limit",
    "1800",
)

SETTINGS = (
    CACHE,
    CACHE_DIR,
    CACHE_SIZE,
    DEVICE,
    EMULATED_TARGET,
    DEVICE_CONFIG_FILES,
    RUNTIME,
    TRACE,
    LLVM_BIN,
    TOOL_TIMEOUT,
)
