"""The table of C functions that call Python functions.

It mirrors `api_table` in `include/sycl/detail/host/api.hpp`; a test compares the two. Pointers are
passed as addresses.
"""

import ctypes
from collections.abc import Callable
from ctypes import (
    CDLL,
    CFUNCTYPE,
    Structure,
    addressof,
    c_int,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
    sizeof,
)
from threading import get_ident
from typing import TypeAlias

from dovetail.runtime.host.structures import API_VERSION, LibraryList

_Types: TypeAlias = tuple[type[c_int | c_int64 | c_size_t | c_uint32 | c_uint64 | c_void_p], ...]

_HANDLE = c_uint64
_NEEDS = c_void_p
_OUT = c_void_p

SIGNATURES: dict[str, _Types] = {
    "error_text": (c_size_t, _OUT, c_size_t),
    "device_count": (c_int, _OUT),
    "device_info": (c_int, c_uint32, c_uint32, _OUT, c_size_t, _OUT),
    "kernel_list": (c_int, _OUT, c_size_t, _OUT),
    "kernel_find": (c_int, c_void_p, _OUT),
    "kernel_fit": (c_int, c_uint32, c_void_p, c_size_t, _OUT),
    "kernel_build": (c_int, c_uint32, c_void_p, c_void_p, c_size_t),
    "kernel_work_group": (c_int, c_uint32, c_void_p, _OUT),
    "kernel_detail": (c_int, c_uint32, c_void_p, c_uint32, _OUT),
    "queue_create": (c_int, c_uint32, c_uint32, _OUT),
    "queue_release": (c_int, _HANDLE),
    "queue_wait": (c_int, _HANDLE),
    "queue_next_failure": (c_int, _HANDLE, _OUT),
    "start_kernel": (c_int64, _HANDLE, c_void_p, c_void_p, _HANDLE),
    "submit_kernel": (c_int, _HANDLE, c_void_p, _NEEDS, _OUT),
    "submit_copy": (c_int, _HANDLE, c_void_p, c_void_p, c_size_t, _NEEDS, _OUT),
    "submit_fill": (c_int, _HANDLE, c_void_p, c_void_p, c_size_t, c_size_t, _NEEDS, _OUT),
    "submit_marker": (c_int, _HANDLE, _NEEDS, _OUT),
    "event_wait": (c_int, _HANDLE),
    "event_is_done": (c_int, _HANDLE, _OUT),
    "event_time": (c_int, _HANDLE, c_uint32, _OUT),
    "event_release": (c_int, _HANDLE),
    "usm_allocate": (c_int, c_uint32, c_uint32, c_size_t, c_size_t, _OUT),
    "usm_free": (c_int, c_void_p),
    "usm_info": (c_int, c_void_p, _OUT, _OUT),
    "buffer_create": (c_int, c_size_t, c_void_p, c_uint32, _OUT),
    "buffer_read": (c_int, _HANDLE, c_void_p),
    "buffer_release": (c_int, _HANDLE, c_uint32),
    "buffer_host_begin": (c_int, _HANDLE, c_uint32, _OUT),
    "buffer_host_end": (c_int, _HANDLE, c_uint32),
    "submit_host_task": (c_int, _HANDLE, c_void_p, c_void_p, c_void_p, _NEEDS, _OUT),
    "submit_barrier": (c_int, _HANDLE, _NEEDS, _OUT),
    "buffer_set_home": (c_int, _HANDLE, c_void_p),
    "buffer_home": (c_int, _HANDLE, _OUT),
    "submit_global_copy": (c_int, _HANDLE, c_void_p, _NEEDS, _OUT),
    "queue_is_idle": (c_int, _HANDLE, _OUT),
    "constant_values": (c_int, c_void_p, c_size_t, _OUT),
    "kernel_constant": (c_int, c_void_p, c_void_p, _OUT),
}
"""The return type of each function, then its parameter types."""


def parameter_count(function: str) -> int:
    """Return the number of parameters of a function."""
    return len(SIGNATURES[function]) - 1


def has_result(function: str) -> bool:
    """Return whether a function returns a result, not just an `errc`."""
    return SIGNATURES[function][0] is c_int64


_PROTOTYPES = {name: CFUNCTYPE(*types) for name, types in SIGNATURES.items()}


class ApiTable(Structure):
    """`api_table`; keeps its functions alive, including replaced ones."""

    callbacks: tuple[object, ...] = ()
    """Threads may be in a function that was replaced, or about to call it."""

    _fields_ = (
        ("size", c_uint32),
        ("version", c_uint32),
        *_PROTOTYPES.items(),
        ("libraries", c_void_p),
    )

    def block_calls(self, *, except_this_thread: bool = False) -> None:
        """Make every function block its callers until the process ends.

        With `except_this_thread`, which ends the process, they do nothing in it: destructors of
        static objects may still call them.
        """
        pause = CDLL(None).pause
        if not except_this_thread:
            self._replace_all(ctypes.cast(pause, c_void_p))
            return
        this_thread = get_ident()
        nothing = CFUNCTYPE(c_int64)(lambda: 0 if get_ident() == this_thread else pause())
        self.callbacks = (*self.callbacks, nothing)
        self._replace_all(ctypes.cast(nothing, c_void_p))

    def ignore_calls(self) -> None:
        """Make every function do nothing, without Python, which is about to end."""
        # It has nothing to do, and returns 0 whatever its arguments are.
        self._replace_all(ctypes.cast(CDLL(None).pthread_mutexattr_destroy, c_void_p))

    def _replace_all(self, function: c_void_p) -> None:
        for name, prototype in _PROTOTYPES.items():
            setattr(self, name, ctypes.cast(function, prototype))


def make_table(function: Callable[[str], Callable[..., int]], libraries: LibraryList) -> ApiTable:
    """Return a table of the functions that `function` returns for their names."""
    callbacks = [prototype(function(name)) for name, prototype in _PROTOTYPES.items()]
    table = ApiTable(sizeof(ApiTable), API_VERSION, *callbacks, addressof(libraries))
    table.callbacks = tuple(callbacks)
    return table
