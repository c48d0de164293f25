"""The OpenCL back-end: every OpenCL device that supports SPIR-V."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.runtime.backend import BackendDevice

__all__ = ["find_devices", "why_no_device"]


def find_devices() -> "list[BackendDevice]":
    """Return all OpenCL devices that support SPIR-V; none without pyopencl."""
    # A machine with a GPU of NVIDIA needs neither pyopencl nor an OpenCL driver.
    try:
        from dovetail.runtime.opencl.device import find_devices as find
    except ModuleNotFoundError as error:
        if error.name != "pyopencl":
            raise
        return []
    return find()


def why_no_device() -> str:
    """Return why there is no OpenCL device."""
    return "no OpenCL driver supports SPIR-V"
