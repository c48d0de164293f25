"""What README shows is what happens."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.device

README = Path(__file__).parents[3] / "README.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with README's files, in the order in which they come."""
    texts = re.findall(r"```(?:cpp|python)\n(.*?)```", README.read_text(), re.DOTALL)
    for name, text in zip(("prog.cpp", "k.cpp", "k.py"), texts, strict=True):
        (tmp_path / name).write_text(text)
    return tmp_path


def run(folder: Path, *words: str) -> str:
    return subprocess.run(
        [sys.executable, *words], cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def test_first_program(folder: Path) -> None:
    assert run(folder, "-m", "dovetail", "run", "prog.cpp").startswith("5 on ")


def test_program_in_one_file_and_as_another_device(folder: Path) -> None:
    assert run(folder, "-m", "dovetail", "c++", "-fsycl", "prog.cpp", "-o", "prog") == ""
    assert run(folder, "-m", "dovetail", "run", "prog").startswith("5 on ")
    words = ("run", "prog.cpp", "--as", "intel_gpu_acm_g10")
    assert run(folder, "-m", "dovetail", *words).startswith("5 on ")


def test_kernels_from_python(folder: Path) -> None:
    assert run(folder, "k.py").startswith("[1.000e+00 3.000e+00 5.000e+00")
    assert "saxpy(float, const float *, float *)" in run(
        folder, "-m", "dovetail", "inspect", "k.syclbin"
    )


def test_the_shells_commands(folder: Path) -> None:
    words = ("-fsycl", "-fsyclbin", "k.cpp", "-o", "k.syclbin")
    assert run(folder, "-m", "dovetail", "c++", *words) == ""
    assert "saxpy" in run(folder, "-m", "dovetail", "inspect", "k.syclbin")
