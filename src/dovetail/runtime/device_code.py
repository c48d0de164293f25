"""Preparing code for a device's driver: conditions resolved, unsupported advice removed.

SPIR-V may have decorations that tell FPGA compilers how to map a kernel to hardware, and declare
capabilities for them. Drivers of accelerators support them. Others reject the code or crash on it,
although the decorations are optional.
"""

from dataclasses import replace

from dovetail import trust
from dovetail.errors import FormatError, ProgramBuildError
from dovetail.runtime.backend import Code, CodeKind, DeviceDescription, DeviceKind
from dovetail.spirv import SpirvModule
from dovetail.spirv.stripping import strip_hints


def without_conditions(code: Code) -> Code:
    """Return the code with its conditions resolved; raise `ProgramBuildError` if it is invalid."""
    if not code.values:
        return code
    # Imported late: most code has no conditions.
    from dovetail.spirv.specialise import specialised

    try:
        module = specialised(SpirvModule.read(code.data), dict(code.values))
    except FormatError as error:
        raise ProgramBuildError(f"the code cannot be specialized: {error.message}") from None
    # Trusted code was validated for all values of its constants.
    return Code(
        code.kind,
        module.to_bytes(),
        specialization=code.specialization,
        is_trusted=trust.is_known(code.data),
    )


def for_device(code: Code, device: DeviceDescription) -> Code:
    """Return the code without advice that the device's driver does not support."""
    if code.kind is not CodeKind.SPIRV or device.kind is DeviceKind.ACCELERATOR:
        return code
    try:
        module = SpirvModule.read(code.data)
        reduced = strip_hints(module)
    except FormatError:
        # `validate_code` reports what is wrong with it.
        return code
    return code if reduced is module else replace(code, data=reduced.to_bytes())
