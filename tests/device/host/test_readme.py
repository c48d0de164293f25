"""What README and the tutorial show is what happens."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.device

ROOT = Path(__file__).parents[3]
SHOWN = {
    ROOT / "README.md": ("prog.cpp",),
    ROOT / "docs/tutorial.md": ("scale.cpp", "k.cpp", "k.py"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the pages show."""
    for page, names in SHOWN.items():
        texts = re.findall(r"```(?:cpp|python)\n(.*?)```", page.read_text(), re.DOTALL)
        for name, text in zip(names, texts, strict=True):
            (tmp_path / name).write_text(text)
    return tmp_path


def run(folder: Path, *words: str) -> str:
    return subprocess.run(
        [sys.executable, *words], cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def test_first_program(folder: Path) -> None:
    assert run(folder, "-m", "dovetail", "run", "prog.cpp").startswith("5 on ")


def test_program_for_many_targets_and_as_another_device(folder: Path) -> None:
    words = next(
        line.split()[1:]
        for line in (ROOT / "README.md").read_text().splitlines()
        if line.startswith("    .venv/bin/dovetail c++")
    )
    assert run(folder, "-m", "dovetail", *words) == ""
    assert run(folder, "-m", "dovetail", "run", "prog").startswith("5 on ")
    assert "amd_gpu_gfx1100" in run(folder, "-m", "dovetail", "inspect", "prog")
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


def test_the_tutorials_kernel_and_what_it_needs(folder: Path) -> None:
    target = "intel_gpu_acm_g10"
    assert run(folder, "-m", "dovetail", "run", "scale.cpp") == "1.5\n"
    report = run(folder, "-m", "dovetail", "check", "scale.cpp", "--targets", target)
    tutorial = (ROOT / "docs/tutorial.md").read_text()
    assert all(f"    {line}".rstrip() in tutorial for line in report.splitlines())
    words = [sys.executable, "-m", "dovetail", "run", "scale.cpp", "--as", target]
    refused = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert all(f"    {line}" in tutorial for line in refused.stderr.splitlines()[-2:])
    source = folder / "scale.cpp"
    source.write_text(source.read_text().replace("0.5;", "0.5f;"))
    assert run(folder, "-m", "dovetail", "run", "scale.cpp", "--as", target) == "1.5\n"
