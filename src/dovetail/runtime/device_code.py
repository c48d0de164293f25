"""Code as a device's driver takes it: conditions decided, without advice that it does not know.

SPIR-V may have decorations that tell how to make hardware of a kernel, and declare capabilities for
them. Drivers of accelerators know them. Others refuse the code or crash over it, though they could
do without.
"""

from dataclasses import replace

from dovetail import trust
from dovetail.errors import FormatError, ProgramBuildError
from dovetail.runtime.backend import Code, CodeKind, DeviceDescription, DeviceKind
from dovetail.spirv import Module
from dovetail.spirv.reduced import without_advice
from dovetail.spirv.specialise import specialised


def without_conditions(code: Code) -> Code:
    """The code without conditions; `ProgramBuildError` if they make no sense."""
    if not code.values:
        return code
    try:
        module = specialised(Module.read(code.data), dict(code.values))
    except FormatError as error:
        raise ProgramBuildError(f"the code cannot be specialised: {error.message}") from None
    # Who made the whole has validated what can come of it.
    return Code(code.kind, module.to_bytes(), is_trusted=trust.is_known(code.data))


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
