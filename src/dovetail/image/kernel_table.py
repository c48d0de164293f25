"""The kernels of an image as our runtime knows them: kernel symbol -> its description as JSON."""

from dovetail.errors import FormatError
from dovetail.image.typed_set import Codec, SetReader, SetWriter
from dovetail.kernel_info import KernelInfo, from_json, to_json


def _encode(into: SetWriter, kernels: tuple[KernelInfo, ...]) -> None:
    for kernel in kernels:
        if kernel.symbol in into.properties:
            raise FormatError(f"two kernels have the symbol '{kernel.symbol}'")
        into.properties[kernel.symbol] = to_json(kernel)


def _decode(source: SetReader) -> tuple[KernelInfo, ...]:
    return tuple(from_json(symbol, source.data(symbol)) for symbol in source)


KERNELS = Codec(_encode, _decode)
