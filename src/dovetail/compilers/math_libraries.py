"""The vendors' libraries of functions on numbers, which are LLVM bitcode.

A device is served without one too, as far as LLVM itself has code for a function.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from dovetail.compilers.ptxas import TOOLKIT, find_ptxas
from dovetail.errors import ToolMissing

LIBDEVICE_PACKAGE = "nvidia-cuda-nvcc-cu12"
"""PyPI's package that has NVIDIA's library."""
OCML_PACKAGE = "rocm-device-libs"
"""Debian's package that has AMD's library."""

_IN_TOOLKITS = "nvvm/libdevice/libdevice.10.bc"
_IN_ROCM = "amdgcn/bitcode/ocml.bc"


def libdevice_path() -> str | None:
    """NVIDIA's library, of the newest toolkit that has it."""
    return _first(Path(folder) / _IN_TOOLKITS for folder in _toolkits())


def ocml_path() -> str | None:
    """AMD's library: that of ROCm, or of the system."""
    return _first(Path(folder) / _IN_ROCM for folder in _rocm_folders())


def _toolkits() -> Iterator[str | Path]:
    try:
        # A toolkit's programs may be reached through links.
        yield from (Path(release.path).resolve().parents[1] for release in find_ptxas())
    except ToolMissing:
        return
    yield TOOLKIT


def _rocm_folders() -> Iterator[str | Path]:
    told = os.environ.get("ROCM_PATH")
    if told:
        yield told
    yield "/opt/rocm"
    # Debian puts it where the system's own libraries of its architecture are.
    yield from sorted(Path("/usr/lib").glob("*-linux-gnu"))
    yield "/usr/lib"


def _first(paths: Iterator[Path]) -> str | None:
    return next((os.fspath(path) for path in paths if path.is_file()), None)
