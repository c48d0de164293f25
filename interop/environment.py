"""Packages of Intel's from PyPI, pinned, in an environment of their own."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

from dovetail.errors import DovetailError


class FetchError(DovetailError):
    """Packages could not be fetched or installed."""


def provide(folder: Path, requirements: Path, what: str, megabytes: int) -> None:
    """Make `folder` an environment with exactly these packages, if it is not that already."""
    wanted = requirements.read_text()
    stamp = folder / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    sys.stderr.write(f"interop: fetching {what}, {megabytes} MB, into '{folder}' ...\n")
    try:
        venv.create(folder, with_pip=True, clear=True)
        _install(folder, requirements)
    except (subprocess.CalledProcessError, OSError) as error:
        raise FetchError(
            f"{what} could not be fetched: {error}",
            hint=f"It comes from PyPI, as '{requirements}' lists it. Pip's own message is above.",
        ) from error
    stamp.write_text(wanted)


def _install(folder: Path, requirements: Path) -> None:
    # The lists are complete, and leave out on purpose what packages name but do not need here.
    options = ["--quiet", "--no-deps", "--disable-pip-version-check", "-r", str(requirements)]
    command = [str(folder / "bin" / "python"), "-m", "pip", "install", *options]
    # Pip's messages are no result: standard output is for the tables.
    subprocess.run(command, check=True, stdout=sys.stderr)
