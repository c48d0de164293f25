"""The functions of NVIDIA's driver that are needed to launch a kernel, by ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint64, c_void_p
from typing import Any

import numpy.typing as npt

_MAJOR, _MINOR = 75, 76
"""Attributes of a device: its compute capability."""


class DriverError(Exception):
    """A call of the driver failed."""


class Card:
    """One GPU and its primary context."""

    def __init__(self, number: int = 0) -> None:
        self._library = ctypes.CDLL("libcuda.so.1")
        self._call("cuInit", 0)
        self._device = c_int()
        self._call("cuDeviceGet", byref(self._device), number)
        self._context = c_void_p()
        self._open()

    @property
    def name(self) -> str:
        text = ctypes.create_string_buffer(256)
        self._call("cuDeviceGetName", text, len(text), self._device)
        return text.value.decode()

    @property
    def capability(self) -> tuple[int, int]:
        """The compute capability: (9, 0) is sm_90."""
        return self._attribute(_MAJOR), self._attribute(_MINOR)

    def reset(self) -> None:
        """Reset the context, which is unusable after a failed kernel."""
        self._library.cuDevicePrimaryCtxReset_v2(self._device)
        self._open()

    def load(self, code: bytes) -> c_void_p:
        """Load a module from a cubin, or from PTX, which the driver compiles."""
        module = c_void_p()
        # PTX must be zero-terminated.
        self._call("cuModuleLoadData", byref(module), c_char_p(code + b"\0"))
        return module

    def function(self, module: c_void_p, symbol: str) -> c_void_p:
        found = c_void_p()
        self._call("cuModuleGetFunction", byref(found), module, symbol.encode())
        return found

    def upload(self, array: npt.NDArray[Any]) -> c_uint64:
        """Copy an array to the GPU and return its address."""
        address = c_uint64()
        self._call("cuMemAlloc_v2", byref(address), c_size_t(max(array.nbytes, 1)))
        self._call("cuMemcpyHtoD_v2", address, c_void_p(array.ctypes.data), c_size_t(array.nbytes))
        return address

    def download(self, address: c_uint64, array: npt.NDArray[Any]) -> None:
        """Copy an array back and free its memory."""
        self._call("cuMemcpyDtoH_v2", c_void_p(array.ctypes.data), address, c_size_t(array.nbytes))
        self._call("cuMemFree_v2", address)

    def launch(
        self,
        function: c_void_p,
        groups: Sequence[int],
        group: Sequence[int],
        local_memory: int,
        parameters: Sequence[bytes],
    ) -> None:
        """Launch a kernel and wait; `groups` and `group` start with x."""
        values = [ctypes.create_string_buffer(value, len(value)) for value in parameters]
        pointers = (c_void_p * len(values))(*map(ctypes.addressof, values))
        self._call("cuLaunchKernel", function, *groups, *group, local_memory, None, pointers, None)
        self._call("cuCtxSynchronize")

    def _open(self) -> None:
        self._call("cuDevicePrimaryCtxRetain", byref(self._context), self._device)
        self._call("cuCtxSetCurrent", self._context)

    def _attribute(self, number: int) -> int:
        value = c_int()
        self._call("cuDeviceGetAttribute", byref(value), number, self._device)
        return value.value

    def _call(self, name: str, *arguments: object) -> None:
        status: int = getattr(self._library, name)(*arguments)
        if status:
            text = c_char_p()
            self._library.cuGetErrorName(status, byref(text))
            raise DriverError(f"{name}: {(text.value or b'unknown error').decode()} ({status})")
