"""The SPIR-V of an image, which several generators take: emitted and validated once."""

from concurrent.futures import Executor, Future
from threading import Lock
from weakref import WeakKeyDictionary

from dovetail.artifacts import DeviceImage
from dovetail.codegen.chaining import after
from dovetail.codegen.spirv.emit import emit_spirv
from dovetail.codegen.spirv.validate import validate_spirv
from dovetail.spirv import Module
from dovetail.spirv.reduced import without_advice
from dovetail.trust import remember

_emitted: WeakKeyDictionary[DeviceImage, Future[bytes]] = WeakKeyDictionary()
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
    return after(spirv_of(image, pool), pool, _without_advice)


def _without_advice(code: bytes) -> bytes:
    return without_advice(Module.read(code)).to_bytes()


def _emit(image: DeviceImage) -> bytes:
    code = emit_spirv(image)
    validate_spirv(code, [kernel.name for kernel in image.kernels])
    # What is valid stays so, and drivers may get it in this form.
    remember(_without_advice(code))
    return code
