"""Kernels that use <cmath>, <complex>, <cstring> and other parts of the standard library."""

import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE
from variants import variant

pytestmark = pytest.mark.device

SOURCES = Path(__file__).parent / "standard_library"


def dovetail(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dovetail", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.parametrize(
    ("program", "options"),
    [
        ("numbers", ["-O2"]),
        ("complex_numbers", ["-O2"]),
        ("memory", ["-std=c++17", "-O2"]),
        pytest.param("memory", ["-std=c++20", "-O0"], marks=pytest.mark.thorough),
    ],
)
def test_results_are_those_of_the_host(program: str, options: list[str]) -> None:
    finished = dovetail("run", *options, SOURCES / f"{program}.cpp")
    assert (finished.stdout, finished.stderr) == ("0 wrong\n", "")


@pytest.mark.parametrize("program", ["numbers", variant("complex_numbers"), "memory"])
def test_gpus_have_the_same_functions(program: str, tmp_path: Path) -> None:
    targets = "-fsycl-targets=nvidia_gpu_sm_80,amd_gpu_gfx90a"
    options = ["-fsycl", "-fsyclbin", "-std=c++20", targets]
    output = tmp_path / "program.syclbin"
    finished = dovetail("c++", *options, SOURCES / f"{program}.cpp", "-o", output)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert output.stat().st_size
