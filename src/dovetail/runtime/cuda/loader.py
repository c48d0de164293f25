"""Loading NVIDIA's driver, if it and its Python bindings are installed."""

import sys
from collections.abc import Callable
from importlib import import_module
from os.path import exists
from threading import RLock

from dovetail.runtime.cuda.api import NO_DEVICE, Bindings, CudaError, Driver

_PACKAGE = "cuda.bindings.driver"

_MIN_VERSION = 12040
"""The first version of the driver that reports the layout of a kernel's parameters."""


_DEVICE_FILES = ("/dev/nvidiactl", "/dev/dxg", "/dev/nvgpu", "/dev/nvhost-ctrl-gpu")
"""Of Linux drivers: the usual one, that of WSL, those of Jetson."""


class Loader:
    """Loads the driver once, and says why there is none."""

    def __init__(self, find_bindings: Callable[[], Bindings | str]) -> None:
        """`find_bindings` returns the bindings, or why they cannot be used."""
        self._find_bindings = find_bindings
        self._driver: Driver | None = None
        self._problem: str | None = None
        self._lock = RLock()

    def driver(self) -> Driver | None:
        """Return the driver; None if there is none."""
        with self._lock:
            if self._driver is None and self._problem is None:
                self._problem = self._load()
        return self._driver

    @property
    def problem(self) -> str:
        """Why no driver could be loaded; empty if one was."""
        self.driver()
        return self._problem or ""

    def _load(self) -> str | None:
        bindings = self._find_bindings()
        if isinstance(bindings, str):
            return bindings
        driver = Driver(bindings)
        try:
            driver.call("cuInit", 0)
        except CudaError as error:
            if error.status == NO_DEVICE:
                return "NVIDIA's driver finds no GPU"
            return f"NVIDIA's driver cannot be used: {error.message}"
        except RuntimeError:
            # The bindings look for the driver's library in the first call.
            return "NVIDIA's driver is not installed (libcuda.so.1)"
        version = int(driver.call("cuDriverGetVersion"))
        if version < _MIN_VERSION:
            return (
                f"NVIDIA's driver is too old: it supports CUDA {_text(version)},"
                f" and {_text(_MIN_VERSION)} is needed"
            )
        self._driver = driver
        return None


def _text(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"


def may_have_device() -> bool:
    """Return whether there may be a driver, as far as files tell."""
    return sys.platform != "linux" or any(map(exists, _DEVICE_FILES))


def find_bindings() -> Bindings | str:
    """Return NVIDIA's bindings, or why they cannot be used."""
    # Importing them takes 0.1 s, which programs without a GPU need not spend.
    if not may_have_device():
        return f"there is no driver for NVIDIA's GPUs ({_DEVICE_FILES[0]} does not exist)"
    try:
        return import_module(_PACKAGE)
    except ImportError:
        return "NVIDIA's Python bindings are not installed: pip install 'dovetail[cuda]'"


_loader = Loader(find_bindings)


def load_driver() -> Driver | None:
    """Return NVIDIA's driver; None if there is no driver or no GPU."""
    return _loader.driver()


def why_no_device() -> str:
    """Return why there is no CUDA device; empty if there may be one."""
    return _loader.problem
