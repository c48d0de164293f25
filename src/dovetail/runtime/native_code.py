"""Whether a device takes native code that comes with a program, as the code says of itself.

A driver may crash over code that it did not make, and Intel's CPU runtime compiles everything else
for an older CPU once it has accepted code for it (see `dovetail.compilers.cpu_kinds`). So each gets
only its own.
"""

from hashlib import sha256

from dovetail.cache import PROGRAMS, get
from dovetail.compilers.cpu_kinds import TARGET_SETTING, kind_of_binary, minimal_kernel
from dovetail.errors import DovetailError
from dovetail.runtime.backend import BackendDevice, Code, CodeKind, DeviceDescription
from dovetail.runtime.built_code import build_cached, program_key
from dovetail.runtime.program_image import CodeForm, ImageContents
from dovetail.targets.coverage import decides_for

_kinds: dict[DeviceDescription, str] = {}
"""By device, what `cpu_kind_of` returned: it is the same for all contexts of a driver."""


def why_not_for_kernel(form: CodeForm, kernel: str, contents: ImageContents, target: str) -> str:
    """Why native code does not have what a kernel is on a device of a target; empty if it does."""
    lack = contents.lack(form, kernel)
    if lack:
        return f"it is without the kernel, for lack of {', '.join(lack)}"
    if not contents.asks_devices or any(decides_for(name, target) for name in form.only_for):
        return ""
    return "its conditions were decided for others"


def why_not_native(form: CodeForm, device: BackendDevice) -> str:
    """Return why native code for the device's own target cannot be used there; empty if it can.

    Code that does not say what made it is for the driver to judge, in a process of its own.
    """
    origin, driver = form.origin, device.description.driver_version
    if origin and origin.driver not in ("", driver):
        return f"it is for driver {origin.driver}, and this is {driver}"
    kind = kind_of_binary(form.data)
    if kind and kind != (own := cpu_kind_of(device)):
        return f"the driver generates code for {own or 'an unknown CPU kind'}"
    if kind and (settings := device.build_settings().keys() - {TARGET_SETTING}):
        return f"settings of the driver change how it compiles ({', '.join(sorted(settings))})"
    return "" if origin is None or origin.matches(form.data) else "it is damaged"


def cpu_kind_of(device: BackendDevice) -> str:
    """Return the CPU kind that the device's driver compiles for; empty if it does not say."""
    kind = _kinds.get(device.description)
    if kind is None:
        kind = _kinds[device.description] = _ask_driver(device)
    return kind


def _ask_driver(device: BackendDevice) -> str:
    code = [Code(CodeKind.SPIRV, minimal_kernel(), is_trusted=True)]
    digests = [sha256(code[0].data).digest()]
    # What an earlier process was given need not be loaded into the driver again.
    binary = get(PROGRAMS, program_key(code, digests, device.description, device.build_settings()))
    try:
        return kind_of_binary(binary or build_cached(code, digests, device).binary())
    except DovetailError:
        return ""
