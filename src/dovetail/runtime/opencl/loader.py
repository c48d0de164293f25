"""Pointing the OpenCL loader at the drivers there are.

The loader reads `.icd` files, each with the path of a driver, from a folder. Intel's CPU runtime,
when installed by pip, brings such a file with a path that exists nowhere. So for the time of the
loader's one and only look, it is shown a folder with the system's files and one for that runtime.
A user who has set the folder is left alone.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from ctypes import CDLL
from importlib.metadata import PackageNotFoundError, files
from mmap import ACCESS_READ, mmap
from pathlib import Path
from tempfile import TemporaryDirectory

import pyopencl as cl

from dovetail.errors import FormatError
from dovetail.image.search_path import needed_libraries
from dovetail.resources import OPENCL_VENDOR_VARIABLES, opencl_drivers

_CPU_RUNTIME = ("intel-opencl-rt", "libintelocl.so")
"""The distribution and the driver in it."""


def find_platforms() -> list[cl.Platform]:
    """All platforms, Intel's CPU runtime from pip included."""
    runtime = cpu_runtime()
    if runtime:
        load_system_libraries(runtime)
    with vendor_folder(opencl_drivers(), runtime):
        try:
            return cl.get_platforms()
        except cl.Error:
            # The loader reports that there are none as an error.
            return []


def load_system_libraries(runtime: Path) -> None:
    """Load the libraries that the driver needs and does not bring, before the driver does.

    The search path of Intel's driver has empty entries, which the dynamic linker takes for the
    current directory: it would load a `librt.so.1` from there. A library that is loaded already is
    not looked for.
    """
    with runtime.open("rb") as file, suppress(FormatError):
        content = mmap(file.fileno(), 0, access=ACCESS_READ)
        for name in needed_libraries(memoryview(content)):
            if not (runtime.parent / name).exists():
                # If it is missing, the driver cannot be loaded, and the OpenCL loader goes on.
                with suppress(OSError):
                    CDLL(name)


@contextmanager
def vendor_folder(drivers: list[str], runtime: Path | None) -> Generator[Path | None]:
    """Show the loader these drivers and `runtime`; nothing if there is nothing to add."""
    if runtime is None or any(os.environ.get(name) for name in OPENCL_VENDOR_VARIABLES):
        yield None
        return
    with TemporaryDirectory(prefix="dovetail-opencl-") as name:
        folder = Path(name)
        for number, driver in enumerate([*drivers, str(runtime)]):
            (folder / f"{number:03}.icd").write_text(f"{driver}\n")
        os.environ[OPENCL_VENDOR_VARIABLES[0]] = name
        try:
            yield folder
        finally:
            del os.environ[OPENCL_VENDOR_VARIABLES[0]]


def cpu_runtime() -> Path | None:
    """Intel's CPU driver in this Python environment, if it is installed."""
    distribution, library = _CPU_RUNTIME
    try:
        listed = files(distribution) or []
    except PackageNotFoundError:
        return None
    for file in listed:
        if file.name == library:
            path = Path(str(file.locate())).resolve()
            return path if path.is_file() else None
    return None
