"""Code that was build_cached before: taken from the cache instead of being build_cached again.

What a driver made of code is kept under a key of everything that it depends on, so nothing that is
there is ever out of date. It came from this very driver and lies where nobody else can write, so it
is handed over without the checks that new code goes through.
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
)
from dovetail.runtime.host_processor import processor_features

_FORMAT = "1"
"""Of what is kept, and of what is done to code before a driver gets it. Another one is another key,
so versions of Dovetail can share a cache."""


def build_cached(
    parts: Sequence[Code], digests: Sequence[bytes], device: BackendDevice
) -> BackendProgram:
    """The parts, whose SHA-256 digests are given, linked and build_cached for `device`."""
    if parts[0].kind is CodeKind.NATIVE:
        # Nothing is left to compile, so nothing would be saved.
        return _compile(parts, device)
    key = program_key(parts, digests, device.description, device.build_settings())
    program = _from_cache(key, device)
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
    """What is kept goes by this: the parts in order, constants' values, the device, settings."""
    code = [each for pair in zip(parts, digests, strict=True) for each in _content(*pair)]
    chosen = [(f"setting {name}", value) for name, value in settings.items()]
    return key_of(("format", _FORMAT), *code, *sorted(chosen), *_identity(device))


def _content(part: Code, digest: bytes) -> Iterator[tuple[str, str | bytes]]:
    """What tells a part from others; a constant of one says nothing of another."""
    yield f"code {part.kind}", digest
    for spec_id, value in part.values:
        yield f"constant {spec_id}", str(value)


def _identity(device: DeviceDescription) -> Iterator[tuple[str, str]]:
    """Whatever can tell devices apart that do not take each other's code."""
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
        # Drivers compile for the processor at hand; a home folder may be shared by several.
        yield "processor", processor_features()


def _from_cache(key: str, device: BackendDevice) -> BackendProgram | None:
    binary = get(PROGRAMS, key)
    if binary is None:
        return None
    try:
        return device.build([Code(CodeKind.NATIVE, binary)])
    except ProgramBuildError:
        # The driver has changed in a way that it does not tell of.
        return None


def _compile(parts: Sequence[Code], device: BackendDevice) -> BackendProgram:
    # Loaded here: what comes from the cache, as most code does, needs none of it.
    from dovetail.runtime.code_validation import validate_code
    from dovetail.runtime.device_code import for_device, without_conditions

    parts = [for_device(without_conditions(part), device.description) for part in parts]
    validate_code(parts, device)
    return device.build(parts)


def _store(key: str, program: BackendProgram) -> None:
    # Some drivers give nothing out.
    with suppress(DovetailError):
        binary = program.binary()
        if binary:
            put(PROGRAMS, key, binary)
