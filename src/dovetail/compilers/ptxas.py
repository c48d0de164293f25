"""NVIDIA's assembler, of which several releases may be installed, each with its own targets."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dovetail.compilers.answers import answer_of, identity_of
from dovetail.errors import ToolFailed, ToolMissing
from dovetail.resources import package_directories

TOOLKIT = "/usr/local/cuda"
"""Where NVIDIA's installer puts a toolkit, on PATH or not."""

_IN_PACKAGES = "*/bin/ptxas"
"""Where PyPI's packages put it, below their common folder `nvidia`."""

_VERSION = re.compile(r"\bV(\d+(?:\.\d+)+)")
_NEWEST_PTX = re.compile(r"current version is '([\d.]+)'")
ANSWER = (re.compile(r"\d{1,9}(\.\d{1,9})+", re.ASCII), str, [str])
"""The shape of what it says of itself: version, newest PTX, architectures."""
_ARCHITECTURE = re.compile(r"'(sm_\w+)'")


class Ptxas(NamedTuple):
    """One installed release."""

    path: str
    version: str
    """Such as 13.0.88."""
    ptx_version: str
    """The newest version of PTX that it reads, such as 9.0."""
    architectures: frozenset[str]
    """What it makes code for, such as sm_90a."""

    @property
    def name(self) -> str:
        return f"ptxas {self.version}"


def find_ptxas() -> tuple[Ptxas, ...]:
    """Every release that is installed, newest first; `ToolMissing` if there is none."""
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
    """What a program says of itself; None if it does not run or is no ptxas."""
    question = "ptxas: version, PTX, architectures"
    answer = answer_of(identity_of(path), question, lambda: _ask(path), ANSWER)
    if answer is None:
        return None
    version, ptx_version, architectures = answer
    return Ptxas(path, version, ptx_version, frozenset(architectures))


def _ask(path: str) -> tuple[str, str, list[str]] | None:
    # What is kept already needs no process.
    from dovetail.processes.pool import current_pool, work_folder

    pool = current_pool()
    try:
        with work_folder() as folder:
            version = _VERSION.search(pool.run([path, "--version"], folder=folder).log)
            # Told of a version of PTX that there is not, it names the newest that it knows.
            (folder / "wrong.ptx").write_text(".version 99.0\n.target sm_90\n")
            newest = _NEWEST_PTX.search(pool.run([path, "wrong.ptx"], folder=folder).log)
            architectures = _ARCHITECTURE.findall(pool.run([path, "--help"], folder=folder).log)
    except ToolFailed:
        return None
    if not (version and newest):
        return None
    return version[1], newest[1], sorted(set(architectures))
