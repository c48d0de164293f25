"""Validation of code before a driver builds it in this process.

Drivers trust their input: an invalid module can make one crash or call `exit`, and so can some
valid modules. SPIR-V that Dovetail generated was validated then, and its digest is recorded. SPIR-V
from elsewhere is checked by the SPIR-V validator, if one is installed, for a clear message. Code
that is linked together, and native code, is then first built in a child process, once for each
driver, unless the back-end rejects what its driver could not survive. This does not check what
native code does when it runs.
"""

import struct
from collections.abc import Sequence

from dovetail import trust
from dovetail.errors import ProgramBuildError
from dovetail.runtime.backend import BackendDevice, Code, CodeKind, DeviceDescription
from dovetail.spirv_validator import validation_error

_MAGIC = 0x07230203
_HEADER = struct.Struct("<II")
"""The magic number, then a version whose bytes are 0, minor, major, 0 from the lowest up."""


def validate_code(parts: Sequence[Code], device: BackendDevice) -> None:
    """Raise `ProgramBuildError` if the driver of `device` cannot build the parts safely."""
    modules = [part for part in parts if part.kind is CodeKind.SPIRV]
    for module in modules:
        _check_header(module.data, device.description)
    foreign = [part.data for part in modules if not (part.is_trusted or trust.is_known(part.data))]
    if not device.rejects_bad_code and (foreign or len(modules) < len(parts)):
        _validate_by_build(parts, foreign, device.description)


def _validate_by_build(
    parts: Sequence[Code], foreign: Sequence[bytes], device: DeviceDescription
) -> None:
    """Build the parts in a child process, unless a successful build is recorded.

    The digest of a single module's code records it if no constants are specialized, otherwise that
    of all parts.
    """
    # Imported late: most code is trusted.
    from dovetail.runtime.sandboxed_build import identity, packed, try_build

    first, *others = parts
    is_module = not others and first.kind is CodeKind.SPIRV and not first.specialization
    whole = first.data if is_module else packed(parts)
    driver = identity(device)
    if trust.is_known(whole, driver):
        return
    for module in foreign:
        _check_validity(module)
    try_build(parts, device)
    trust.remember(whole, driver)


def _check_validity(spirv: bytes) -> None:
    complaint = validation_error(spirv)
    if complaint:
        raise ProgramBuildError(f"the code is not valid SPIR-V: {complaint}")


def _check_header(spirv: bytes, device: DeviceDescription) -> None:
    """Raise `ProgramBuildError` if this is not SPIR-V, or of a version that is too new."""
    if len(spirv) < _HEADER.size or _HEADER.unpack_from(spirv)[0] != _MAGIC:
        raise ProgramBuildError("the code is not SPIR-V: it does not begin with the magic number")
    version = spirv[6], spirv[5]
    supported = [tuple(map(int, text.split("."))) for text in device.spirv_versions]
    if version > max(supported, default=version):
        raise ProgramBuildError(
            f"'{device.name}' supports SPIR-V up to {device.spirv_versions[-1]};"
            f" the code is SPIR-V {version[0]}.{version[1]}"
        )
