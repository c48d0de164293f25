"""The SPIR-V of an image, which several generators take: emitted and validated once."""

from collections.abc import Mapping
from concurrent.futures import Future
from typing import NamedTuple

from dovetail.artifacts import DeviceImage
from dovetail.codegen.chaining import after
from dovetail.codegen.generator import CodegenSession
from dovetail.codegen.spirv.emit import emit_spirv
from dovetail.codegen.spirv.validate import (
    validate_conditional,
    validate_specialised,
    validate_spirv,
)
from dovetail.spirv import Module
from dovetail.spirv.reduced import without_advice
from dovetail.trust import remember


class Emitted(NamedTuple):
    """Valid SPIR-V."""

    code: bytes
    compilable: bytes
    """The same for compilers of CPUs and GPUs, which take no advice on how to make hardware."""


def spirv_of(image: DeviceImage, session: CodegenSession) -> Future[Emitted]:
    """Return the image as SPIR-V, made in the pool of the first generator that asks."""
    return session.shared.get((valid_spirv, image), lambda: session.pool.submit(valid_spirv, image))


def specialised_spirv_of(
    image: DeviceImage, values: Mapping[int, bool], session: CodegenSession
) -> Future[bytes]:
    """What compilers get for one device, for which an image's constants have `values` by `SpecId`.

    It is plain SPIR-V, with the functions alone that the device can run.
    """
    emitted = spirv_of(image, session)
    if image.conditional is None:
        return session.shared.get(
            (_compilable, image), lambda: after(emitted, session.pool, _compilable)
        )
    return session.shared.get(
        (_specialise, image, frozenset(values.items())),
        lambda: after(emitted, session.pool, lambda made: _specialise(image, made.code, values)),
    )


def _compilable(emitted: Emitted) -> bytes:
    return emitted.compilable


def _without_advice(code: bytes) -> bytes:
    return without_advice(Module.read(code)).to_bytes()


def _specialise(image: DeviceImage, code: bytes, values: Mapping[int, bool]) -> bytes:
    return _without_advice(validate_specialised(code, values, _names(image)))


def valid_spirv(image: DeviceImage) -> Emitted:
    """Return the image as SPIR-V, conditional if its code is; its module is used up."""
    code = emit_spirv(image, lambda code: _validate(image, code))
    emitted = Emitted(code, _without_advice(code))
    # What is valid stays so, and drivers may get it in this form.
    remember(emitted.compilable)
    return emitted


def _validate(image: DeviceImage, code: bytes) -> None:
    if image.conditional is None:
        validate_spirv(code, _names(image))
    else:
        validate_conditional(code, image.conditional.constants, _names(image))


def _names(image: DeviceImage) -> list[str]:
    return [kernel.name for kernel in image.info.kernels]
