"""Whether a device takes native code that comes with a program, as the code says of itself.

A driver may crash over code that it did not make. Intel's CPU runtime, once it is given code for an
older kind of processor, compiles everything else for that one too. So each gets only its own.
"""

from dovetail.runtime.backend import BackendDevice
from dovetail.runtime.program_image import CodeForm, ImageContents
from dovetail.targets.coverage import decides_for


def why_not_for_kernel(form: CodeForm, kernel: str, contents: ImageContents, target: str) -> str:
    """Why native code does not have what a kernel is on a device of a target; empty if it does."""
    lack = contents.lack(form, kernel)
    if lack:
        return f"it is without the kernel, for lack of {', '.join(lack)}"
    if not contents.asks_devices or any(decides_for(name, target) for name in form.only_for):
        return ""
    return "its conditions were decided for others"


def why_not_native(form: CodeForm, device: BackendDevice) -> str:
    """Why native code for the device's own target is not for it after all; empty if it is.

    Code that does not say what made it is for the driver to judge, in a process of its own.
    """
    origin, description = form.origin, device.description
    if origin is None:
        return ""
    if origin.driver and origin.driver != description.driver_version:
        return f"it is for driver {origin.driver}, and this is {description.driver_version}"
    if origin.processor and origin.processor != description.processor:
        return f"this processor is of the kind '{description.processor}'"
    if origin.processor and (settings := device.build_settings()):
        return f"the driver is told otherwise how to compile ({', '.join(settings)})"
    return "" if origin.is_of(form.data) else "it is damaged"
