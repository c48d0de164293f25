"""Paths of headers, the clang plugin and external programs.

An installed package contains headers and plugin next to its modules. A development install uses the
headers of the checkout, so edits take effect at once.
"""

import os
import site
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from dovetail.errors import ToolMissing
from dovetail.settings import LLVM_BIN


class Tool(NamedTuple):
    """An external program and the Debian package that contains it."""

    program: str
    package: str


CLANG = Tool("clang++-22", "clang-22")
LLD = Tool("ld.lld-22", "lld-22")
LLVM_OBJCOPY = Tool("llvm-objcopy-22", "llvm-22")
LLVM_TBLGEN = Tool("llvm-tblgen-22", "llvm-22")
SPIRV_VAL = Tool("spirv-val", "spirv-tools")

OPENCL_VENDOR_VARIABLES = ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH")
"""The OpenCL loader's variables for the folders that list drivers."""
_OPENCL_VENDOR_FOLDERS = (Path("/etc/OpenCL/vendors"), Path("/usr/share/OpenCL/vendors"))

_PACKAGE = Path(__file__).parent
_LLVM_FOLDER = Path("/usr/lib/llvm-22/bin")


def tool_path(tool: Tool) -> str:
    """Return the path of a program; `ToolMissing` names the package to install."""
    unversioned = tool.program.removesuffix("-22")
    configured = LLVM_BIN.value()
    if configured and unversioned != tool.program:
        found = _program(unversioned, configured)
        if not found:
            raise ToolMissing(
                f"there is no '{unversioned}' in '{configured}', the value of {LLVM_BIN.variable}",
                hint="unset the variable, or set it to the folder of LLVM 22's programs",
            )
        return found
    found = _program(tool.program, os.environ.get("PATH", os.defpath))
    found = found or _program(unversioned, os.fspath(_LLVM_FOLDER))
    if not found:
        # The setting applies only to LLVM's programs.
        folder = (
            f", or set {LLVM_BIN.variable} to its folder" if unversioned != tool.program else ""
        )
        raise ToolMissing(
            f"'{tool.program}' is not installed",
            hint=f"on Debian: apt-get install {tool.package}; elsewhere add it to PATH{folder}",
        )
    return found


def _program(name: str, folders: str) -> str | None:
    """Return the path of a program, like `shutil.which`, which would be slow to import."""
    for folder in folders.split(os.pathsep):
        path = Path(folder, name)
        if path.is_file() and os.access(path, os.X_OK):
            return os.fspath(path)
    return None


def opencl_drivers(folders: Iterable[Path] = _OPENCL_VENDOR_FOLDERS) -> list[str]:
    """Return the drivers in the system's `.icd` files: paths, or names for the dynamic linker."""
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
    """Return the directories in which Python packages are installed, this package's first.

    Programs are searched and run in them. `sys.path` is not suitable: it may contain the current
    directory and those of scripts.
    """
    user = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    return dict.fromkeys([os.fspath(_PACKAGE.parent), *site.getsitepackages(), *user])


def include_directory() -> Path:
    """Return the folder with `sycl/sycl.hpp`."""
    checkout = Path(__file__).parents[2]
    return _first_with("sycl/sycl.hpp", [_PACKAGE / "include", checkout / "include"])


def plugin_path() -> Path:
    """Return the path of the clang plugin, which is next to the native module."""
    plugin = _PACKAGE / "_plugin.so"
    if plugin.exists():
        return plugin
    # Only if the package is spread over several folders; slow to import.
    from importlib.util import find_spec

    native = find_spec("dovetail._native")
    folders = [Path(native.origin).parent] if native and native.origin else []
    return _first_with("_plugin.so", folders) / "_plugin.so"


def device_library(family: str) -> Path:
    """Return the path of the device library for an IR family, as LLVM bitcode."""
    name = f"{family}.bc"
    return _first_with(name, [_PACKAGE / "device_library"]) / name


def start_library() -> Path:
    """Return the path of the archive that lets programs start the runtime."""
    return _first_with("libdovetail.a", [_PACKAGE / "lib"]) / "libdovetail.a"


def bundle_interpreter() -> Path:
    """Return the path of the interpreter for bundles, which uses the Python library of a bundle."""
    return _first_with("python3", [_PACKAGE / "lib"]) / "python3"


def without_opencl_c() -> Path:
    """Return the path of the library that bundles have in place of a compiler for OpenCL C."""
    return _first_with("libno_opencl_c.so", [_PACKAGE / "lib"]) / "libno_opencl_c.so"


def _first_with(name: str, folders: list[Path]) -> Path:
    """Return the first folder that contains a name; raise `ToolMissing` if none does."""
    for folder in folders:
        if (folder / name).exists():
            return folder
    raise ToolMissing(
        f"this installation of Dovetail has no '{name}', so it can run programs but not build them",
        hint="install Dovetail with its compiler parts: 'make setup' in a checkout",
    )
