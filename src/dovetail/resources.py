"""Where the things are that Dovetail did not write in Python: headers, plugin, other programs.

An installed package holds headers and plugin beside its modules. In a checkout that is installed
for development the headers stay where they are, so that an edit takes effect at once.
"""

import os
import site
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from dovetail.errors import ToolMissing
from dovetail.settings import LLVM_BIN


class Tool(NamedTuple):
    """A program that a step starts, and the Debian package that has it."""

    program: str
    package: str


CLANG = Tool("clang++-22", "clang-22")
LLD = Tool("ld.lld-22", "lld-22")
LLVM_OBJCOPY = Tool("llvm-objcopy-22", "llvm-22")
LLVM_TBLGEN = Tool("llvm-tblgen-22", "llvm-22")
SPIRV_VAL = Tool("spirv-val", "spirv-tools")

OPENCL_VENDOR_VARIABLES = ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH")
"""By which users tell the OpenCL loader where drivers are listed."""
_OPENCL_VENDOR_FOLDERS = (Path("/etc/OpenCL/vendors"), Path("/usr/share/OpenCL/vendors"))

_PACKAGE = Path(__file__).parent
_LLVM_FOLDER = Path("/usr/lib/llvm-22/bin")


def tool_path(tool: Tool) -> str:
    """The program's path, or `ToolMissing` that names the package to install."""
    unversioned = tool.program.removesuffix("-22")
    configured = LLVM_BIN.value()
    if configured and unversioned != tool.program:
        found = _program(unversioned, configured)
        if not found:
            raise ToolMissing(
                f"there is no '{unversioned}' in '{configured}'",
                hint=f"{LLVM_BIN.variable} names that folder; unset it, or name LLVM 22's",
            )
        return found
    found = _program(tool.program, os.environ.get("PATH", os.defpath))
    found = found or _program(unversioned, os.fspath(_LLVM_FOLDER))
    if not found:
        # The setting is for LLVM's own programs.
        folder = (
            f" or name its folder in {LLVM_BIN.variable}" if unversioned != tool.program else ""
        )
        raise ToolMissing(
            f"'{tool.program}' is not installed",
            hint=f"on Debian: apt-get install {tool.package}; elsewhere put it on PATH{folder}",
        )
    return found


def _program(name: str, folders: str) -> str | None:
    """As `shutil.which` finds it; loading that takes as long as a small build."""
    for folder in folders.split(os.pathsep):
        path = Path(folder, name)
        if path.is_file() and os.access(path, os.X_OK):
            return os.fspath(path)
    return None


def opencl_drivers(folders: Iterable[Path] = _OPENCL_VENDOR_FOLDERS) -> list[str]:
    """What the system's `.icd` files name: paths, or names for the linker to find."""
    drivers: dict[str, None] = {}
    for folder in folders:
        for file in sorted(folder.glob("*.icd")):
            try:
                lines = file.read_text().split("\n")
            except (OSError, UnicodeDecodeError):
                continue
            drivers |= dict.fromkeys(line.strip() for line in lines[:1] if line.strip())
    return list(drivers)


def package_directories() -> Iterable[str]:
    """Return the directories that Python packages are installed in, this one's first.

    Not `sys.path`, in which the current directory and those of scripts may stand: programs are
    looked for in these directories, and run.
    """
    user = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    return dict.fromkeys([os.fspath(_PACKAGE.parent), *site.getsitepackages(), *user])


def include_directory() -> Path:
    """The folder with `sycl/sycl.hpp`."""
    checkout = Path(__file__).parents[2]
    return _first_with("sycl/sycl.hpp", [_PACKAGE / "include", checkout / "include"])


def plugin_path() -> Path:
    """The clang plugin, which lies beside the native module."""
    plugin = _PACKAGE / "_plugin.so"
    if plugin.exists():
        return plugin
    # Elsewhere only where a package is in several folders, and slow to load.
    from importlib.util import find_spec

    native = find_spec("dovetail._native")
    folders = [Path(native.origin).parent] if native and native.origin else []
    return _first_with("_plugin.so", folders) / "_plugin.so"


def _first_with(name: str, folders: list[Path]) -> Path:
    for folder in folders:
        if (folder / name).exists():
            return folder
    raise ToolMissing(
        f"this installation of Dovetail has no '{name}', so it can run programs but not build them",
        hint="install Dovetail with its compiler parts: 'make setup' in a checkout",
    )
