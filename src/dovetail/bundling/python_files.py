"""Python itself: its library, an interpreter, and the standard library."""

import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from dovetail.bundling.bundled_file import LIBRARIES, RUNTIME, BundledFile
from dovetail.errors import ToolMissing
from dovetail.interpreter import shared_library
from dovetail.resources import bundle_interpreter

_VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
STANDARD_LIBRARY = LIBRARIES / _VERSION
PACKAGES = STANDARD_LIBRARY / "site-packages"

# Test suites, development tools, graphical interfaces and installers.
_LEFT_OUT = frozenset(
    {
        *("__pycache__", "dist-packages", "site-packages", "sitecustomize.py", "test", "tests"),
        *("distutils", "ensurepip", "idlelib", "lib2to3", "pydoc_data", "tkinter", "turtle.py"),
        *("turtledemo", "venv"),
    }
)
# Needed only by these, or with libraries that not every machine has and a fallback: `hashlib` has
# its own functions.
_MODULES_LEFT_OUT = frozenset(
    {
        *("_asyncio", "_crypt", "_curses", "_curses_panel", "_dbm", "_gdbm", "_hashlib", "_ssl"),
        *("_tkinter", "nis", "ossaudiodev", "readline", "spwd"),
    }
)
_TEST_MODULES = ("_test", "_ctypes_test", "_xxtest", "xxlimited")

# Some distributions search other folders.
_SITE = b"import os, site\nsite.addsitedir(os.path.join(os.path.dirname(os.__file__), %r))\n"


def python_entries() -> Iterator[BundledFile]:
    """Yield the files of this process's Python; `ToolMissing` if it has no shared library."""
    library = Path(shared_library())
    if library == Path():
        raise ToolMissing(
            f"{sys.executable} has no shared library, which programs load",
            hint="install it (on Debian the package libpython3-dev), or use a Python that was"
            " configured with --enable-shared",
        )
    name = library.resolve().name
    yield BundledFile(LIBRARIES / name, library.resolve(), "Python")
    yield BundledFile(LIBRARIES / "libpython.so", b"", "Python", link_to=name)
    yield BundledFile(
        RUNTIME / "bin" / "python3", bundle_interpreter(), "Python", is_executable=True
    )
    # Distributions may keep modules in C elsewhere.
    for folder in dict.fromkeys(map(sysconfig.get_path, ("stdlib", "platstdlib"))):
        yield from _modules(Path(folder), STANDARD_LIBRARY)
    site = _SITE % PACKAGES.name
    yield BundledFile(STANDARD_LIBRARY / "sitecustomize.pyc", site, "Python")


def _modules(folder: Path, target: PurePosixPath) -> Iterator[BundledFile]:
    for file in sorted(folder.iterdir()):
        if file.name in _LEFT_OUT or file.name.startswith("config-"):
            continue
        if file.is_dir():
            yield from _modules(file, target / file.name)
        elif file.suffix == ".py" or (file.suffix == ".so" and _is_used(file)):
            yield module_entry(file, target, "Python")


def _is_used(extension: Path) -> bool:
    name = extension.name.partition(".")[0]
    return name not in _MODULES_LEFT_OUT and not name.startswith(_TEST_MODULES)


def module_entry(file: Path, folder: PurePosixPath, component: str) -> BundledFile:
    """Return the entry of a module, compiled if it is in Python."""
    name = f"{file.name}c" if file.suffix == ".py" else file.name
    return BundledFile(folder / name, file, component)
