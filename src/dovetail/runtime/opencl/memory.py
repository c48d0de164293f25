"""Pointers and memory in OpenCL.

A device that shares all of the host's memory takes any address through OpenCL's own SVM call,
which pyopencl makes quickly. Others take the addresses of USM allocations alone, through the
extension's call.
"""

import ctypes
import weakref

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from dovetail.runtime.backend import PointerArgument
from dovetail.runtime.opencl.api import UnifiedMemory


class OpenCLAllocation:
    """A USM allocation; it is freed with its last reference."""

    __slots__ = ("__weakref__", "address", "argument")

    def __init__(
        self, memory: UnifiedMemory, context: cl.Context, address: int, argument: PointerArgument
    ) -> None:
        self.address = address
        self.argument = argument
        release = weakref.finalize(self, _free, memory, context, address)
        # When Python ends, the system takes the memory back; drivers may be gone by then.
        release.atexit = False


def _free(memory: UnifiedMemory, context: cl.Context, address: int) -> None:
    memory.free(context.int_ptr, address)


def svm_address(address: int) -> PointerArgument:
    """An address for a kernel that takes any: pyopencl wants to see the memory there."""
    return cl.SVM(ctypes.c_char.from_address(address)) if address else None


def svm_array(array: NDArray[np.generic]) -> PointerArgument:
    """An array's memory for a kernel that takes any."""
    try:
        return cl.SVM(array)
    except ValueError:
        # pyopencl refuses read-only arrays, which kernels that only read may well be given.
        return svm_address(array.ctypes.data)


def usm_address(address: int) -> PointerArgument:
    """An address for a kernel that takes USM."""
    return address or None


def usm_array(array: NDArray[np.generic]) -> PointerArgument:
    """An array's memory, for the rare device that lets USM be anywhere in the host's memory."""
    return array.ctypes.data
