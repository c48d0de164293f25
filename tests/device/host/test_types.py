"""Types of numbers and pointers, the same on host and device, and answers of kernels."""

import subprocess
import sys
from pathlib import Path

import pytest
from variants import variant

pytestmark = pytest.mark.device

SOURCES = Path(__file__).parent / "sources"


@pytest.mark.parametrize("level", [variant("-O0"), "-O2"])
@pytest.mark.parametrize("source", ["vectors.cpp", "pointers.cpp", "kernel_answers.cpp"])
def test_types_on_host_and_device(source: str, level: str) -> None:
    options = [level, "-Wno-deprecated-declarations"]
    command = [sys.executable, "-m", "dovetail", "run", *options, SOURCES / source]
    finished = subprocess.run(command, capture_output=True, text=True)
    # The numbers of the first lines that fail.
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "device 0, host 0\n", "")


def test_external_functions_in_all_positions() -> None:
    sources = [SOURCES / "external_positions.cpp", SOURCES / "external_positions_other.cpp"]
    command = [sys.executable, "-m", "dovetail", "run", *sources]
    finished = subprocess.run(command, capture_output=True, text=True)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "37\n", "")


def test_bfloat16_is_exact() -> None:
    command = [sys.executable, "-m", "dovetail", "run", SOURCES / "bfloat16.cpp"]
    finished = subprocess.run(command, capture_output=True, text=True)
    # Numbers of results that differ from the nearest number to the exact one.
    expected = "conversions 0, operators 0 0 0 0, fma 0\n"
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, expected, "")
