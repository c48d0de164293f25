"""File systems for one test, mounted in a namespace that ends with the process."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest


def mount_point(tmp_path: Path) -> Path:
    """Return a directory to mount on; skips where that is not allowed."""
    directory = tmp_path / "mounted"
    directory.mkdir(mode=0o700)
    script = f"mount -t tmpfs none {directory}"
    tried = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"file systems cannot be mounted here: {tried.stderr.strip()}")
    return directory


def run_mounted(
    script: str, command: Sequence[str], environment: Mapping[str, str], cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command after a script that mounts what it needs."""
    whole = ["unshare", "-rm", "sh", "-ec", f'{script}; exec "$@"', "sh", *command]
    return subprocess.run(
        whole, capture_output=True, text=True, env={**os.environ, **environment}, cwd=cwd
    )
