"""Intel's SYCL headers, and their precompiled form."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from interop.environment import provide

REQUIREMENTS = Path(__file__).with_name("headers-requirements.txt")
CLANG = "clang++-22"

# The headers warn about host compilers other than DPC++, and about themselves.
# Stock clang does not know the attributes of SYCL.
OPTIONS = (
    "-std=c++17",
    "-Wall",
    "-Wextra",
    "-Wno-unknown-attributes",
    "-DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING",
)


@dataclass(frozen=True)
class IntelHeaders:
    """The paths of the headers and their precompiled form."""

    include: Path
    precompiled: Path

    @property
    def options(self) -> tuple[str, ...]:
        """The options of clang for these headers."""
        return (*OPTIONS, "-isystem", str(self.include), "-include-pch", str(self.precompiled))


def prepare_headers(folder: Path) -> IntelHeaders:
    """Return the headers in a folder; download and precompile them if necessary."""
    fetch_headers(folder)
    headers = IntelHeaders(folder / "include", folder / "sycl.pch")
    if not headers.precompiled.exists():
        _precompile(headers)
    return headers


def fetch_headers(folder: Path) -> Path:
    """Return the folder with the packages; download them if necessary."""
    provide(folder, REQUIREMENTS, "Intel's SYCL with its headers", 170)
    return folder


def _precompile(headers: IntelHeaders) -> None:
    source = headers.precompiled.with_suffix(".hpp")
    source.write_text("#include <sycl/sycl.hpp>\n")
    unfinished = headers.precompiled.with_suffix(".part")
    command = [CLANG, *OPTIONS, "-isystem", headers.include, "-x", "c++-header", source]
    subprocess.run([*command, "-o", unfinished], check=True)
    unfinished.rename(headers.precompiled)
