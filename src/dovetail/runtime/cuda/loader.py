"""Loading NVIDIA's driver, if it and its Python bindings are installed."""

from collections.abc import Callable
from importlib import import_module
from threading import RLock

from dovetail.runtime.cuda.api import NO_DEVICE, Bindings, CudaError, Driver

_PACKAGE = "cuda.bindings.driver"

_MIN_VERSION = 12040
"""The first version of the driver that reports the layout of a kernel's parameters."""


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


def find_bindings() -> Bindings | str:
    """Return NVIDIA's bindings, or why they cannot be used."""
    try:
        return import_module(_PACKAGE)
    except ImportError:
        return "NVIDIA's Python bindings are not installed: pip install 'dovetail[cuda]'"


_loader = Loader(find_bindings)


def load_driver() -> Driver | None:
    """Return NVIDIA's driver; None if there is no driver or no GPU."""
    return _loader.driver()


def why_no_driver() -> str:
    """Return why no driver could be loaded; empty if one was."""
    return _loader.problem
