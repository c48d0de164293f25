"""Making the OpenCL loader find all installed drivers.

The loader reads `.icd` files, each with the path of a driver, from a folder, once. Intel's CPU
runtime, when installed by pip, has such a file with a path that does not exist. So the loader gets
a temporary folder with the system's files and one for that runtime, unless the user has set the
folder.
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
from platformdirs import user_cache_dir

from dovetail.errors import FormatError
from dovetail.image.search_path import needed_libraries
from dovetail.resources import OPENCL_VENDOR_VARIABLES, opencl_drivers

_CPU_RUNTIME = ("intel-opencl-rt", "libintelocl.so")
"""The distribution and the driver in it."""

_SANITIZERS = ("__asan_init", "__msan_init", "__tsan_init")
"""A function of each that replaces `dlopen`."""


def find_platforms() -> list[cl.Platform]:
    """Return all platforms, including Intel's CPU runtime from pip."""
    if not _has_cache_folder():
        # A part of pyopencl that is not used here could not be imported.
        cl._PYOPENCL_NO_CACHE = True  # pyright: ignore[reportPrivateUsage]
    runtime = cpu_runtime()
    if runtime:
        load_system_libraries(runtime)
    # With such a sanitizer, GPUs' drivers would end the process.
    drivers = [] if runtime and _forbids_deep_binding() else opencl_drivers()
    with vendor_folder(drivers, runtime):
        try:
            return cl.get_platforms()
        except cl.Error:
            # The loader reports that there are none as an error.
            return []


def _has_cache_folder() -> bool:
    """Return whether pyopencl can create its caches: a user may have no home directory."""
    try:
        folder = Path(user_cache_dir("pytools", "pytools"))
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return False
    return os.access(folder, os.W_OK)


def _forbids_deep_binding() -> bool:
    """Return whether the process has a sanitizer that ends it if RTLD_DEEPBIND is used."""
    process = CDLL(None)
    return any(hasattr(process, name) for name in _SANITIZERS)


def load_system_libraries(runtime: Path) -> None:
    """Load the system libraries that the driver needs, before the driver does.

    The search path of Intel's driver has empty entries, which mean the current directory: the
    dynamic linker would load a `librt.so.1` from there. It does not search for libraries that are
    loaded.
    """
    with runtime.open("rb") as file, suppress(FormatError):
        content = mmap(file.fileno(), 0, access=ACCESS_READ)
        for name in needed_libraries(memoryview(content)):
            if not (runtime.parent / name).exists():
                # If it is missing, the driver cannot be loaded, and the OpenCL loader skips it.
                with suppress(OSError):
                    CDLL(name)


@contextmanager
def vendor_folder(drivers: list[str], runtime: Path | None) -> Generator[Path | None]:
    """Set the loader's folder to one with these drivers and `runtime`, if that is needed."""
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
    """Return the path of Intel's CPU driver in this Python environment, or None."""
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
