"""Intel's SYCL runtime: compiling a program for it, and running that on the OpenCL CPU device."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from dovetail.errors import ToolMissing
from dovetail.runtime.opencl.loader import cpu_runtime
from interop.environment import provide
from interop.intel_headers import CLANG, OPTIONS

REQUIREMENTS = Path(__file__).with_name("runtime-requirements.txt")


@dataclass(frozen=True)
class IntelRuntime:
    """Where the runtime lies, and the OpenCL driver that is its device."""

    folder: Path
    driver: Path
    adapters: Path | None = None
    """Where another release lies whose libraries are used for those that this one lacks."""

    def compile(self, source: Path, program: Path) -> None:
        """Make an executable of a host program, with the headers of this very release."""
        where = ["-isystem", self.folder / "include", "-L", self.folder / "lib"]
        command = [CLANG, *OPTIONS, *where, source, "-lsycl", "-o", program]
        subprocess.run(command, check=True)

    @property
    def environment(self) -> dict[str, str]:
        """For processes that use the runtime: with the CPU and no other device."""
        # The driver brings a loader that reads OCL_ICD_FILENAMES; a system's own may not.
        folders = [self.folder, *([self.adapters] if self.adapters else [])]
        libraries = [*(str(folder / "lib") for folder in folders), str(self.driver.parent)]
        return {
            **os.environ,
            "LD_LIBRARY_PATH": os.pathsep.join(libraries),
            "OCL_ICD_FILENAMES": str(self.driver),
            "ONEAPI_DEVICE_SELECTOR": "opencl:cpu",
        }

    def run(self, program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run an executable of `compile`."""
        command = [str(program), *arguments]
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=False, timeout=300
        )


def prepare_runtime(
    folder: Path,
    requirements: Path = REQUIREMENTS,
    what: str = "Intel's SYCL runtime",
    megabytes: int = 210,
) -> IntelRuntime:
    """The runtime in a folder, alone or with more; fetched if it is not there yet."""
    driver = cpu_runtime()
    if driver is None:
        raise ToolMissing(
            "Intel's OpenCL CPU runtime is not installed",
            hint="'make setup' installs it; by hand: pip install intel-opencl-rt",
        )
    provide(folder, requirements, what, megabytes)
    return IntelRuntime(folder, driver)
