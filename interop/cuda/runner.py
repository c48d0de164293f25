"""Launching the kernels of checks through the CUDA back-end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dovetail.image import AbstractModule, BundleState, SyclBin, read_program, write_program
from dovetail.kernel_info import ADDRESS_SIZE, LOCAL, KernelInfo, ParameterKind, inner_arguments
from dovetail.runtime import Device, Program, devices
from dovetail.runtime.backend import BackendAllocation, BackendKernel, MemoryKind
from interop.cuda.checks import Argument, Array, Check, KernelObject


def find_gpu() -> Device | None:
    """Return the first GPU of NVIDIA, or None."""
    return next((device for device in devices() if device.backend == "cuda"), None)


def without_native_code(program: bytes) -> bytes:
    """Return a program with only what drivers compile, such as PTX."""
    modules = [
        AbstractModule(module.metadata, module.ir_modules)
        for module in read_program(program).abstract_modules
    ]
    return write_program(SyclBin.of(BundleState.INPUT, modules))


class Runner:
    """Launches the kernels of a program on a GPU."""

    def __init__(self, device: Device, program: Program) -> None:
        self._device = device
        self._program = program

    def reset(self) -> None:
        """Go on with a usable device after a failure."""
        self._device = find_gpu() or self._device

    def run(self, check: Check) -> list[Array]:
        """Launch a check's kernel; return the array arguments after it."""
        kernel = self._program[check.kernel]
        native, queue = self._device.native, self._device.native.open_queue()
        launched = kernel.built_for(self._device).kernel(
            kernel.symbol, follows_pointers=True, label=kernel.info.label
        )
        arrays = list(_arrays(check.arguments))
        memory = [native.allocate(MemoryKind.DEVICE, max(array.nbytes, 1)) for array in arrays]
        for allocation, array in zip(memory, arrays, strict=True):
            queue.copy(allocation.address, array.ctypes.data, array.nbytes)
        _set_arguments(launched, kernel.info, check.arguments, memory)
        queue.launch(launched, check.shape[::-1], check.group[::-1])
        results = [np.empty_like(array) for array in arrays]
        for allocation, result in zip(memory, results, strict=True):
            queue.copy(result.ctypes.data, allocation.address, result.nbytes)
        queue.finish()
        return results


def _arrays(arguments: Sequence[Argument]) -> Iterator[Array]:
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            yield argument
        elif isinstance(argument, KernelObject):
            yield from (array for _, array in argument.pointers)


def _set_arguments(
    kernel: BackendKernel,
    info: KernelInfo,
    arguments: Sequence[Argument],
    memory: Sequence[BackendAllocation],
) -> None:
    """Set all arguments.

    Inner arguments follow all others: for a local accessor its memory; for a pointer whose class
    has properties, the address that the object also contains.
    """
    left = iter(memory)
    contents: list[bytes] = []
    for parameter, argument in zip(info.parameters, arguments, strict=True):
        if isinstance(argument, KernelObject):
            content = bytearray(argument.content)
            for place, _ in argument.pointers:
                content[place : place + ADDRESS_SIZE] = _bytes_of(next(left).address)
            contents.append(bytes(content))
        elif parameter.kind is ParameterKind.POINTER:
            contents.append(_bytes_of(next(left).address))
        else:
            contents.append(np.array(argument, parameter.encoding).tobytes())
        kernel.set_bytes(len(contents) - 1, contents[-1])
    objects = (argument for argument in arguments if isinstance(argument, KernelObject))
    sizes = iter([size for each in objects for size in each.local_sizes])
    for each in inner_arguments(info.parameters):
        if each.member.kind == LOCAL:
            kernel.set_local(each.number, next(sizes))
        else:
            place = each.member.offset
            kernel.set_bytes(each.number, contents[each.parameter][place : place + ADDRESS_SIZE])


def _bytes_of(address: int) -> bytes:
    return address.to_bytes(ADDRESS_SIZE, "little")
