"""The Python that runs this, as programs find it again: its interpreter and its shared library."""

import os
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

_PACKAGE = Path(__file__).parent


class Interpreter(NamedTuple):
    """A Python with Dovetail."""

    path: str
    """Its interpreter; in a virtual environment, that of the environment."""
    library: str
    """Its libpython; empty if it has none."""
    version: str
    """As in `3.11`: packages with native code are for one of these."""
    folders: tuple[str, ...]
    """The folders of Dovetail and the packages that it needs."""


def this_interpreter() -> Interpreter:
    """Return the interpreter of this process."""
    version = ".".join(map(str, sys.version_info[:2]))
    return Interpreter(sys.executable, shared_library(), version, tuple(_package_folders()))


def shared_library() -> str:
    """Return the path of this Python's shared library, or an empty string if it has none."""
    name, folder, machine = sysconfig.get_config_vars("INSTSONAME", "LIBDIR", "MULTIARCH")
    if not name or not folder or ".so" not in name:
        return ""
    # Distributions put it into a folder for the architecture; an installation may have moved.
    folders = (folder, Path(folder, machine or ""), Path(sys.base_prefix, "lib"))
    found = (os.fspath(path) for each in folders if (path := Path(each, name)).is_file())
    return next(found, "")


def _package_folders() -> dict[str, None]:
    numpy = find_spec("numpy")
    needed = [Path(numpy.origin).parent.parent] if numpy and numpy.origin else []
    return dict.fromkeys(map(os.fspath, [_PACKAGE.parent, *needed]))
