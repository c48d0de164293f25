"""Specialization constants of C++ programs, in every form of device code that runs here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE
from variants import variant

pytestmark = pytest.mark.device

SOURCES = Path(__file__).parent / "sources" / "specialization_constants"
DOVETAIL = (sys.executable, "-m", "dovetail")


@pytest.mark.parametrize(
    "options",
    [
        variant(("-O0",)),
        variant(("-O2",)),
        variant(("-O1", "-fsycl-device-code-split=per_kernel")),
        # With the constants by which conditional code is specialized for the device.
        variant(("-fsycl-optional-features=conditional",)),
        # Native code has the default values; other values need the SPIR-V.
        ("-fsycl-targets=x86_64",),
    ],
    ids=" ".join,
)
def test_values_in_kernels_and_bundles(options: tuple[str, ...], tmp_path: Path) -> None:
    objects = [tmp_path / f"{name}.o" for name in ("main", "other")]
    for target in objects:
        source = SOURCES / f"{target.stem}.cpp"
        words = (*DOVETAIL, "c++", "-fsycl", *options, "-c", source, "-o", target)
        subprocess.run(words, check=True)
    app = tmp_path / "app"
    subprocess.run([*DOVETAIL, "c++", "-fsycl", *options, *objects, "-o", app], check=True)
    finished = subprocess.run([app], capture_output=True, text=True, timeout=PATIENCE)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "done\n", "")


@pytest.mark.parametrize("features", ["split", "conditional"])
def test_in_libraries_and_in_code_for_some_devices(features: str, tmp_path: Path) -> None:
    option = f"-fsycl-optional-features={features}"
    library, app = tmp_path / "libnumbers.so", tmp_path / "app"
    words = (*DOVETAIL, "c++", "-fsycl", option)
    subprocess.run([*words, "-shared", SOURCES / "library.cpp", "-o", library], check=True)
    subprocess.run([*words, SOURCES / "program.cpp", library, "-o", app], check=True)
    for more in ((), ("--as", "intel_gpu_pvc")):
        finished = subprocess.run(
            [*DOVETAIL, "run", *more, app],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)},
        )
        assert (finished.returncode, finished.stdout, finished.stderr) == (0, "done\n", "")
