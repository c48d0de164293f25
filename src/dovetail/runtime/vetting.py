"""Making sure that SPIR-V will not take the process down with it.

Drivers trust their input: a bad module can make one crash or call `exit`, and some modules do so
although they are valid. Code that we made ourselves was validated then, and its digest is known.
Code from elsewhere goes through SPIR-V's validator, where one is installed, for a clear message,
and is then built in a child process first, once for each driver.
"""

import shutil
import struct
import subprocess

from dovetail import trust
from dovetail.errors import ProgramBuildError
from dovetail.runtime.backend import BackendDevice, DeviceDescription
from dovetail.runtime.trial import identity, try_build

VALIDATOR = "spirv-val"
VALIDATOR_SECONDS = 60.0

_MAGIC = 0x07230203
_HEADER = struct.Struct("<II")
"""The magic number, then a version whose bytes are 0, minor, major, 0 from the lowest up."""


def vet(spirv: bytes, device: BackendDevice) -> None:
    """Return if `device`'s driver can be given `spirv`; else raise `ProgramBuildError`."""
    _check_header(spirv, device.description)
    driver = identity(device.description)
    if trust.is_known(spirv) or trust.is_known(spirv, driver):
        return
    validator = shutil.which(VALIDATOR)
    if validator is not None:
        _validate(spirv, validator)
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


def _validate(spirv: bytes, validator: str) -> None:
    try:
        result = subprocess.run(
            [validator, "-"], input=spirv, capture_output=True, timeout=VALIDATOR_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise ProgramBuildError(
            f"the code could not be validated: {VALIDATOR} took over {VALIDATOR_SECONDS:.0f} s"
        ) from None
    except OSError as error:
        raise ProgramBuildError(f"cannot run '{validator}': {error.strerror}") from None
    if result.returncode:
        said = (result.stderr + result.stdout).decode(errors="replace").strip()
        raise ProgramBuildError(f"the code is not valid SPIR-V: {said or 'the validator failed'}")
