"""Disturbed builds, in short; `make chaos` is the long form."""

import subprocess
import sys
from pathlib import Path

import pytest
from chaos.faults import FAULTS

pytestmark = pytest.mark.device

_ROOT = Path(__file__).parents[2]


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=_ROOT, capture_output=True, text=True, check=False
    )


def test_one_disturbed_build() -> None:
    result = _run("-m", "chaos", "--seconds", "0.01", "--faults", "stopped")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "1 disturbed builds, each followed by a correct one: 1 stopped\n" in result.stdout


@pytest.mark.thorough
def test_it_finds_programs_of_old_sources() -> None:
    """A build that misses a change must not go unnoticed."""
    script = (
        "import sys\n"
        "from chaos import __main__ as chaos, project\n"
        "write = project.Project.write\n"
        "project.Project.write = lambda self, number: write(self, min(number, 1001))\n"
        "sys.argv[1:] = ['--seconds', '0.01', '--faults', 'killed']\n"
        "sys.exit(chaos.main())\n"
    )
    result = _run("-c", script)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "WRONG, with seed" in result.stdout
    assert "killed: expected one of ['1003 1003003\\n'], got '1001 1001001\\n'" in result.stdout


def test_every_fault_says_what_it_does() -> None:
    listed = _run("-m", "chaos", "--list").stdout
    for fault in FAULTS:
        assert fault.__doc__
        assert f"{fault.__name__.replace('_', '-')}: {fault.__doc__}\n" in listed
