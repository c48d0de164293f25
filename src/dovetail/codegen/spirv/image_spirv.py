"""The SPIR-V of an image, emitted and validated once and shared by several generators."""

from collections.abc import Mapping
from concurrent.futures import Future

from dovetail.artifacts import DeviceImage
from dovetail.codegen.futures import then
from dovetail.codegen.session import CodegenSession, EmittedSpirv
from dovetail.codegen.spirv.emit import emit_spirv
from dovetail.codegen.spirv.validate import (
    specialise_and_validate,
    validate_conditional,
    validate_spirv,
)
from dovetail.spirv import SpirvModule
from dovetail.spirv.stripping import strip_hints
from dovetail.trust import remember


def spirv_of(image: DeviceImage, session: CodegenSession) -> Future[EmittedSpirv]:
    """Return the image as SPIR-V; the first call submits the work to the session's pool."""
    return session.emitted.get(image, lambda: session.pool.submit(valid_spirv, image))


def specialised_spirv_of(
    image: DeviceImage, values: Mapping[int, bool], session: CodegenSession
) -> Future[bytes]:
    """Return plain SPIR-V for a device's compiler, with the functions that the device can run.

    `values` are the values of the image's constants on the device, by `SpecId`.
    """
    emitted = spirv_of(image, session)
    if image.conditional is None:
        return session.specialised.get(
            image, lambda: then(emitted, session.pool, lambda spirv: spirv.without_hints)
        )
    return session.specialised.get(
        (image, frozenset(values.items())),
        lambda: then(emitted, session.pool, lambda spirv: _specialise(image, spirv.code, values)),
    )


def _without_hints(code: bytes) -> bytes:
    return strip_hints(SpirvModule.read(code)).to_bytes()


def _specialise(image: DeviceImage, code: bytes, values: Mapping[int, bool]) -> bytes:
    return _without_hints(specialise_and_validate(code, values, _names(image)))


def valid_spirv(image: DeviceImage) -> EmittedSpirv:
    """Return the image as valid SPIR-V, conditional if its code is; this consumes its module."""
    code = emit_spirv(image, lambda code: _validate(image, code))
    emitted = EmittedSpirv(code, _without_hints(code))
    # Removing hints preserves validity, and the runtime passes this form to drivers.
    remember(emitted.without_hints)
    return emitted


def _validate(image: DeviceImage, code: bytes) -> None:
    if image.conditional is None:
        validate_spirv(code, _names(image))
    else:
        validate_conditional(code, image.conditional.constants, _names(image))


def _names(image: DeviceImage) -> list[str]:
    return [kernel.name for kernel in image.info.kernels]
