"""The soak, in short; `make soak` is the long form."""

import subprocess
import sys
from pathlib import Path

import pytest
from soak.report import Report

pytestmark = pytest.mark.device

_ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("side", ["python", "c++"])
def test_a_few_seconds_of_load(side: str) -> None:
    command = [sys.executable, "-m", "soak", side, "--seconds", "2"]
    result = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "results compared" in result.stdout


def test_it_finds_wrong_results() -> None:
    """A kernel that does something else than NumPy must not go unnoticed."""
    script = (
        "import sys\n"
        "from soak import __main__ as soak, load\n"
        "load.SOURCE = load.SOURCE.replace('x[here()] += y', 'x[here()] -= y')\n"
        "sys.argv[1:] = ['python', '--seconds', '0.5', '--threads', '2']\n"
        "sys.exit(soak.main())\n"
    )
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "WRONG: " in result.stdout


def test_it_finds_memory_that_grows() -> None:
    report = Report("load", "done", [], 100 << 20, 117 << 20)
    assert report.all_faults == ["memory grew from 100.0 MB to 117.0 MB"]
    assert not Report("load", "done", [], 100 << 20, 116 << 20).all_faults
