"""The files of a bundle."""

from pathlib import Path, PurePosixPath
from typing import NamedTuple

RUNTIME = PurePosixPath("dovetail-runtime")
"""The folder next to the program; `native/start/find_python.cpp` searches it."""
LIBRARIES = RUNTIME / "lib"
SYSTEM_LIBRARIES = LIBRARIES / "system"
"""Libraries that are loaded only on machines that lack them; see `native/start`."""
LICENCES = PurePosixPath("licences")


class BundledFile(NamedTuple):
    """A file of a bundle."""

    path: PurePosixPath
    """Where it is, relative to the bundle."""
    source: Path | bytes
    """A file to copy, or the content. It is a module's source if `path` ends in `.pyc`."""
    component: str
    """What it belongs to, for the list of sizes."""
    is_executable: bool = False
    link_to: str = ""
    """If it is a symbolic link: the name of a file beside it."""
