"""Making sure that SPIR-V will not take the process down with it.

Drivers trust their input: a bad module can make one crash or call `exit`, and some modules do so
although they are valid. Code that we made ourselves was validated then, and its digest is known.
Code from elsewhere goes through SPIR-V's validator, where one is installed, for a clear message,
and is then built in a child process first, once for each driver.
"""

import struct

from dovetail import trust
from dovetail.errors import ProgramBuildError
from dovetail.runtime.backend import BackendDevice, DeviceDescription
from dovetail.runtime.trial import identity, try_build
from dovetail.spirv_validator import complaint_about

_MAGIC = 0x07230203
_HEADER = struct.Struct("<II")
"""The magic number, then a version whose bytes are 0, minor, major, 0 from the lowest up."""


def vet(spirv: bytes, device: BackendDevice) -> None:
    """Return if `device`'s driver can be given `spirv`; else raise `ProgramBuildError`."""
    _check_header(spirv, device.description)
    driver = identity(device.description)
    if trust.is_known(spirv) or trust.is_known(spirv, driver):
        return
    complaint = complaint_about(spirv)
    if complaint:
        raise ProgramBuildError(f"the code is not valid SPIR-V: {complaint}")
    try_build(spirv, device.description)
    trust.remember(spirv, driver)


def _check_header(spirv: bytes, device: DeviceDescription) -> None:
    if len(spirv) < _HEADER.size or _HEADER.unpack_from(spirv)[0] != _MAGIC:
        raise ProgramBuildError("the code is not SPIR-V: it does not begin with its magic number")
    version = spirv[6], spirv[5]
    taken = [tuple(map(int, text.split("."))) for text in device.spirv_versions]
    if version > max(taken, default=version):
        raise ProgramBuildError(
            f"the code is SPIR-V {version[0]}.{version[1]};"
            f" '{device.name}' takes up to {device.spirv_versions[-1]}"
        )
