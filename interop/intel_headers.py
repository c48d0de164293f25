"""Intel's SYCL headers from PyPI, in an environment of their own, and their precompiled form."""

from __future__ import annotations

import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
CLANG = "clang++-22"

# A host compiler that is not DPC++ is told about, and their own headers warn about themselves.
OPTIONS = ("-std=c++17", "-Wall", "-Wextra", "-DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING")


@dataclass(frozen=True)
class IntelHeaders:
    """Where the headers lie, and what reads them quickly."""

    include: Path
    precompiled: Path

    @property
    def options(self) -> tuple[str, ...]:
        """What makes clang take these headers."""
        return (*OPTIONS, "-isystem", str(self.include), "-include-pch", str(self.precompiled))


def prepare(folder: Path) -> IntelHeaders:
    """The headers in a folder; fetched and precompiled if they are not there yet."""
    headers = IntelHeaders(folder / "include", folder / "sycl.pch")
    wanted = REQUIREMENTS.read_text()
    stamp = folder / "installed"
    if not stamp.exists() or stamp.read_text() != wanted:
        stamp.unlink(missing_ok=True)
        headers.precompiled.unlink(missing_ok=True)
        _install(folder)
        stamp.write_text(wanted)
    if not headers.precompiled.exists():
        _precompile(headers)
    return headers


def _install(folder: Path) -> None:
    sys.stderr.write("interop: fetching Intel's headers (170 MB the first time) ...\n")
    venv.create(folder, with_pip=True, clear=True)
    python = folder / "bin" / "python"
    # The libraries that it depends on are needed to run programs, not to compile them.
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", "-r", REQUIREMENTS]
    subprocess.run([*install, "--disable-pip-version-check"], check=True)


def _precompile(headers: IntelHeaders) -> None:
    source = headers.precompiled.with_suffix(".hpp")
    source.write_text("#include <sycl/sycl.hpp>\n")
    unfinished = headers.precompiled.with_suffix(".part")
    command = [CLANG, *OPTIONS, "-isystem", headers.include, "-x", "c++-header", source]
    subprocess.run([*command, "-o", unfinished], check=True)
    unfinished.rename(headers.precompiled)
