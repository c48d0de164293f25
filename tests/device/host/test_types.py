"""Types of numbers and pointers, the same on host and device, and answers of kernels."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.device

SOURCES = Path(__file__).parent / "sources"


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("source", ["vectors.cpp", "pointers.cpp", "kernel_answers.cpp"])
def test_types_on_host_and_device(source: str, level: str) -> None:
    command = [sys.executable, "-m", "dovetail", "run", level, SOURCES / source]
    finished = subprocess.run(command, capture_output=True, text=True)
    # The numbers of the first lines that fail.
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "device 0, host 0\n", "")
