"""The SPIR-V of an image, which several generators take: emitted and validated once."""

from collections.abc import Mapping
from concurrent.futures import Executor, Future
from threading import Lock
from weakref import WeakKeyDictionary

from dovetail.artifacts import DeviceImage
from dovetail.codegen.chaining import after
from dovetail.codegen.spirv.emit import emit_spirv
from dovetail.codegen.spirv.validate import (
    validate_conditional,
    validate_specialised,
    validate_spirv,
)
from dovetail.spirv import Module
from dovetail.spirv.reduced import without_advice
from dovetail.trust import remember

_emitted: WeakKeyDictionary[DeviceImage, Future[bytes]] = WeakKeyDictionary()
_compilable: WeakKeyDictionary[DeviceImage, Future[bytes]] = WeakKeyDictionary()
_specialised: WeakKeyDictionary[DeviceImage, dict[frozenset[tuple[int, bool]], Future[bytes]]] = (
    WeakKeyDictionary()
)
"""By what the constants are set to."""
_asking = Lock()


def spirv_of(image: DeviceImage, pool: Executor) -> Future[bytes]:
    """The image as valid SPIR-V, made in the pool of whoever asks first."""
    with _asking:
        found = _emitted.get(image)
        if found is None:
            found = _emitted[image] = pool.submit(_emit, image)
        return found


def compilable_spirv_of(image: DeviceImage, pool: Executor) -> Future[bytes]:
    """The same for compilers of CPUs and GPUs, which take no advice on how to make hardware."""
    emitted = spirv_of(image, pool)
    with _asking:
        if image not in _compilable:
            _compilable[image] = after(emitted, pool, _without_advice)
        return _compilable[image]


def specialised_spirv_of(
    image: DeviceImage, values: Mapping[int, bool], pool: Executor
) -> Future[bytes]:
    """The same for one device, for which an image's constants have `values` by `SpecId`.

    The compiler gets plain SPIR-V, with the functions alone that the device can run.
    """
    if image.conditional is None:
        return compilable_spirv_of(image, pool)
    emitted = spirv_of(image, pool)
    key = frozenset(values.items())
    with _asking:
        of_image = _specialised.setdefault(image, {})
        if key not in of_image:
            of_image[key] = after(emitted, pool, lambda code: _specialise(image, code, values))
        return of_image[key]


def _without_advice(code: bytes) -> bytes:
    return without_advice(Module.read(code)).to_bytes()


def _specialise(image: DeviceImage, code: bytes, values: Mapping[int, bool]) -> bytes:
    return _without_advice(validate_specialised(code, values, _names(image)))


def _emit(image: DeviceImage) -> bytes:
    code = emit_spirv(image)
    if image.conditional is None:
        validate_spirv(code, _names(image))
    else:
        validate_conditional(code, image.conditional.constants, _names(image))
    # What is valid stays so, and drivers may get it in this form.
    remember(_without_advice(code))
    return code


def _names(image: DeviceImage) -> list[str]:
    return [kernel.name for kernel in image.kernels]
