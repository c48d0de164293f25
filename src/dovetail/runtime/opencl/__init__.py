"""The OpenCL back-end: every OpenCL device that supports SPIR-V."""

from dovetail.runtime.opencl.device import find_devices

__all__ = ["find_devices", "why_no_device"]


def why_no_device() -> str:
    """Return why there is no OpenCL device."""
    return "no OpenCL driver supports SPIR-V"
