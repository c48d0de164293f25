"""The kernels of an abstract module: their names for any runtime, their description for ours."""

from collections.abc import Iterable

from dovetail.errors import FormatError
from dovetail.image.syclbin import AbstractModule
from dovetail.image.symbols import symbols_in
from dovetail.kernel_info import KernelInfo, from_json, to_json

KERNELS_SET = "Dovetail/kernels"
"""Ours: kernel symbol -> its description as JSON."""

KERNEL_NAMES_SET = "SYCL/kernel names"
"""DPC++'s: kernel symbol -> 1."""


def kernels_of(module: AbstractModule) -> tuple[KernelInfo, ...]:
    """The kernels that `module` describes; none if another toolchain made it."""
    kernels: list[KernelInfo] = []
    for symbol, description in module.metadata.get(KERNELS_SET, {}).items():
        if not isinstance(description, bytes):
            raise FormatError(f"the description of kernel '{symbol}' is a number")
        kernels.append(from_json(symbol, description))
    return tuple(kernels)


def kernel_names_of(module: AbstractModule) -> tuple[str, ...]:
    """The symbols of all kernels in `module`, whoever made it."""
    return symbols_in(module.metadata, KERNEL_NAMES_SET)


def kernel_properties(kernels: Iterable[KernelInfo]) -> dict[str, bytes]:
    """What goes into "Dovetail/kernels"."""
    properties: dict[str, bytes] = {}
    for kernel in kernels:
        if kernel.symbol in properties:
            raise FormatError(f"two kernels have the symbol '{kernel.symbol}'")
        properties[kernel.symbol] = to_json(kernel)
    return properties
