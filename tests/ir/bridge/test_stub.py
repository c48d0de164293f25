"""The stub of the native module is up to date."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_stub_is_up_to_date(tmp_path: Path) -> None:
    """If this fails, run the two commands in docs/bridge.md."""
    fresh = tmp_path / "_native.pyi"
    patterns = ROOT / "native/bridge/stub_patterns.nb"
    generate = ["nanobind.stubgen", "-q", "-m", "dovetail._native", "-p", patterns, "-o", fresh]
    subprocess.run([sys.executable, "-m", *generate], check=True)
    tidy = ["ruff", "format", "-q", "--config", ROOT / "pyproject.toml", fresh]
    subprocess.run([sys.executable, "-m", *tidy], check=True)
    assert fresh.read_text() == (ROOT / "src/dovetail/_native.pyi").read_text()
