"""The soak, in short; `make soak` is the long form."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.device

_ROOT = Path(__file__).parents[2]


def test_a_few_seconds_of_load() -> None:
    command = [sys.executable, "-m", "soak", "--seconds", "4"]
    result = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "results compared" in result.stdout


def test_it_finds_wrong_results() -> None:
    """A kernel that does something else than NumPy must not go unnoticed."""
    script = (
        "import sys\n"
        "from soak import __main__ as soak, load\n"
        "load.SOURCE = load.SOURCE.replace('x[here()] += y', 'x[here()] -= y')\n"
        "sys.argv[1:] = ['--seconds', '2', '--threads', '2']\n"
        "sys.exit(soak.main())\n"
    )
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "WRONG: " in result.stdout
