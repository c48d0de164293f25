"""DLPack: arrays in the memory of any device, passed between libraries as capsules.

A capsule points to a C structure that describes an array. Whoever takes the array renames the
capsule and calls the structure's deleter later. Reading here leaves the capsule as it is and keeps
it alive, so its own destructor calls the deleter.
"""

import ctypes
from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from typing_extensions import CapsuleType as Capsule

_NAME, _VERSIONED_NAME = b"dltensor", b"dltensor_versioned"
_VERSION = (1, 0)
_READ_ONLY = 1
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}
"""The type code of NumPy by that of DLPack; others, such as bfloat16, are unknown to NumPy."""
_CODES = {kind: code for code, kind in _KINDS.items()}


class DLDeviceType(IntEnum):
    """The kinds of memory that are known here."""

    CPU = 1
    CUDA = 2
    CUDA_HOST = 3
    CUDA_MANAGED = 13


@runtime_checkable
class HasDLPack(Protocol):
    """An array that can be exported."""

    def __dlpack__(
        self, *, stream: int | None = None, max_version: tuple[int, int] | None = None
    ) -> "Capsule": ...

    def __dlpack_device__(self) -> tuple[int, int]: ...


class DLPackError(Exception):
    """A capsule has no array that can be used here."""


class DLPackArray(NamedTuple):
    """What a capsule describes; `owner` keeps the memory alive."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """In bytes."""
    dtype: np.dtype[np.generic]
    is_writable: bool
    owner: object


class _Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("number", ctypes.c_int32))


class _DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("dimensions", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


_python = ctypes.PyDLL(None)
_is_valid = _python.PyCapsule_IsValid
_is_valid.argtypes, _is_valid.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_int
_pointer_in = _python.PyCapsule_GetPointer
_pointer_in.argtypes, _pointer_in.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p


def read_capsule(capsule: "Capsule") -> DLPackArray:
    """Return the array that a capsule describes."""
    if _is_valid(capsule, _VERSIONED_NAME):
        versioned = _Versioned.from_address(_pointer_in(capsule, _VERSIONED_NAME))
        if versioned.major != _VERSION[0]:
            raise DLPackError(f"expected version {_VERSION[0]} of DLPack, got {versioned.major}")
        return _described(versioned.tensor, capsule, not versioned.flags & _READ_ONLY)
    if _is_valid(capsule, _NAME):
        managed = _Managed.from_address(_pointer_in(capsule, _NAME))
        return _described(managed.tensor, capsule, True)
    raise DLPackError("expected a capsule of DLPack that was not used before")


def _described(tensor: _Tensor, capsule: "Capsule", is_writable: bool) -> DLPackArray:
    dtype = _dtype(tensor.dtype)
    count: int = tensor.dimensions
    shape = tuple(tensor.shape[:count])
    strides = _contiguous(shape)
    if tensor.strides:
        strides = tuple(tensor.strides[:count])
    address = (tensor.data or 0) + tensor.offset
    in_bytes = tuple(stride * dtype.itemsize for stride in strides)
    return DLPackArray(address, shape, in_bytes, dtype, is_writable, capsule)


def _dtype(found: _DataType) -> np.dtype[np.generic]:
    kind = _KINDS.get(found.code)
    if kind is None or found.bits % 8 or found.lanes != 1:
        raise DLPackError(
            f"the elements have a type that NumPy does not have (code {found.code},"
            f" {found.bits} bits, {found.lanes} lanes)"
        )
    return np.dtype(f"{kind}{found.bits // 8}")


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a contiguous array, in elements."""
    strides: list[int] = []
    size = 1
    for extent in reversed(shape):
        strides.insert(0, size)
        size *= extent
    return tuple(strides)


class _Export(NamedTuple):
    """What must exist as long as a capsule or its user does."""

    managed: "_Managed | _Versioned"
    shape: "ctypes.Array[ctypes.c_int64]"
    owner: object


_exports: dict[int, _Export] = {}
"""By the address of the structure."""


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _delete(managed: int) -> None:
    _exports.pop(managed, None)


# The capsule is being destroyed, so these functions get its address instead of a reference.
_raw_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", _python)
)
_raw_pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", _python)
)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _destroy(capsule: int) -> None:
    """Release the array of a capsule that nobody has taken it from."""
    for name in (_NAME, _VERSIONED_NAME):
        if _raw_is_valid(capsule, name):
            _exports.pop(_raw_pointer_in(capsule, name), None)


# Other libraries may call them until the process ends, when Python has deleted this module.
for _callback in (_delete, _destroy):
    _python.Py_IncRef(ctypes.py_object(_callback))

_new_capsule: "Callable[[int, bytes, object], Capsule]" = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, type(_destroy)
)(("PyCapsule_New", _python))


def new_capsule(
    address: int,
    shape: tuple[int, ...],
    dtype: np.dtype[np.generic],
    device: tuple[int, int],
    owner: object,
    *,
    versioned: bool,
) -> "Capsule":
    """Return a capsule with a contiguous array; its user keeps `owner` alive.

    Old users do not know the `versioned` form.
    """
    if dtype.kind not in _CODES:
        raise BufferError(f"DLPack has no type for elements of {dtype}")
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    element = _DataType(_CODES[dtype.kind], 8 * dtype.itemsize, 1)
    tensor = _Tensor(address, _Device(*device), len(shape), element, sizes, None, 0)
    deleter = ctypes.cast(_delete, ctypes.c_void_p)
    if versioned:
        managed, name = _Versioned(*_VERSION, None, deleter, 0, tensor), _VERSIONED_NAME
    else:
        managed, name = _Managed(tensor, None, deleter), _NAME
    place = ctypes.addressof(managed)
    _exports[place] = _Export(managed, sizes, owner)
    return _new_capsule(place, name, _destroy)
