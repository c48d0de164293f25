"""Running programs: devices, queues, launches and memory.

In: a packaged program. Out: its kernels, run on a device with arguments from Python. Nothing here
imports a compiler stage. Names load on first use: importing this package loads neither NumPy nor a
driver.
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.runtime.device import (
        Device as Device,
        default_device as default_device,
        devices as devices,
    )
    from dovetail.runtime.event import Event as Event, EventProfile as EventProfile
    from dovetail.runtime.imported_array import from_dlpack as from_dlpack
    from dovetail.runtime.kernel import Kernel as Kernel
    from dovetail.runtime.memory import UsmArray as UsmArray
    from dovetail.runtime.nd_range import NdRange as NdRange
    from dovetail.runtime.profiling import Profile as Profile, profile as profile
    from dovetail.runtime.program import Program as Program, load as load
    from dovetail.runtime.queue import Queue as Queue
    from dovetail.runtime.refusals import KernelNotSupported as KernelNotSupported
    from dovetail.runtime.slot import NULL as NULL
