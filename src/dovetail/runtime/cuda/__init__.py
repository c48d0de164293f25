"""The CUDA back-end: NVIDIA's GPUs, through their driver."""

import sys
from os.path import exists
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.runtime.backend import BackendDevice

__all__ = ["find_devices", "may_have_device", "why_no_device"]

# Most machines have no such GPU, so all other modules of this package are imported late.

_DEVICE_FILES = ("/dev/nvidiactl", "/dev/dxg", "/dev/nvgpu", "/dev/nvhost-ctrl-gpu")
"""Of Linux drivers: the usual one, that of WSL, those of Jetson."""


def may_have_device() -> bool:
    """Return whether there may be a driver, as far as files tell."""
    return sys.platform != "linux" or any(map(exists, _DEVICE_FILES))


def find_devices() -> "list[BackendDevice]":
    """Return all GPUs of NVIDIA, in the driver's order; none without the driver."""
    if not may_have_device():
        return []
    from dovetail.runtime.cuda.loader import load_driver

    driver = load_driver()
    if driver is None:
        return []
    from dovetail.runtime.cuda.device import devices_of

    return devices_of(driver)


def why_no_device() -> str:
    """Return why there is no CUDA device; empty if there may be one."""
    if not may_have_device():
        return f"there is no driver for NVIDIA's GPUs ({_DEVICE_FILES[0]} does not exist)"
    from dovetail.runtime.cuda.loader import why_no_driver

    return why_no_driver()
