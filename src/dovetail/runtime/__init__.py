"""Running programs: devices, queues, launches and memory.

In: a packaged program. Out: its kernels, run on a device with arguments from Python. Nothing here
imports a compiler stage, and nothing is loaded before it is asked for: importing this package
costs neither NumPy nor a driver.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.runtime.device import Device, default_device, devices
    from dovetail.runtime.event import Event
    from dovetail.runtime.fitting import KernelNotSupported
    from dovetail.runtime.kernel import Kernel
    from dovetail.runtime.memory import UsmArray
    from dovetail.runtime.nd_range import NdRange
    from dovetail.runtime.program import Program, load
    from dovetail.runtime.queue import Queue

__all__ = [
    "Device",
    "Event",
    "Kernel",
    "KernelNotSupported",
    "NdRange",
    "Program",
    "Queue",
    "UsmArray",
    "default_device",
    "devices",
    "load",
]

_MODULES = {
    "Device": "dovetail.runtime.device",
    "Event": "dovetail.runtime.event",
    "Kernel": "dovetail.runtime.kernel",
    "KernelNotSupported": "dovetail.runtime.fitting",
    "NdRange": "dovetail.runtime.nd_range",
    "Program": "dovetail.runtime.program",
    "Queue": "dovetail.runtime.queue",
    "UsmArray": "dovetail.runtime.memory",
    "default_device": "dovetail.runtime.device",
    "devices": "dovetail.runtime.device",
    "load": "dovetail.runtime.program",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    value: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value
