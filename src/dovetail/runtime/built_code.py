"""The cache of built programs.

The key covers everything that a driver's binary depends on, so entries never become stale. Binaries
come from the same driver and from a folder that only the user can write to, so they are loaded
without the validation that other code needs.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from dovetail.cache import PROGRAMS, get, key_of, put
from dovetail.errors import DovetailError, ProgramBuildError
from dovetail.runtime.backend import (
    BackendDevice,
    BackendProgram,
    Code,
    CodeKind,
    DeviceDescription,
    DeviceKind,
    VariableValue,
)
from dovetail.runtime.host_processor import processor_features

_FORMAT = "1"
"""The version of cache entries and of the transformations before a driver build. It is part of the
key, so versions of Dovetail can share a cache."""


def build_cached(
    parts: Sequence[Code], digests: Sequence[bytes], device: BackendDevice
) -> BackendProgram:
    """Return the parts linked and built for `device`; `digests` are their SHA-256 digests."""
    if parts[0].kind is CodeKind.NATIVE:
        # There is nothing to compile, so the cache would save nothing.
        return _compile(parts, device)
    key = program_key(parts, digests, device.description, device.build_settings())
    variables = tuple(each for part in parts for each in part.variables)
    program = _from_cache(key, device, variables)
    if program is None:
        program = _compile(parts, device)
        _store(key, program)
    return program


def program_key(
    parts: Sequence[Code],
    digests: Sequence[bytes],
    device: DeviceDescription,
    settings: Mapping[str, str],
) -> str:
    """Return the cache key: the parts in order, values of constants, the device, settings."""
    code = [each for pair in zip(parts, digests, strict=True) for each in _content(*pair)]
    chosen = [(f"setting {name}", value) for name, value in settings.items()]
    return key_of(("format", _FORMAT), *code, *sorted(chosen), *_identity(device))


def _content(part: Code, digest: bytes) -> Iterator[tuple[str, str | bytes]]:
    """Yield the key's entries for one part and its constants."""
    yield f"code {part.kind}", digest
    for spec_id, value in part.values:
        yield f"constant {spec_id}", str(value)
    for spec_id, value in part.specialization:
        yield f"specialization constant {spec_id}", value


def _identity(device: DeviceDescription) -> Iterator[tuple[str, str]]:
    """Yield the key's entries for the device: all that binaries may depend on."""
    yield "backend", device.backend
    yield "platform", device.platform
    yield "platform vendor", device.platform_vendor
    yield "platform version", device.platform_version
    yield "name", device.name
    yield "vendor", device.vendor
    yield "vendor number", str(device.vendor_id)
    yield "version", device.version
    yield "driver", device.driver_version
    yield "target", device.target
    yield "address bits", str(device.address_bits)
    yield "SPIR-V", " ".join(device.spirv_versions)
    yield "sub-groups", " ".join(map(str, device.sub_group_sizes))
    yield "extensions", " ".join(sorted(device.extensions))
    if device.kind is DeviceKind.CPU:
        # Drivers compile for the host's processor; several machines may share a home folder.
        yield "processor", processor_features()


def _from_cache(
    key: str, device: BackendDevice, variables: tuple[VariableValue, ...]
) -> BackendProgram | None:
    """Return the cached program; None without one, or if the driver refuses it.

    Unlike other values, those of variables are not part of the binary.
    """
    binary = get(PROGRAMS, key)
    if binary is None:
        return None
    try:
        return device.build([Code(CodeKind.NATIVE, binary, variables=variables)])
    except ProgramBuildError:
        # The driver has changed, but not its version.
        return None


def _compile(parts: Sequence[Code], device: BackendDevice) -> BackendProgram:
    """Prepare the code for the device, validate it, and build it."""
    # Imported here, since cache hits do not need them.
    from dovetail.runtime.code_validation import validate_code
    from dovetail.runtime.device_code import for_device, without_conditions

    parts = [for_device(without_conditions(part), device.description) for part in parts]
    validate_code(parts, device)
    return device.build(parts)


def _store(key: str, program: BackendProgram) -> None:
    """Add the driver's binary of a program to the cache, if it has one."""
    # Some drivers do not return binaries.
    with suppress(DovetailError):
        binary = program.binary()
        if binary:
            put(PROGRAMS, key, binary)
