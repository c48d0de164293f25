"""Reductions, optimised and not."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.device

SOURCE = Path(__file__).parent / "sources" / "reductions.cpp"


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_every_form(level: str) -> None:
    command = [sys.executable, "-m", "dovetail", "run", level, SOURCE]
    finished = subprocess.run(command, capture_output=True, text=True)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "done\n", "")
