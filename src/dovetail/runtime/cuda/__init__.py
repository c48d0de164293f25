"""The CUDA back-end: NVIDIA's GPUs, through their driver."""

from typing import TYPE_CHECKING

from dovetail.runtime.cuda.loader import load_driver, may_have_device, why_no_device

if TYPE_CHECKING:
    from dovetail.runtime.backend import BackendDevice

__all__ = ["find_devices", "may_have_device", "why_no_device"]


def find_devices() -> "list[BackendDevice]":
    """Return all GPUs of NVIDIA, in the driver's order; none without the driver."""
    driver = load_driver()
    if driver is None:
        return []
    # Imported late: most machines have no such GPU.
    from dovetail.runtime.cuda.device import devices_of

    return devices_of(driver)
