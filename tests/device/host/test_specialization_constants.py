"""Specialization constants of C++ programs, in every form of device code that runs here."""

import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

pytestmark = pytest.mark.device

SOURCES = Path(__file__).parent / "sources" / "specialization_constants"
DOVETAIL = (sys.executable, "-m", "dovetail")


@pytest.mark.parametrize(
    "options",
    [
        ("-O0",),
        ("-O2",),
        ("-O1", "-fsycl-device-code-split=per_kernel"),
        # With the constants by which conditional code is specialised for the device.
        ("-fsycl-optional-features=conditional",),
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
