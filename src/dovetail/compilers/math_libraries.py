"""Finds the vendors' math libraries, which are LLVM bitcode.

Without a library, code can use only the math functions that LLVM itself implements.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from dovetail.compilers.ptxas import TOOLKIT, find_ptxas
from dovetail.errors import ToolMissing

LIBDEVICE_PACKAGE = "nvidia-cuda-nvcc-cu12"
"""The PyPI package with NVIDIA's library."""
OCML_PACKAGE = "rocm-device-libs"
"""The Debian package with AMD's library."""

_IN_TOOLKITS = "nvvm/libdevice/libdevice.10.bc"
_IN_ROCM = "amdgcn/bitcode/ocml.bc"


def libdevice_path() -> str | None:
    """Return the path of NVIDIA's library in the newest toolkit that has it, or None."""
    return _first(Path(folder) / _IN_TOOLKITS for folder in _toolkits())


def ocml_path() -> str | None:
    """Return the path of AMD's library, from ROCm or the system, or None."""
    return _first(Path(folder) / _IN_ROCM for folder in _rocm_folders())


def _toolkits() -> Iterator[str | Path]:
    try:
        # The path may go through symbolic links.
        yield from (Path(release.path).resolve().parents[1] for release in find_ptxas())
    except ToolMissing:
        return
    yield TOOLKIT


def _rocm_folders() -> Iterator[str | Path]:
    configured = os.environ.get("ROCM_PATH")
    if configured:
        yield configured
    yield "/opt/rocm"
    # Debian installs it in its multiarch folders.
    yield from sorted(Path("/usr/lib").glob("*-linux-gnu"))
    yield "/usr/lib"


def _first(paths: Iterator[Path]) -> str | None:
    return next((os.fspath(path) for path in paths if path.is_file()), None)
