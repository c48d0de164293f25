"""Pointers and memory in OpenCL.

A device that shares all host memory accepts any address as an SVM pointer, which pyopencl sets
quickly. Others accept only addresses of USM allocations, which the extension's function sets.
"""

import ctypes
import weakref

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from dovetail.runtime.backend import PointerArgument
from dovetail.runtime.opencl.api import UnifiedMemory


class OpenCLAllocation:
    """A USM allocation, freed with its last reference."""

    __slots__ = ("__weakref__", "address", "argument")

    def __init__(
        self, memory: UnifiedMemory, context: cl.Context, address: int, argument: PointerArgument
    ) -> None:
        self.address = address
        self.argument = argument
        release = weakref.finalize(self, _free, memory, context, address)
        # When Python exits, the system frees the memory; drivers may be finalized by then.
        release.atexit = False


def _free(memory: UnifiedMemory, context: cl.Context, address: int) -> None:
    memory.free(context.int_ptr, address)


def svm_address(address: int) -> PointerArgument:
    """Return an address as an SVM argument; pyopencl expects an object with that memory."""
    return cl.SVM(ctypes.c_char.from_address(address)) if address else None


def svm_array(array: NDArray[np.generic]) -> PointerArgument:
    """Return an array as an SVM argument."""
    try:
        return cl.SVM(array)
    except ValueError:
        # pyopencl does not accept read-only arrays, which kernels may read.
        return svm_address(array.ctypes.data)


def usm_address(address: int) -> PointerArgument:
    """Return an address as a USM argument."""
    return address or None


def usm_array(array: NDArray[np.generic]) -> PointerArgument:
    """Return an array as a USM argument, for a device with USM in all host memory."""
    return array.ctypes.data
