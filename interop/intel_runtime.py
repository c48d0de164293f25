"""Intel's SYCL runtime: compiles programs for it and runs them on the OpenCL CPU device."""

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
    """The paths of the runtime and of the OpenCL driver of its device."""

    folder: Path
    driver: Path
    adapters: Path | None = None
    """The folder of another release with libraries that this one lacks."""

    def compile(self, source: Path, program: Path) -> None:
        """Compile a host program with the headers of this release."""
        paths = ["-isystem", self.folder / "include", "-L", self.folder / "lib"]
        command = [CLANG, *OPTIONS, *paths, source, "-lsycl", "-o", program]
        subprocess.run(command, check=True)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of processes that use the runtime, with the CPU as the only device."""
        # The driver's loader reads OCL_ICD_FILENAMES; the system's loader may not.
        folders = [self.folder, *([self.adapters] if self.adapters else [])]
        libraries = [*(str(folder / "lib") for folder in folders), str(self.driver.parent)]
        return {
            **os.environ,
            "LD_LIBRARY_PATH": os.pathsep.join(libraries),
            "OCL_ICD_FILENAMES": str(self.driver),
            "ONEAPI_DEVICE_SELECTOR": "opencl:cpu",
        }

    def run(self, program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program built by `compile`."""
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
    """Return the runtime in a folder; download it, or the given packages, if necessary."""
    driver = cpu_runtime()
    if driver is None:
        raise ToolMissing(
            "Intel's OpenCL CPU runtime is not installed",
            hint="run 'make setup', or: pip install intel-opencl-rt",
        )
    provide(folder, requirements, what, megabytes)
    return IntelRuntime(folder, driver)
