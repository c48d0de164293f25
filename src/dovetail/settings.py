"""Settings from environment variables, one row each.

Settings are read when they are needed, never at import. `dovetail --help` prints the rows.
"""

import os
from typing import NamedTuple

from dovetail.errors import UsageError


class Setting(NamedTuple):
    """One environment variable."""

    variable: str
    help: str
    default: str = ""
    values: tuple[str, ...] = ()
    """All valid values, in lower case; empty if there are too many to list."""

    def value(self) -> str:
        """Return the value in the environment, or the default; `UsageError` for an invalid one."""
        value = os.environ.get(self.variable)
        if not value:
            return self.default
        if self.values and value.lower() not in self.values:
            expected = " or ".join(f"'{each}'" for each in self.values)
            raise UsageError(f"{self.variable}: expected {expected}, got '{value}'")
        return value.lower() if self.values else value


CACHE = Setting(
    "DOVETAIL_CACHE",
    "off: do not cache built programs and build steps; headers are still cached",
    "on",
    ("on", "off"),
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
ONEAPI_DEVICE_SELECTOR = Setting(
    "ONEAPI_DEVICE_SELECTOR",
    "the same in DPC++'s form, such as '*:gpu' or 'opencl:0;!*:fpga'; without DOVETAIL_DEVICE",
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
    values=("images",),
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
    ONEAPI_DEVICE_SELECTOR,
    EMULATED_TARGET,
    DEVICE_CONFIG_FILES,
    RUNTIME,
    TRACE,
    LLVM_BIN,
    TOOL_TIMEOUT,
)
