"""Code as a device's driver takes it.

SPIR-V may have decorations that tell how to make hardware of a kernel, and declare capabilities for
them. Drivers of accelerators know them. Others refuse the code or crash over it, though they could
do without.
"""

from dataclasses import replace

from dovetail.errors import FormatError
from dovetail.runtime.backend import Code, CodeKind, DeviceDescription, DeviceKind
from dovetail.spirv import Module
from dovetail.spirv.reduced import without_advice


def for_device(code: Code, device: DeviceDescription) -> Code:
    """The code, without advice that the device's driver would not know."""
    if code.kind is not CodeKind.SPIRV or device.kind is DeviceKind.ACCELERATOR:
        return code
    try:
        module = Module.read(code.data)
        reduced = without_advice(module)
    except FormatError:
        # Whoever checks it tells what is wrong with it.
        return code
    return code if reduced is module else replace(code, data=reduced.to_bytes())
