"""The OpenCL back-end: every OpenCL device that supports SPIR-V."""

from dovetail.runtime.opencl.device import find_devices

__all__ = ["find_devices"]
