"""ptxas, NVIDIA's assembler. Several releases can be installed; each has its own targets."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dovetail.compilers.queries import cached_query, file_identity
from dovetail.errors import ToolFailed, ToolMissing
from dovetail.resources import package_directories

TOOLKIT = "/usr/local/cuda"
"""The default folder of NVIDIA's installer, which need not be on PATH."""

_IN_PACKAGES = "*/bin/ptxas"
"""Its path in PyPI packages, relative to their common folder `nvidia`."""

_VERSION = re.compile(r"\bV(\d+(?:\.\d+)+)")
_NEWEST_PTX = re.compile(r"current version is '([\d.]+)'")
ANSWER = (re.compile(r"\d{1,9}(\.\d{1,9})+", re.ASCII), str, [str])
"""The JSON shape of its description: version, newest PTX, architectures."""
_ARCHITECTURE = re.compile(r"'(sm_\w+)'")


class Ptxas(NamedTuple):
    """One installed release."""

    path: str
    version: str
    """Such as 13.0.88."""
    ptx_version: str
    """The newest version of PTX that it accepts, such as 9.0."""
    architectures: frozenset[str]
    """Such as sm_90a."""

    @property
    def name(self) -> str:
        return f"ptxas {self.version}"


def find_ptxas() -> tuple[Ptxas, ...]:
    """Return all installed releases, newest first; raise `ToolMissing` if there is none."""
    found: dict[str, Ptxas] = {}
    for path in _paths():
        ptxas = _described(path)
        if ptxas:
            found.setdefault(ptxas.version, ptxas)
    if not found:
        raise ToolMissing(
            "'ptxas' is not installed",
            hint="install a CUDA toolkit and put it on PATH, or: pip install nvidia-cuda-nvcc-cu12",
        )
    return tuple(sorted(found.values(), key=_by_version, reverse=True))


def _by_version(ptxas: Ptxas) -> tuple[int, ...]:
    return tuple(int(part) for part in ptxas.version.split("."))


def _paths() -> Iterator[str]:
    for folder in (*os.environ.get("PATH", os.defpath).split(os.pathsep), f"{TOOLKIT}/bin"):
        path = Path(folder, "ptxas")
        if path.is_file() and os.access(path, os.X_OK):
            yield os.fspath(path)
    for folder in package_directories():
        yield from map(os.fspath, Path(folder, "nvidia").glob(_IN_PACKAGES))


def _described(path: str) -> Ptxas | None:
    """Return the description of a ptxas; None if the program does not run or is not ptxas."""
    question = "ptxas: version, PTX, architectures"
    answer = cached_query(file_identity(path), question, lambda: _query(path), ANSWER)
    if answer is None:
        return None
    version, ptx_version, architectures = answer
    return Ptxas(path, version, ptx_version, frozenset(architectures))


def _query(path: str) -> tuple[str, str, list[str]] | None:
    """Return release, newest PTX version and architectures of a ptxas, or None if it fails."""
    # Imported here: a cached result needs no process.
    from dovetail.processes.pool import current_pool, work_folder

    pool = current_pool()
    try:
        with work_folder() as folder:
            version = _VERSION.search(pool.run([path, "--version"], folder=folder).log)
            # The error for a version that does not exist names the newest supported version.
            (folder / "wrong.ptx").write_text(".version 99.0\n.target sm_90\n")
            newest = _NEWEST_PTX.search(pool.run([path, "wrong.ptx"], folder=folder).log)
            architectures = _ARCHITECTURE.findall(pool.run([path, "--help"], folder=folder).log)
    except ToolFailed:
        return None
    if not (version and newest):
        return None
    return version[1], newest[1], sorted(set(architectures))
