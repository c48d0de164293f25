"""Pinned Intel packages from PyPI, in their own virtual environment."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

from dovetail.errors import DovetailError


class FetchError(DovetailError):
    """Packages could not be downloaded or installed."""


def provide(folder: Path, requirements: Path, what: str, megabytes: int) -> None:
    """Create an environment with exactly these packages in `folder`, unless it exists."""
    wanted = requirements.read_text()
    stamp = folder / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    sys.stderr.write(f"interop: downloading {what}, {megabytes} MB, into '{folder}' ...\n")
    try:
        venv.create(folder, with_pip=True, clear=True)
        _install(folder, requirements)
    except (subprocess.CalledProcessError, OSError) as error:
        raise FetchError(
            f"cannot download {what}: {error}",
            hint=f"see pip's message above; '{requirements}' lists the packages from PyPI",
        ) from error
    stamp.write_text(wanted)


def _install(folder: Path, requirements: Path) -> None:
    # The lists are complete; dependencies that are not needed here are omitted on purpose.
    options = ["--quiet", "--no-deps", "--disable-pip-version-check", "-r", str(requirements)]
    command = [str(folder / "bin" / "python"), "-m", "pip", "install", *options]
    # Standard output is for the tables only.
    subprocess.run(command, check=True, stdout=sys.stderr)
