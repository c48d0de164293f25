"""The identity of the toolchain, and the environment variables that affect it.

Both are part of the key of every step. Programs are identified by size and modification time:
reading them would take longer than some steps.
"""

import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from dovetail.resources import CLANG, LLVM_OBJCOPY, plugin_path, tool_path

_PACKAGE = os.fspath(Path(__file__).parents[1])
_WITHOUT_STEPS = ("__pycache__", "cli", "probe", "runtime", "tablegen")
"""Folders of the package whose code steps do not use."""

_VARIABLES = (
    "C_INCLUDE_PATH",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "LIBRARY_PATH",
    "OBJC_INCLUDE_PATH",
    "PWD",
    "SDKROOT",
    "SOURCE_DATE_EPOCH",
)
_VARIABLES_BEGIN = ("CCC_", "CLANG_", "LLD_", "LLVM_")


def toolchain() -> str:
    """Return a digest that changes with any program or module that steps use."""
    clang = tool_path(CLANG)
    folder = os.path.dirname(os.path.realpath(clang))
    linker = os.path.join(folder, "ld.lld")
    # Clang reads configuration files in its folder.
    configuration = _files_in(folder, ends=(".cfg",))
    libraries = _files_in(
        os.path.join(os.path.dirname(folder), "lib"), begins=("libLLVM.so", "libclang-cpp.so")
    )
    tools = (clang, os.path.realpath(clang), linker, tool_path(LLVM_OBJCOPY), plugin_path())
    stamps = [_stamp(each) for each in (*tools, *configuration, *libraries)]
    return sha256(repr((stamps, sorted(_own_code(_PACKAGE)))).encode()).hexdigest()


def environment() -> str:
    """Return the working directory and the environment variables of compilers and linkers."""
    variables = {
        name: value
        for name, value in os.environ.items()
        if name in _VARIABLES or name.startswith(_VARIABLES_BEGIN)
    }
    return repr((os.getcwd(), sorted(variables.items())))


def _files_in(
    folder: str, begins: tuple[str, ...] = ("",), ends: tuple[str, ...] = ("",)
) -> Iterable[str]:
    """Return the paths of the files in a folder with such names; none if there is no folder."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return sorted(
        os.path.join(folder, name)
        for name in names
        if name.startswith(begins) and name.endswith(ends)
    )


def _own_code(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield name, size and time of each file of Dovetail's own that affects build steps."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((".bc", ".py", ".so")):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns
            elif entry.name not in _WITHOUT_STEPS and entry.is_dir():
                yield from _own_code(entry.path)


def _stamp(path: str | Path) -> tuple[str, int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return os.fspath(path), 0, 0
    return os.fspath(path), status.st_size, status.st_mtime_ns
