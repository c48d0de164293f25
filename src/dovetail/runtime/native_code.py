"""Deciding whether a device can use a program's native code, from the code's description.

A driver may crash on code that it did not generate, and Intel's CPU runtime, once it has loaded
code for an older CPU, compiles everything for that CPU (see `dovetail.compilers.cpu_kinds`). So
drivers get only code that they could have generated.
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
"""The results of `cpu_kind_of`, which are the same for all contexts of a driver."""


def why_not_for_kernel(form: CodeForm, kernel: str, contents: ImageContents, target: str) -> str:
    """Return why native code cannot run a kernel on devices of a target; empty if it can."""
    missing = contents.missing_for(form, kernel)
    if missing:
        return f"it does not contain the kernel, since the target lacks {', '.join(missing)}"
    if not contents.has_device_conditions or any(
        decides_for(name, target) for name in form.only_for
    ):
        return ""
    return "its conditions were resolved for other targets"


def why_not_native(form: CodeForm, device: BackendDevice) -> str:
    """Return why the device cannot use native code for its own target; empty if it can.

    Code without a known origin is left to the driver, which tries it in a child process.
    """
    origin, driver = form.origin, device.description.driver_version
    if origin and origin.driver not in ("", driver):
        return f"it is for driver {origin.driver}, not {driver}"
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
    """Build a minimal kernel; return the kind of native code that the driver makes, or ""."""
    code = [Code(CodeKind.SPIRV, minimal_kernel(), is_trusted=True)]
    digests = [sha256(code[0].data).digest()]
    # A binary from an earlier process need not be loaded into the driver again.
    binary = get(PROGRAMS, program_key(code, digests, device.description, device.build_settings()))
    try:
        return kind_of_binary(binary or build_cached(code, digests, device).binary())
    except DovetailError:
        return ""
